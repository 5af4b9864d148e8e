/** Reads all texts typed on the page of a draft. Each change sends them along, so that no button loses them. */
import type { CellMend } from '../../../../../drafts/mends.ts';
import type { CheckedDraft, ProblemGroup } from '../../../../../drafts/view.ts';
import { UseCaseError } from '../../../../../runtime/use-case-error.ts';
import type { PageRequest } from '../../../../request.ts';
import { rowsMark } from '../shown.ts';
import { lines } from './lines.ts';

/** Most cells in one form; a page of rows has far fewer. */
const mostCells = 2000;

/** @throws {UseCaseError} `draft_refused` while the sheet is being checked. */
export async function checkedDraft({ drafts }: PageRequest, id: string): Promise<CheckedDraft> {
  const { checked } = await drafts.look(id);
  if (checked === undefined) {
    throw new UseCaseError('draft_refused', 'the sheet is being checked', { cure: 'Try again in a moment.' });
  }
  return checked;
}

/** @param mark of the rows that were shown. @throws {UseCaseError} `draft_changed` if the band has other rows now. */
export async function findBand(
  request: PageRequest,
  id: string,
  group: string,
  mark: string,
): Promise<ProblemGroup> {
  const found = (await checkedDraft(request, id)).groups.find((each) => each.id === group);
  if (found === undefined) throw new UseCaseError('draft_refused', 'no row has this problem any more');
  if (rowsMark(found) !== mark) {
    throw new UseCaseError('draft_changed', 'other rows have this problem now', {
      cure: 'Look at the rows as they are now, then try again.',
    });
  }
  return found;
}

/**
 * Typed texts that differ from the sheet: for single cells, `c.ROW.POSITION`, and for all rows of a band, `text.GROUP.MARK`.
 * @throws {UseCaseError} like `findBand`.
 */
export async function typedCells(request: PageRequest, id: string): Promise<readonly CellMend[]> {
  const single = [...request.form].flatMap(([name, text]) => {
    const match = /^c\.(\d{1,9})\.(\d{1,3})$/.exec(name);
    return match === null ? [] : [{ row: Number(match[1]), position: Number(match[2]), text: lines(text) }];
  });
  const cells = await different(request, id, single.slice(0, mostCells));
  const written = new Set(cells.map(placeOf));
  const ofBands = (await textsOfBands(request, id)).filter((each) => !written.has(placeOf(each)));
  return [...ofBands, ...cells];
}

async function textsOfBands(request: PageRequest, id: string): Promise<readonly CellMend[]> {
  const cells: CellMend[] = [];
  for (const [name, typed] of request.form) {
    const [, group, mark] = /^text\.([0-9a-f]{12})\.([0-9a-f]{16})$/.exec(name) ?? [];
    const text = typed.trim();
    if (group === undefined || mark === undefined || text === '') continue;
    const { position, numbers } = await findBand(request, id, group, mark);
    if (position < 0) throw new UseCaseError('draft_refused', 'this problem does not belong to one column');
    cells.push(...numbers.map((row) => ({ row, position, text })));
  }
  return cells;
}

async function different(
  request: PageRequest,
  id: string,
  typed: readonly CellMend[],
): Promise<readonly CellMend[]> {
  const { drafts } = request;
  const cells: CellMend[] = [];
  // After a restart the sheet is checked again. Until then there are no rows to compare with, and all texts would seem unchanged.
  if (typed.length > 0) await checkedDraft(request, id);
  for (const [row, mends] of Map.groupBy(typed, (each) => each.row)) {
    const [found] = (await drafts.window(id, 'all', row - 1, 1)).rows;
    if (found === undefined) continue;
    for (const each of mends) if (lines(found.cells[each.position] ?? '') !== each.text) cells.push(each);
  }
  return cells;
}

/** Name of the ticks of rows that are to be posted again. */
export const againTick = 'again';
/** Field of a row that is not to be. */
export const onceTick = 'once';
/** Most ticks in one form; a page of rows has far fewer. */
const mostTicks = 1000;

/** Numbers of the rows that are ticked. */
export function tickedRows(form: URLSearchParams, name: string): number[] {
  const rows = form.getAll(name).filter((row) => /^[1-9]\d{0,8}$/.test(row));
  return [...new Set(rows.slice(0, mostTicks).map(Number))];
}

/** Identifies a cell of the sheet. */
export function placeOf({ row, position }: CellMend): string {
  return `${row}.${position}`;
}

/** How many rows the cells belong to. */
export function rowsIn(cells: readonly CellMend[]): number {
  return new Set(cells.map(({ row }) => row)).size;
}
