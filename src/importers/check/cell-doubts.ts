/** Cells of a row that can be read, but may not say what is meant: its time zone, and texts that lost their encoding. */
import {
  destroyedText,
  hasMarksInRow,
  isDestroyed,
  marksInRow,
} from '../../manifest/cells/destroyed-text.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { hasOffset } from '../../manifest/cells/schedule.ts';
import { findZoneDoubt } from '../../manifest/cells/zone.ts';
import { columns } from '../../manifest/columns.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';
import { hasZoneOnly } from './row-warnings.ts';

interface TimedCells {
  readonly cells: readonly string[];
  readonly indexes: ColumnIndexes;
  /** Time of the post, as written. */
  readonly typed: string;
  /** Zone of times without one. */
  readonly timezone: string | null;
}

/** Warnings about a zone that has no effect, or may not be the one that is meant. */
export function zoneDoubts(
  { schedule, generation }: Pick<RowDraft, 'schedule' | 'generation'>,
  { cells, indexes, typed, timezone }: TimedCells,
): readonly CellProblem[] {
  const own = textOfCell(cells, indexes.scheduled_tz);
  if (schedule === undefined && generation?.execAt === undefined) return own === '' ? [] : [hasZoneOnly(own)];
  const zone = own === '' ? timezone : own;
  const exec = textOfCell(cells, indexes.ai_exec_at);
  const [column, at] =
    schedule !== undefined && !hasOffset(typed)
      ? (['scheduled_at', schedule.at] as const)
      : (['ai_exec_at', hasOffset(exec) ? undefined : generation?.execAt] as const);
  const doubt = zone === null || at === undefined ? null : findZoneDoubt(zone, at);
  if (doubt === null) return [];
  return [{ column: own === '' ? column : 'scheduled_tz', value: showValue(zone ?? ''), ...doubt }];
}

/** Whether a cell is worth a look by `markDoubts`. */
export function hasMarks(cell: string): boolean {
  return cell.includes('??');
}

/** Texts with several `?` in a row: they may have lost their encoding. */
export function markDoubts(
  cells: readonly string[],
  indexes: ColumnIndexes,
): readonly { readonly kind: 'problem' | 'warning'; readonly found: CellProblem }[] {
  return columns.flatMap(({ name }) => {
    const text = cells[indexes[name]] ?? '';
    if (isDestroyed(text)) return { kind: 'problem' as const, found: destroyedText(name, text) };
    return hasMarksInRow(text) ? { kind: 'warning' as const, found: marksInRow(name, text) } : [];
  });
}
