/** What the sheet suggests for each kind of problem, and what one press takes of it: everything that nobody needs to choose. */

import { createHash } from 'node:crypto';
import type { CellEdit } from '../../../../app/campaigns/import/edit.ts';
import type { Suggestion } from '../../../../app/drafts/suggestions/suggestion.ts';
import type { DraftRow, PlacedProblem, ProblemGroup } from '../../../../app/drafts/view.ts';
import type { Choices } from '../../../../manifest/cells/choices.ts';
import { isOpenTime } from '../../../../manifest/cells/time-faults.ts';
import { shortened } from '../../../../manifest/printable.ts';
import type { PageRequest } from '../../../request.ts';
import { choicesOfBand } from './columns.ts';
import { rowsMark, type ShownDraft, takesMedia } from './draft-view.ts';
import { isOfRepeat } from './form.ts';

/** Most kinds that are listed, and whose suggestions one press takes. */
export const kindsListed = 50;
/** Most rows of one press, because they are checked again at once. */
const mostRows = 500;

/** A kind of problem: all rows that have the same one. */
export interface Kind {
  readonly group: ProblemGroup;
  /** `rowsMark` of the group; buttons for all its rows send it back. */
  readonly mark: string;
  readonly suggestions: readonly Suggestion[];
  /** What may stand in its column, for all its rows. */
  readonly choices: Choices | undefined;
  /** Whether its missing files can be added. */
  readonly takesMedia: boolean;
}

/** @param rows those that are shown: their kinds are read, too. */
export async function readKinds(
  shown: Pick<ShownDraft, 'request' | 'view' | 'checked'>,
  rows: readonly DraftRow[] = [],
): Promise<readonly Kind[]> {
  const { request, view, checked } = shown;
  const ofRows = new Set(rows.flatMap(({ problems = [] }) => problems.map(({ group }) => group)));
  const kinds: Kind[] = [];
  const takes = await takesMedia(shown);
  // Read one after the other, because their rows may be very long.
  for (const [index, group] of checked.groups.entries()) {
    if (index >= kindsListed && !ofRows.has(group.id)) continue;
    const [suggestions, choices] = await Promise.all([
      request.drafts.suggestions(view.draft.id, group.id),
      choicesOfBand(shown, group),
    ]);
    kinds.push({ group, mark: rowsMark(group), suggestions, choices, takesMedia: takes });
  }
  return kinds;
}

/** The suggestions for a row, without those that write the same. */
export function suggestedFor({ suggestions }: Kind, row: number): readonly Suggestion[] {
  const marks = new Map<string, Suggestion>();
  for (const each of suggestions) {
    const own = each.edits.filter((edit) => edit.row === row);
    // The more general one stands first.
    if (own.length > 0) marks.set(editsMark(own), each);
  }
  return [...marks.values()];
}

export interface SureFixes {
  readonly edits: readonly CellEdit[];
  readonly rows: readonly number[];
  readonly many: number;
  /** How many of them each column has. */
  readonly parts: readonly SurePart[];
}

interface SurePart {
  readonly position: number;
  readonly many: number;
}

/** Rows for which suggestions contradict each other are left out, and those for which a person chooses. */
export function sureFixes(all: readonly Kind[]): SureFixes {
  const kinds = all.slice(0, kindsListed);
  const suggested = kinds.flatMap(({ group, suggestions }) =>
    suggestions.map((each) => ({ ...each, of: `${group.code} ${group.position}` })),
  );
  // One text for several different ones is hardly right for each.
  const guesses = Map.groupBy(
    suggested.filter(({ guessFor }) => guessFor !== undefined),
    ({ of, edits }) => `${of} ${edits[0]?.text}`,
  );
  const isOfOne = ({ of, guessFor, edits }: (typeof suggested)[number]) =>
    guessFor === undefined ||
    new Set(guesses.get(`${of} ${edits[0]?.text}`)?.map((each) => each.guessFor)).size === 1;
  const fixes = suggested.flatMap((each) =>
    [...Map.groupBy(each.edits, ({ row }) => row)].map(([row, edits]) => ({
      row,
      edits,
      of: `${each.of} ${row}`,
      position: edits[0]?.position ?? -1,
      isSure: each.confidence !== undefined && isOfOne(each),
    })),
  );
  const taken = new Map<string, CellEdit>();
  const rows = new Set<number>();
  const positions: number[] = [];
  for (const same of Map.groupBy(fixes, ({ of }) => of).values()) {
    const [first] = same;
    const isOne = new Set(same.map(({ edits }) => editsMark(edits))).size === 1;
    if (first === undefined || !isOne || !same.every(({ isSure }) => isSure)) continue;
    const places = first.edits.map(({ row, position }) => `${row}.${position}`);
    if (places.some((place) => taken.has(place)) || (rows.size >= mostRows && !rows.has(first.row))) continue;
    for (const [index, edit] of first.edits.entries()) taken.set(places[index] ?? '', edit);
    rows.add(first.row);
    positions.push(first.position);
  }
  return {
    edits: [...taken.values()],
    rows: [...rows].sort((one, other) => one - other),
    many: positions.length,
    parts: [...Map.groupBy(positions, (each) => each)].map(([position, same]) => ({
      position,
      many: same.length,
    })),
  };
}

/** The rows that are wrong in the same way as those that were fixed just now. */
export interface Kin {
  readonly values: readonly string[];
  readonly edits: readonly CellEdit[];
}

/** Most kinds of problems of a column that are looked at. */
const mostOfColumn = 10;

export async function readKin(
  shown: Pick<ShownDraft, 'request' | 'view' | 'checked'>,
): Promise<Kin | undefined> {
  const { request, view, checked } = shown;
  const { id } = view.draft;
  const edits = new Map<string, CellEdit>();
  const values = new Set<string>();
  for (const [position, texts] of await readFixed(shown)) {
    const groups = checked.groups.filter((group) => group.position === position);
    for (const group of groups.slice(0, mostOfColumn)) {
      const { rows } = await request.drafts.window(id, group.id, 0, mostRows);
      for (const { number: row, cells } of rows) {
        const value = cells[position] ?? '';
        const text = texts.get(value);
        if (text === undefined) continue;
        edits.set(`${row}.${position}`, { row, position, text });
        values.add(value);
      }
    }
  }
  return edits.size === 0 ? undefined : { values: [...values], edits: [...edits.values()] };
}

/** What the last change put in place of wrong texts, by column and text. @returns without texts that became different ones, or are wrong still. */
async function readFixed({ request, view }: Pick<ShownDraft, 'request' | 'view'>) {
  const fixed = new Map<number, Map<string, string | undefined>>();
  for (const [number, cells] of Map.groupBy(view.edits.last?.cells ?? [], ({ row }) => row)) {
    const [row] = (await request.drafts.window(view.draft.id, 'all', number - 1, 1)).rows;
    for (const { position, text } of cells) {
      const was = row?.edited.get(position)?.was ?? '';
      if (was === '') continue;
      const texts = fixed.get(position) ?? new Map<string, string | undefined>();
      const isOther = texts.has(was) && texts.get(was) !== text;
      const isWrong = row?.problems?.some((each) => each.position === position) ?? false;
      fixed.set(position, texts.set(was, isOther || isWrong ? undefined : text));
    }
  }
  return fixed;
}

/** Identifies what a button writes, so that it never writes what it did not show. 16 hexadecimal digits. */
export function editsMark(edits: readonly CellEdit[]): string {
  const all = edits.map(({ row, position, text }) => [row, position, text]);
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

interface Use {
  /** Of the draft. */
  readonly id: string;
  readonly band: ProblemGroup | undefined;
  /** Id of a suggestion of the band, with `.ROW` for one row of it; `sure.` or `kin.` and the mark of what is written. */
  readonly use: string;
}

/** What a button has shown; undefined if the sheet no longer suggests it. */
export async function suggestedEdits(
  request: PageRequest,
  { id, band, use }: Use,
): Promise<readonly CellEdit[] | undefined> {
  if (band !== undefined) {
    const all = await request.drafts.suggestions(id, band.id);
    const [, of, row] = /^(.+)\.(\d{1,9})$/.exec(use) ?? [];
    const edits = all.find((each) => each.id === use)?.edits;
    return edits ?? all.find((each) => each.id === of)?.edits.filter((edit) => edit.row === Number(row));
  }
  const view = await request.drafts.look(id);
  if (view.checked === undefined) return undefined;
  const shown = { request, view, checked: view.checked };
  const [of, mark] = use.split('.');
  const { edits = [] } = (of === 'kin' ? await readKin(shown) : sureFixes(await readKinds(shown))) ?? {};
  return edits.length > 0 && editsMark(edits) === mark ? edits : undefined;
}

/** How a kind is fixed, in a few words. @param picker label of the list to pick from. */
export function readingOf(kind: Kind, picker: string | undefined): string {
  const { group, suggestions, choices } = kind;
  if (isOpenTime(group.problem)) return 'hold, or type it';
  const [first, ...others] = group.numbers.slice(0, 1).flatMap((row) => suggestedFor(kind, row));
  if (first === undefined) {
    if (group.code === 'zoneless_time') return 'choose the time zone';
    if (postsAll.has(group.code)) return 'skip or post: you choose';
    if (isOfRepeat(group)) return 'skip or post again: you choose';
    if (suggestions.length > 0) return 'suggestions for some rows';
    if (group.code === 'media_missing' && group.value !== '' && kind.takesMedia)
      return 'add the files, or type it';
    if (picker !== undefined || choices !== undefined) return 'choose from a list';
    return 'type it';
  }
  if (isForLater.has(group.code)) return 'skip or change it: you choose';
  if (others.length > 0) return `${others.length === 1 ? 'two' : others.length + 1} readings: you choose`;
  if (first.confidence === undefined) return 'one suggestion: you choose';
  return first.confidence === 'sure' ? 'one sure fix' : 'one suggestion: check it';
}

/** Problems of rows that may not be meant to be posted yet, or not here. */
export const isForLater: ReadonlySet<string> = new Set(['row_differs', 'remark_holds']);

/** Problems of rows that may not be meant, with the action that posts all of them. */
export const postsAll: ReadonlyMap<string, string> = new Map([
  ['own_status', '/own-status'],
  ['row_hidden', '/hidden'],
  ['row_struck', '/hidden'],
]);

/** Longest text on a button, in UTF-16 units. */
const longestOffer = 60;

/** The text that a suggestion writes; its label if it clears something. */
export function offerText(
  { edits, label }: Suggestion,
  row: number,
  { position, value }: Pick<PlacedProblem, 'position' | 'value'>,
): string {
  const own = edits.filter((edit) => edit.row === row);
  const isHere = own.some((edit) => edit.position === position && edit.text !== '');
  const text = own
    .map((edit) => edit.text)
    .join(' ')
    .trim();
  if (!isHere) return label.replace(/(?:,| in) \d+ rows?$/, '');
  const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)[T ]?(.*)$/.exec(text) ?? [];
  if (date !== '') {
    const year = value.includes(date.slice(0, 4)) ? '' : ` ${date.slice(0, 4)}`;
    return `${dayAndMonth.format(new Date(date))}${year}${time === '' ? '' : `, ${time}`}`;
  }
  return shortened(text, longestOffer);
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
