/** The cells of one row as the planner wrote them, by the columns of the sheet. */
import type { StoredRow } from '../../ledger/rows/row-codec.ts';
import { unguardFormula } from '../../manifest/cells/formula.ts';
import { type ColumnName, columns } from '../../manifest/columns.ts';
import type { Header } from '../../manifest/headers/header.ts';
import { createImportedRowReader, type ImportedSheet } from '../../manifest/imported-sheet.ts';

export interface WrittenCell {
  /** Header of the column in the sheet. */
  readonly name: string;
  /** Meaning of the column; undefined for a note. */
  readonly column: ColumnName | undefined;
  readonly text: string;
}

/** @returns a cell for each column of the sheet, in its order. */
export function writtenCells(sheet: ImportedSheet, { cells }: StoredRow): readonly WrittenCell[] {
  const { header } = createImportedRowReader(sheet);
  const meant = meanings(header);
  return header.names.map((name, position) => ({
    name,
    column: meant.get(position),
    text: unguardFormula(cells[position] ?? ''),
  }));
}

function meanings({ indexes }: Header): ReadonlyMap<number, ColumnName> {
  return new Map(columns.flatMap(({ name }) => (indexes[name] < 0 ? [] : [[indexes[name], name] as const])));
}
