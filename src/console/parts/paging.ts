/** Where a page stands in its list. Lists that are read by an index know no number of a row: the address carries it from page to page. */
import { number } from './numbers/numbers.ts';

/** What a page of a list shows. */
export interface Stretch {
  /** Entries on earlier pages; undefined if unknown, as in an address that somebody has shortened. */
  readonly before: number | undefined;
  /** Entries on this page. */
  readonly many: number;
  /** Entries of the list; undefined where it would take reading all of them. */
  readonly total: number | undefined;
}

/** `51 to 100 of 1,240`; empty if the page has nothing, or nobody knows where it stands. */
export function range({ before, many, total }: Stretch): string {
  if (before === undefined || many === 0) return '';
  const last = before + many;
  // Entries may have left the list while somebody turned its pages.
  const of = total === undefined || total < last ? '' : ` of ${number(total)}`;
  return `${number(before + 1)} to ${number(last)}${of}`;
}

/** Entries on earlier pages, as the address says. @param isFirst whether the address names no place in the list. */
export function readBefore(query: URLSearchParams, isFirst: boolean): number | undefined {
  if (isFirst) return 0;
  const said = query.get('before') ?? '';
  return /^\d{1,9}$/.test(said) ? Number(said) : undefined;
}

/** What the address of the next page carries: nothing if this one does not know its own place. */
export function beforeNext({ before, many }: Stretch): string {
  return before === undefined ? '' : String(before + many);
}
