/** Reads all that was typed on the page of a draft. Each change sends it along, so that no button loses it. */
import { draftRefused } from '../../../../drafts/draft.ts';
import type { CellMend } from '../../../../drafts/mends.ts';
import type { CheckedDraft, DraftColumn, ProblemGroup } from '../../../../drafts/view.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import type { PageRequest } from '../../../request.ts';
import { type ChosenOptions, isOther, offeredName, readOptions } from './options.ts';
import { rowsMark } from './shown.ts';

/** Most cells in one form; a page of rows has far fewer. */
const mostCells = 2000;
/** Most cells of a pick: the largest band, in the few columns that a list fills. */
const mostPicked = 100_000;
/** Most ticks in one form; a page of rows has far fewer. */
const mostTicks = 1000;

/** Name of the ticks of rows that are to be posted again. */
export const againTick = 'again';
/** Field of a row that is not to be. */
export const onceTick = 'once';

/** Name of the boxes that tick rows of the sheet. */
export const rowTick = 'tick';
/** Query of the buttons that change the ticked rows. */
export const tickedRows = 'ticked=yes';

/** What was typed and not saved yet. */
export interface Typed {
  readonly cells: CellMend[];
  /** Numbers of rows to be posted again, or not. */
  readonly postAgain: number[];
  readonly postOnce: number[];
  /** Undefined if they are the stored ones. */
  readonly options: ChosenOptions | undefined;
}

/** @throws {UseCaseError} `draft_refused` for invalid texts; as `findBand`. */
export async function readTyped(request: PageRequest, id: string): Promise<Typed> {
  const { form, drafts } = request;
  const cells = await typedCells(request, id);
  const { draft, checked } = await drafts.look(id);
  const chosen = readOptions(form, offeredName(draft, checked));
  return {
    cells,
    postAgain: numbersIn(form, againTick),
    postOnce: numbersIn(form, onceTick),
    options: chosen !== undefined && isOther(chosen, draft.options) ? chosen : undefined,
  };
}

/** @throws {UseCaseError} `draft_refused` while the sheet is being checked. */
export async function checkedDraft({ drafts }: PageRequest, id: string): Promise<CheckedDraft> {
  const { checked } = await drafts.look(id);
  if (checked === undefined) throw draftRefused('the sheet is being checked', 'Try again in a moment.');
  return checked;
}

/** Numbers of the rows to change: those that are ticked, all of the band that the address or the form names, or one row. */
export async function rowsMeant(request: PageRequest, id: string): Promise<readonly number[]> {
  if (request.query.has('ticked')) return rowsTicked(request.form);
  const band = await bandMeant(request, id);
  if (band !== undefined) return band.numbers;
  const row = Number(request.form.get('row') ?? '0');
  return Number.isInteger(row) && row > 0 ? [row] : [];
}

/** The band that the address of a button names, or the form of a list. @throws {UseCaseError} as `findBand`. */
export async function bandMeant(request: PageRequest, id: string): Promise<ProblemGroup | undefined> {
  const field = (name: string) => request.query.get(name) ?? request.form.get(name) ?? '';
  return field('group') === '' ? undefined : findBand(request, id, field('group'), field('band'));
}

/** @param mark of the rows that were shown. @throws {UseCaseError} `draft_changed` if the band has other rows now. */
async function findBand(
  request: PageRequest,
  id: string,
  group: string,
  mark: string,
): Promise<ProblemGroup> {
  const found = (await checkedDraft(request, id)).groups.find((each) => each.id === group);
  if (found === undefined) throw new UseCaseError('draft_refused', 'no row has this problem any more');
  if (rowsMark(found) === mark) return found;
  throw new UseCaseError('draft_changed', 'other rows have this problem now', {
    cure: 'Look at the rows as they are now, then try again.',
  });
}

/** Typed texts that differ from the sheet: for single cells, `c.ROW.POSITION`, and for all rows of a band, `text.GROUP.MARK`. */
async function typedCells(request: PageRequest, id: string): Promise<CellMend[]> {
  const single = [...request.form].flatMap(([name, text]) => {
    const match = /^c\.(\d{1,9})\.(\d{1,3})$/.exec(name);
    return match === null ? [] : [{ row: Number(match[1]), position: Number(match[2]), text: lines(text) }];
  });
  const cells = await different(request, id, single.slice(0, mostCells));
  return together(await textsOfBands(request, id), cells);
}

async function textsOfBands(request: PageRequest, id: string): Promise<CellMend[]> {
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

async function different(request: PageRequest, id: string, typed: readonly CellMend[]): Promise<CellMend[]> {
  const cells: CellMend[] = [];
  // After a restart the sheet is checked again. Until then there are no rows to compare with, and all texts would seem unchanged.
  if (typed.length > 0) await checkedDraft(request, id);
  for (const [row, texts] of Map.groupBy(typed, (cell) => cell.row)) {
    const [found] = (await request.drafts.window(id, 'all', row - 1, 1)).rows;
    if (found === undefined) continue;
    cells.push(...texts.filter(({ position, text }) => lines(found.cells[position] ?? '') !== text));
  }
  return cells;
}

/**
 * The entry that was picked from a list, by the fields `p.POSITION`, for each of the rows.
 * @throws {UseCaseError} `draft_refused` for a column that the sheet does not have, two texts for one cell, or too many cells.
 */
export function readPicked(
  form: URLSearchParams,
  columns: readonly DraftColumn[],
  rows: readonly number[],
): CellMend[] {
  const texts = new Map<number, string>();
  for (const [name, text] of form) {
    const found = /^p\.(\d{1,3})$/.exec(name)?.[1];
    if (found === undefined) continue;
    const at = Number(found);
    if (!columns.some(({ position }) => position === at)) throw draftRefused('the sheet has no such column');
    if (texts.has(at)) throw draftRefused('there are two texts for one cell');
    texts.set(at, lines(text));
  }
  if (rows.length * texts.size > mostPicked) throw draftRefused('these are too many cells at once');
  return rows.flatMap((row) => [...texts].map(([position, text]) => ({ row, position, text })));
}

/** @throws {UseCaseError} `draft_refused` if no row is ticked. */
function rowsTicked(form: URLSearchParams): readonly number[] {
  const rows = numbersIn(form, rowTick);
  if (rows.length === 0) throw draftRefused('no row is ticked', 'Tick rows of the sheet first.');
  return rows;
}

/** Numbers of the rows that are ticked. */
function numbersIn(form: URLSearchParams, name: string): number[] {
  const rows = form.getAll(name).filter((row) => /^[1-9]\d{0,8}$/.test(row));
  return [...new Set(rows.slice(0, mostTicks).map(Number))];
}

/** Cells of two changes; where both have a cell, that of the second. */
export function together(first: readonly CellMend[], second: readonly CellMend[]): CellMend[] {
  const placeOf = ({ row, position }: CellMend) => `${row}.${position}`;
  const written = new Set(second.map(placeOf));
  return [...first.filter((cell) => !written.has(placeOf(cell))), ...second];
}

/** Normalizes line breaks to LF: browsers send each as CR LF, even a lone CR of the sheet. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
