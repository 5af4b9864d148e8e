/** Reads all that was typed on the page of a draft. Each change sends it along, so that no button loses it. */

import type { CellEdit, Edit } from '../../../../app/campaigns/import/edit.ts';
import { type Draft, draftRefused } from '../../../../app/drafts/draft.ts';
import type { RememberedReading } from '../../../../app/drafts/remembered-columns.ts';
import { columnOfFixes } from '../../../../app/drafts/suggestions/music.ts';
import type { CheckedDraft, DraftColumn, PlacedProblem, ProblemGroup } from '../../../../app/drafts/view.ts';
import { type ColumnName, columns as catalogue } from '../../../../manifest/columns.ts';
import { captionMark, createColumnMap, noteMark } from '../../../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import type { PageRequest } from '../../../request.ts';
import { readQuery, rowsMark } from './draft-view.ts';
import { type ChosenOptions, isOther, offeredName, readOptions } from './options.ts';

/** Most cells in one form; a page of rows has far fewer. */
const mostCells = 2000;
/** Most cells of a pick: the largest band, in the few columns that a list fills. */
const mostPicked = 100_000;
/** Most ticks in one form; a page of rows has far fewer. */
const mostTicks = 1000;

/** Name of the ticks of rows that are to be posted again. */
export const againTick = 'again';
/** Whether a row is, or may be, another post once more: one of a campaign, or of an earlier row of its sheet. */
export function isOfRepeat({ code }: Pick<PlacedProblem, 'code'>): boolean {
  return code === 'already_posted' || code === 'may_be_row' || code === 'post_repeats';
}

/** Field of a row that is not to be. */
export const onceTick = 'once';

/** Name of the boxes that tick rows of the sheet. */
export const rowTick = 'tick';
/** Query of the buttons that change the ticked rows. */
export const tickedRows = 'ticked=yes';
/** Name of the box that means all rows that are asked for, on every page. */
export const everyRow = 'every';

/** Where the texts of a form go: to columns of the sheet, and to those that it lacks, which are added then. */
export class Places {
  readonly #columns: readonly DraftColumn[];
  readonly #added = new Map<ColumnName, string>();

  constructor(columns: readonly DraftColumn[]) {
    this.#columns = columns;
  }

  /** Position of a column. It is added if the sheet lacks it. @param text of an added one in all rows. */
  of(name: ColumnName, text = ''): number {
    const own = this.#columns.find(({ column }) => column === name);
    if (own !== undefined) return own.position;
    if (!this.#added.has(name)) this.#added.set(name, text);
    return this.#columns.length + [...this.#added.keys()].indexOf(name);
  }

  has(position: number): boolean {
    return position < this.#columns.length;
  }

  /** Fixes of a column that the sheet lacks write behind its last one: it is added. */
  placed(edits: readonly CellEdit[]): CellEdit[] {
    return edits.map((edit) =>
      this.has(edit.position) ? edit : { ...edit, position: this.of(columnOfFixes) },
    );
  }

  get added(): Pick<Edit, 'addColumns'> {
    const columns = Array.from(this.#added, ([name, text]) => ({ name, text }));
    return columns.length === 0 ? {} : { addColumns: { at: this.#columns.length, columns } };
  }
}

/** @returns undefined for a text that is no column's name. */
export function columnNamed(name: string | null): ColumnName | undefined {
  return catalogue.find((column) => column.name === name)?.name;
}

/** What was typed and not saved yet. */
export interface DraftFormInput {
  readonly cells: CellEdit[];
  readonly places: Places;
  /** Numbers of rows to be posted again, or not. */
  readonly postAgain: number[];
  readonly postOnce: number[];
  /** Undefined if they are the stored ones. */
  readonly options: ChosenOptions | undefined;
  /** How the sheet is to be read: all columns by header, and the zone. */
  readonly reading: RememberedReading;
}

/** @throws {UseCaseError} `draft_refused` for invalid texts; as `findBand`. */
export async function readFormInput(request: PageRequest, id: string): Promise<DraftFormInput> {
  const { form, drafts } = request;
  const { draft, checked } = await drafts.look(id);
  const places = new Places(checked?.columns ?? []);
  const cells = await typedCells(request, id, places);
  const chosen = readOptions(form, {
    sheetName: offeredName(draft, checked),
    lead: request.runtime.settings.lead,
    approve: request.runtime.settings.approve,
  });
  return {
    cells,
    places,
    postAgain: numbersIn(form, againTick),
    postOnce: numbersIn(form, onceTick),
    reading: chosenReading(form, draft, checked),
    options: chosen !== undefined && isOther(chosen, draft.options) ? chosen : undefined,
  };
}

/** Field with the zone that the page offered: another one was chosen by the person. */
export const offeredZone = 'zone-offered';

/** What several columns of a sheet may be. */
const repeatable: ReadonlySet<string> = new Set([noteMark, captionMark, 'media']);

/** Field `take` of the button that takes all proposals; the zone that it names stands behind it. */
export const takeAllProposals = 'all';

/** @returns undefined for another button; the zone is empty if it names none. */
export function takenAll(form: URLSearchParams): { readonly zone: string } | undefined {
  const [take, zone = ''] = (form.get('take') ?? '').split(' ');
  return take === takeAllProposals ? { zone } : undefined;
}

/** The columns whose proposals "Use all" takes. @param form with the choices, `col.POSITION`: they win over proposals. */
export function openProposals(
  columns: readonly DraftColumn[],
  form: URLSearchParams,
): readonly DraftColumn[] {
  const chosen = new Set(columns.map(({ position }) => form.get(`col.${position}`)));
  return columns.filter(({ position, column, proposal }) => {
    if (column !== null || proposal === null || (form.get(`col.${position}`) ?? '') !== '') return false;
    return repeatable.has(proposal.column) || !chosen.has(proposal.column);
  });
}

/** The choices of columns, `col.POSITION`, proposals that are taken, and the zone, if they differ from the stored ones. @throws {ColumnMapError} */
function chosenReading(
  form: URLSearchParams,
  { reading }: Draft,
  checked: CheckedDraft | undefined,
): RememberedReading {
  const map: Record<string, string> = {};
  const take = form.get('take');
  const all = takenAll(form);
  const columns = checked?.columns ?? [];
  const open = new Set(openProposals(columns, form));
  for (const each of columns) {
    const { position, title, column, proposal } = each;
    const isTaken = (all !== undefined && open.has(each)) || (column === null && take === String(position));
    const chosen = (isTaken && proposal?.column) || (form.get(`col.${position}`) ?? '');
    if (chosen !== '' && chosen !== column) map[title] = chosen;
  }
  const whole = { ...reading.map, ...map };
  // Refuses an invalid map at once. The check would fail later.
  if (Object.keys(map).length > 0) createColumnMap(Object.entries(whole));
  const zone = form.get('zone') ?? '';
  const isChosen = zone !== '' && zone !== form.get(offeredZone);
  const timezone = isChosen ? zone : (all?.zone ?? '');
  return {
    ...(Object.keys(map).length > 0 && { map: whole }),
    ...(timezone !== '' && { timezone }),
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
  if (request.query.has('ticked')) return rowsTicked(request, id);
  const band = await bandMeant(request, id);
  if (band !== undefined) return band.numbers;
  const row = Number(request.form.get('row') ?? '0');
  return Number.isInteger(row) && row > 0 ? [row] : [];
}

/** The band that the address of a button names, or the form of a list. @throws {UseCaseError} as `findBand`. */
export async function bandMeant(request: PageRequest, id: string): Promise<ProblemGroup | undefined> {
  if (request.form.get('for') === 'row') return undefined;
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
  const { groups, warnings } = await checkedDraft(request, id);
  const found = [...groups, ...warnings].find((each) => each.id === group);
  const fix = 'Check the current rows, then try again.';
  if (found === undefined)
    throw new UseCaseError('draft_refused', 'no row has this problem any more', { fix });
  if (rowsMark(found) === mark) return found;
  throw new UseCaseError('draft_changed', 'other rows have this problem now', { fix });
}

/**
 * Typed texts that differ from the sheet: for single cells, `c.ROW.POSITION`, or `c.ROW.COLUMN` if the sheet lacks the column; and for
 * all rows of a band, `text.GROUP.MARK`.
 */
async function typedCells(request: PageRequest, id: string, places: Places): Promise<CellEdit[]> {
  const single = [...request.form].flatMap(([name, typed]) => {
    const [, row, at = ''] = /^c\.(\d{1,9})\.(\d{1,3}|[a-z_]{1,30})$/.exec(name) ?? [];
    const text = lines(typed);
    const position = positionOf(places, at, text);
    return row === undefined || position === undefined ? [] : [{ row: Number(row), position, text }];
  });
  const cells = await different(request, id, single.slice(0, mostCells));
  return together(await textsOfBands(request, id, places), cells);
}

/** @param at position or name of a column. @returns undefined for nothing typed into a column that the sheet lacks. */
function positionOf(places: Places, at: string, text: string): number | undefined {
  if (/^\d/.test(at)) return Number(at);
  const name = columnNamed(at);
  return name === undefined || text.trim() === '' ? undefined : places.of(name);
}

async function textsOfBands(request: PageRequest, id: string, places: Places): Promise<CellEdit[]> {
  const cells: CellEdit[] = [];
  for (const [name, typed] of request.form) {
    const [, group, mark] = /^text\.([0-9a-f]{12})\.([0-9a-f]{16})$/.exec(name) ?? [];
    const text = typed.trim();
    if (group === undefined || mark === undefined || text === '') continue;
    const { position: own, column, numbers } = await findBand(request, id, group, mark);
    const lacked = columnNamed(column);
    if (own < 0 && lacked === undefined)
      throw new UseCaseError('draft_refused', 'this problem does not belong to one column');
    const position = own < 0 && lacked !== undefined ? places.of(lacked) : own;
    cells.push(...numbers.map((row) => ({ row, position, text })));
  }
  return cells;
}

async function different(request: PageRequest, id: string, typed: readonly CellEdit[]): Promise<CellEdit[]> {
  const cells: CellEdit[] = [];
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
 * The entry that was picked from a list, by the fields `p.POSITION` or `p.COLUMN`, for each of the rows.
 * @throws {UseCaseError} `draft_refused` for a position that the sheet does not have, two texts for one cell, or too many cells.
 */
export function readPicked(form: URLSearchParams, places: Places, rows: readonly number[]): CellEdit[] {
  const texts = new Map<number, string>();
  for (const [name, text] of form) {
    const found = /^p\.(\d{1,3}|[a-z_]{1,30})$/.exec(name)?.[1];
    if (found === undefined) continue;
    if (/^\d/.test(found) && !places.has(Number(found))) throw draftRefused('the sheet has no such column');
    const at = positionOf(places, found, text);
    if (at === undefined) continue;
    if (texts.has(at)) throw draftRefused('there are two texts for one cell');
    texts.set(at, lines(text));
  }
  if (rows.length * texts.size > mostPicked)
    throw draftRefused('that is too many cells at once', 'Choose fewer rows.');
  return rows.flatMap((row) => [...texts].map(([position, text]) => ({ row, position, text })));
}

/** @throws {UseCaseError} `draft_refused` if no row is ticked, or too many rows are meant. */
async function rowsTicked({ form, drafts }: PageRequest, id: string): Promise<readonly number[]> {
  const { rows: of, text } = readQuery(form);
  const rows = form.has(everyRow) ? await drafts.numbers(id, of, text) : numbersIn(form, rowTick);
  if (rows.length === 0) throw draftRefused('no row is ticked', 'Tick rows of the sheet first.');
  return rows;
}

function numbersIn(form: URLSearchParams, name: string): number[] {
  const rows = form.getAll(name).filter((row) => /^[1-9]\d{0,8}$/.test(row));
  return [...new Set(rows.slice(0, mostTicks).map(Number))];
}

/** Cells of two changes; where both have a cell, that of the second. */
export function together(first: readonly CellEdit[], second: readonly CellEdit[]): CellEdit[] {
  const placeOf = ({ row, position }: CellEdit) => `${row}.${position}`;
  const written = new Set(second.map(placeOf));
  return [...first.filter((cell) => !written.has(placeOf(cell))), ...second];
}

/** Normalizes line breaks to LF: browsers send each as CR LF, even a lone CR of the sheet. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
