/** Searches a list of the service, and returns the first matches. */

/** Most entries on a page. */
const mostShown = 30;

export interface SearchOptions<T> {
  /** The typed text: a part of a name, in any case. */
  readonly text: string;
  /** Texts of an entry to search in. */
  readonly namesOf: (entry: T) => readonly string[];
  /** Lower ranks come first; entries of the same rank keep their order. @param wanted in lower case. */
  readonly rank?: (entry: T, wanted: string) => number;
  /** Most entries that are fetched. */
  readonly mostSearched: number;
}

export interface SearchResult<T> {
  readonly shown: readonly T[];
  /** Number of matches, shown or not. */
  readonly found: number;
  /** Number of entries searched; undefined if that was the whole list. */
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
