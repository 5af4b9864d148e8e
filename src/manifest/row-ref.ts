/**
 * Coordinates of a row. An index does not pass for a number, nor the other way round; a plain number, as a literal or a result of a
 * calculation, passes for both. The line of a row in its file is a third one (`line`).
 */

/** Place of a row in its campaign, from 0. */
export type RowIndex = number & { readonly coordinate?: 'RowIndex' };
/** A row's number as people see it, from 1. */
export type RowNumber = number & { readonly coordinate?: 'RowNumber' };

export function rowNumber(index: RowIndex): RowNumber {
  return index + 1;
}

/** A row of a known campaign, in one of its revisions. */
export interface RowVersion {
  readonly row: RowIndex;
  /** 0 to 255, then 0 again: only equality counts. */
  readonly revision: number;
}

/** A row in one of its revisions, from its jobs to the ledger. */
export interface RowRef extends RowVersion {
  readonly campaign: string;
}
