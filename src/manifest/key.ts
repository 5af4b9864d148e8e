/** Keys of rows: what people and sheets call a row by. */
import { unguardFormula } from './formula.ts';
import type { RowReader } from './reader.ts';

export interface KeyReader {
  /** Position of the key's column; -1 where the manifest has none. */
  readonly column: number;
  /** @param number counts the rows of the manifest from 1; it is the key of a row that names none. */
  read(cells: readonly string[], number: number): string;
}

/** Makes a reader of keys, which is several times as quick as one of whole rows. */
export function createKeyReader({ header }: Pick<RowReader, 'header'>): KeyReader {
  const column = header.indexes.key;
  return { column, read: (cells, number) => unguardFormula(cells[column] ?? '').trim() || String(number) };
}
