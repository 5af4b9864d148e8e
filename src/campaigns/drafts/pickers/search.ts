/** Searches in a list that the service gave, and shows the first that fit. */

/** Entries that a page shows. */
const mostShown = 30;

export interface SearchOptions<T> {
  /** What was typed: a part of a name, in any case. */
  readonly text: string;
  /** Texts that an entry is found by. */
  readonly namesOf: (entry: T) => readonly string[];
  /** Lower ranks come first; entries of the same rank keep their order. @param wanted in lower case. */
  readonly rank?: (entry: T, wanted: string) => number;
  /** Entries that were fetched at most. */
  readonly mostSearched: number;
}

export interface SearchResult<T> {
  readonly shown: readonly T[];
  /** How many fit, shown or not. */
  readonly found: number;
  /** Undefined if the whole list was searched; else how many entries were. */
  readonly searched: number | undefined;
}

export function search<T>(
  all: readonly T[],
  { text, namesOf, rank = () => 0, mostSearched }: SearchOptions<T>,
): SearchResult<T> {
  const wanted = text.trim().replace(/^@/, '').toLowerCase();
  const found = all.filter((entry) => namesOf(entry).some((name) => name.toLowerCase().includes(wanted)));
  const shown = found.sort((one, other) => rank(one, wanted) - rank(other, wanted)).slice(0, mostShown);
  return { shown, found: found.length, searched: all.length < mostSearched ? undefined : all.length };
}
