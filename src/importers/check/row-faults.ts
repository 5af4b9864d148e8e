/** Combines the faults that the sheet reader found in a row with the problems of its other columns. */
import type { Header } from '../../manifest/headers/header.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import type { RowDraft, RowReading } from '../../manifest/reader.ts';
import { cellTooLongCode } from '../../sheets/bounds.ts';
import { problemOfCell, type SheetRow } from '../../sheets/sheet.ts';

export interface FaultyRow {
  readonly key: string | null;
  readonly draft: RowDraft | null;
  readonly problems: readonly CellProblem[];
}

/** @returns `null` if the sheet reader found no fault. */
export function findFaults(row: SheetRow, header: Header, reading: RowReading): FaultyRow | null {
  const cellFaults = (row.cellFaults ?? []).filter(
    ({ position, code }) => code === cellTooLongCode || isRead(position, header),
  );
  const faults = [...(row.faults ?? []), ...cellFaults.map((fault) => problemOfCell(header.names, fault))];
  if (faults.length === 0) return null;
  const draft = 'row' in reading ? reading.row : reading.draft;
  const faulty = new Set(faults.map(({ column }) => column));
  const others = 'row' in reading ? [] : reading.problems.filter(({ column }) => !faulty.has(column));
  const hasKey = cellFaults.every(({ position }) => position !== header.indexes.key);
  return {
    key: hasKey ? (draft?.key ?? null) : null,
    // A faulty cell may lack its real text, so the row cannot be used for look-ups.
    draft: cellFaults.length > 0 ? null : draft,
    problems: [...faults, ...others],
  };
}

/** Whether the cell is used. Notes and results of an earlier run are not. */
function isRead(position: number, { names, indexes }: Header): boolean {
  return position >= names.length || Object.values(indexes).includes(position);
}
