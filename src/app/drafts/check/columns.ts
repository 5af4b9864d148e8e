/** The columns of a draft's sheet: their meaning, their positions, and the key of a row. */
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { type ColumnMap, captionMark } from '../../../manifest/headers/column-map.ts';
import { matchHeader, meaningsOf } from '../../../manifest/headers/header.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { columnLetters, type SheetRow } from '../../../sheets/sheet.ts';
import type { DraftColumn } from '../view.ts';

export type SheetColumn = Omit<DraftColumn, 'firstTexts' | 'proposal'>;

/** The columns of a sheet, and their meaning. @param cells of the header. @param doubtful headers whose meaning must be said. @param result meaning of the columns of a results sheet. */
export function columnsOf(
  cells: readonly string[],
  map: ColumnMap | undefined,
  doubtful: ReadonlySet<string | null> = new Set(),
  result: '_' | null = null,
): readonly SheetColumn[] {
  const header = matchHeader(cells, {
    rejectUnknown: true,
    map,
  });
  const { names, results, problems } = header;
  const unknown = new Set([...(result === null ? results : []), ...problems.map(({ index }) => index)]);
  const byPosition = meaningsOf(header);
  return names.map((title, position) => ({
    position,
    letters: columnLetters(position),
    title,
    column: doubtful.has(showValue(title))
      ? null
      : header.moreCaption.includes(position)
        ? captionMark
        : (byPosition.get(position) ?? (unknown.has(position) || title === '' ? null : '_')),
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

/** The key of a row: its number if it has none of its own; undefined without a column of keys, so that it has no duplicates. */
export function keyOf(column: number, { cells }: SheetRow, number: number): string | undefined {
  return column < 0 ? undefined : textOfCell(cells, column) || String(number);
}
