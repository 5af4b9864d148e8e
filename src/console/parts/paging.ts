/** The position of a page in its list. Lists that are read by an index do not number their rows, so the address carries the number from page to page. */
import { number } from './numbers/numbers.ts';

/** The part of a list that a page shows. */
export interface Stretch {
  /** Entries on earlier pages; undefined if unknown, for example if somebody shortened the address. */
  readonly before: number | undefined;
  /** Entries on this page. */
  readonly many: number;
  /** Entries of the list; undefined if counting them would mean reading all. */
  readonly total: number | undefined;
}

/** `51 to 100 of 1,240`; empty if the page is empty or its position is unknown. */
export function range({ before, many, total }: Stretch): string {
  if (before === undefined || many === 0) return '';
  const last = before + many;
  // Entries may leave the list between two pages.
  const of = total === undefined || total < last ? '' : ` of ${number(total)}`;
  return `${number(before + 1)} to ${number(last)}${of}`;
}

/** Reads the entries on earlier pages from the address. @param isFirst whether the address names no place in the list. */
export function readBefore(query: URLSearchParams, isFirst: boolean): number | undefined {
  if (isFirst) return 0;
  const said = query.get('before') ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : undefined;
}

/** `before` of the next page; empty if the position of this page is unknown. */
export function beforeNext({ before, many }: Stretch): string {
  return before === undefined ? '' : String(before + many);
}
