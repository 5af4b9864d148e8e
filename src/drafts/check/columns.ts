/** The columns of a draft's sheet, and their meaning. */

import { type ColumnName, columns } from '../../manifest/columns.ts';
import { columnLetters } from '../../manifest/headers/column-letters.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { showValue } from '../../manifest/problems/problem.ts';
import type { DraftColumn } from './checked-draft.ts';

export type SheetColumn = Omit<DraftColumn, 'firstTexts'>;

/** @param cells of the header. */
export function columnsOf(cells: readonly string[], map: ColumnMap | undefined): readonly SheetColumn[] {
  const { names, indexes, results, problems } = matchHeader(cells, {
    allowUnknownColumns: false,
    allowResultsSheet: true,
    map,
  });
  const unknown = new Set([...results, ...problems.map(({ index }) => index)]);
  const byPosition = new Map<number, ColumnName>(columns.map(({ name }) => [indexes[name], name]));
  return names.map((title, position) => ({
    position,
    letters: columnLetters(position),
    title,
    column: byPosition.get(position) ?? (unknown.has(position) || title === '' ? undefined : '_'),
  }));
}

/** Finds the column that a problem names: by its header as shown, or by its letters if it has no header. */
export function positionFinder(header: readonly string[]): (column: string) => number {
  const positions = new Map<string, number>();
  header.forEach((cell, position) => {
    const name = showValue(cell.trim()) || columnLetters(position);
    if (!positions.has(name)) positions.set(name, position);
  });
  return (column) => positions.get(column) ?? -1;
}
