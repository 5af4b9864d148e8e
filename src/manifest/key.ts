/** Keys of rows: what people and sheets call a row by. */
import { unguardFormula } from './formula.ts';
import { matchHeader } from './header.ts';

export interface KeyReader {
  /** Position of the key's column; -1 where the manifest has none. */
  readonly column: number;
  /** @param number counts the rows of the manifest from 1; it is the key of a row that names none. */
  read(cells: readonly string[], number: number): string;
}

/** Makes a reader of keys for rows under a header that the import has accepted. */
export function createKeyReader(header: readonly string[]): KeyReader {
  const { indexes } = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true });
  const column = indexes.key;
  return { column, read: (cells, number) => unguardFormula(cells[column] ?? '').trim() || String(number) };
}
