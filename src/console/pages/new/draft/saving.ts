/** Saves what was typed on the page of a draft: with the change of a button, or alone. */

import { type CellEdit, type Edit, rowsOf } from '../../../../app/campaigns/import/edit.ts';
import type { Draft } from '../../../../app/drafts/draft.ts';
import { type Change, unlessChanged } from '../../../../app/drafts/drafts.ts';
import type { OpenDrafts } from '../../../../app/drafts/open-drafts.ts';
import { type RememberedReading, rememberReading } from '../../../../app/drafts/remembered-columns.ts';
import type { DraftRow, DraftView } from '../../../../app/drafts/view.ts';
import { draftOperations } from '../../../../app/operations/drafts.ts';
import { noteMark } from '../../../../manifest/headers/column-map.ts';
import { shortened } from '../../../../manifest/printable.ts';
import { describePlaces } from '../../../../manifest/problems/problem.ts';
import { capitalized, plural } from '../../../../manifest/wording.ts';
import type { Notice, PageRequest } from '../../../request.ts';
import { idsToAdd } from './columns.ts';
import { draftPath, pageForm } from './draft-view.ts';
import { checkedDraft, type DraftFormInput, openProposals, takenAll, together } from './form.ts';

export interface Press {
  readonly request: PageRequest;
  readonly id: string;
  readonly by: Change;
  typed: DraftFormInput;
  /** The draft right after its last edit. */
  edited?: Draft | undefined;
}

export type ReadingChoices = Parameters<OpenDrafts['read']>[2];
type OptionChoices = Parameters<OpenDrafts['choose']>[2];

type Said = Pick<Notice, 'text' | 'more' | 'undo'>;

export type Outcome = string | (Pick<Notice, 'text'> & Partial<Notice> & { readonly to?: string });

/** Saves an edit together with all typed cells and ticks. @param own the edit; its cells win over typed ones. */
export async function saveEdit(press: Press, own: Edit, what: string): Promise<DraftView> {
  const { request, id, by, typed } = press;
  const { cells, postAgain, postOnce, places } = typed;
  press.typed = { ...typed, cells: [], postAgain: [], postOnce: [] };
  const edit = { postAgain, postOnce, ...own, ...places.added, cells: together(cells, own.cells ?? []) };
  const view = await request.drafts.edit(id, by, edit, what);
  press.edited = view.draft;
  await request.record(draftOperations.editDraft, { id, ...edit }, {});
  return view;
}

export async function saveOptions({ request, id, by }: Press, options: OptionChoices): Promise<void> {
  await request.drafts.choose(id, by, options);
  await request.record(draftOperations.changeDraftOptions, { id }, {});
}

export async function readAs({ request, id, by }: Press, reading: ReadingChoices): Promise<void> {
  await request.drafts.read(id, by, reading);
  await request.record(draftOperations.changeReading, { id }, {});
}

/** Saves what the change has not. It names no version, because the change has checked it. */
export async function saveRest(press: Press): Promise<void> {
  const { by, typed } = press;
  const { options, reading, places: _places, ...edit } = typed;
  const later = { ...press, by: { ...by, version: undefined } };
  const rows = rowsOf(edit).size;
  if (rows > 0) await saveEdit(later, {}, `edited ${plural(rows, 'row')}`);
  if (options !== undefined) await saveOptions(later, options);
  if (Object.keys(press.typed.reading).length > 0) await saveReading(later, press.typed.reading);
}

const longestValue = 40;

export function briefly(text: string): string {
  return shortened(text, longestValue);
}

const mostNamed = 5;

/** Names rows by their lines in the file, as a sentence. */
export async function whichLines(
  press: Pick<Press, 'request' | 'id'>,
  rows: readonly number[],
): Promise<string> {
  const lines = await linesOf(press, rows);
  return `${lines.startsWith('line') ? capitalized(lines) : lines}.`;
}

export async function linesOf(
  { request, id }: Pick<Press, 'request' | 'id'>,
  rows: readonly number[],
): Promise<string> {
  const all = [...new Set(rows)];
  const found: DraftRow[] = [];
  for (const row of all.slice(0, mostNamed)) {
    found.push(...(await request.drafts.window(id, 'all', row - 1, 1)).rows);
  }
  return describePlaces(found, all.length - found.length);
}

/** A check of the whole sheet may have begun: what the one before has found is no longer true. */
export function leftToFix({ checked, rowsRead }: Pick<DraftView, 'checked' | 'rowsRead'>): string {
  if (checked === undefined || rowsRead !== undefined) return 'The sheet is being checked.';
  return checked.refused === 0 ? 'No problems left.' : `${plural(checked.refused, 'row')} left to fix.`;
}

/** Saves cells. @param own the cells that the button changes; the form may have others that were typed elsewhere on the page. */
export async function saveCellsOf(press: Press, own: CellEdit[]): Promise<Said> {
  const cells = together(press.typed.cells, own);
  const [all, meant] = [rowsOf({ cells }).size, rowsOf({ cells: own }).size];
  const view = await saveEdit(press, { cells: own }, `edited ${plural(all, 'row')}`);
  const also = all === meant ? '' : `, and ${plural(all - meant, 'row')} that you typed into`;
  const text = `${plural(meant, 'row')} edited${also}. ${leftToFix(view)}`;
  return {
    text,
    more: await whichLines(
      press,
      cells.map(({ row }) => row),
    ),
    undo: { label: 'Undo', path: draftPath(press.id, '/undo'), form: pageForm },
  };
}

/** Saves typed cells and ticks. @returns undefined if there are none. */
export async function saveFormInput(press: Press): Promise<Said | undefined> {
  const { cells, postAgain, postOnce } = press.typed;
  if (postAgain.length + postOnce.length === 0) {
    return cells.length === 0 ? undefined : saveCellsOf(press, cells);
  }
  const text = [
    ...(postAgain.length > 0 ? [`${plural(postAgain.length, 'row')} will be posted again.`] : []),
    ...(postOnce.length > 0 ? [`${plural(postOnce.length, 'row')} will not be posted again.`] : []),
  ].join(' ');
  await saveEdit(press, {}, 'chose which rows are posted again');
  return { text, more: await whichLines(press, [...postAgain, ...postOnce]) };
}

/** Times that proposals are taken after each other, and how long the check may take between them, in milliseconds. */
const mostRounds = 3;
const longestMs = 10_000;

export async function saveColumns(press: Press): Promise<Outcome> {
  const { form, drafts } = press.request;
  const { draft } = await drafts.look(press.id);
  const addsIds = idsToAdd(await checkedDraft(press.request, press.id), form) !== undefined;
  await saveReading(press, { map: draft.reading.map ?? {}, ...press.typed.reading });
  return takenAll(form) === undefined ? 'The columns are saved.' : takeFurther(press, addsIds);
}

/** Takes what all proposals have made possible. @param addsIds whether their button says that it adds a column for ids. @returns what was done. */
export async function takeFurther(press: Press, addsIds: boolean): Promise<Outcome> {
  const isAdded = await addIds(press);
  await takeNotes(press);
  if (isAdded === undefined && addsIds)
    return {
      state: 'warning',
      text: 'The columns are saved, but product_id is not added: the check is still running.',
      more: 'Add it when the check has ended.',
    };
  return `The columns are saved${isAdded ? ', and product_id is added' : ''}.`;
}

/** Adds the column for the ids that another worksheet has. @returns whether it did; undefined if the check takes too long. */
async function addIds(press: Press): Promise<boolean | undefined> {
  const { request, id, by } = press;
  const { checked } = await request.drafts.look(id, { waitMs: longestMs });
  if (checked === undefined) return undefined;
  if (idsToAdd(checked, new URLSearchParams()) === undefined) return false;
  const columns = [{ name: 'product_id' as const, text: '' }];
  const addColumns = { at: checked.columns.length, columns };
  await saveEdit({ ...press, by: { ...by, version: undefined } }, { addColumns }, 'added 1 column');
  return true;
}

/** Takes the notes that a press has made possible: they are told only once all is found that a post needs. People see any other proposal first. */
export async function takeNotes(press: Press): Promise<void> {
  const { request, id, by } = press;
  for (let round = 0; round < mostRounds; round += 1) {
    const { draft, checked } = await request.drafts.look(id, { waitMs: longestMs });
    const chosen = draft.reading.map ?? {};
    const notes = openProposals(checked?.columns ?? [], new URLSearchParams()).flatMap(
      ({ title, proposal }) =>
        proposal?.column === noteMark && !Object.hasOwn(chosen, title) ? [[title, noteMark] as const] : [],
    );
    if (notes.length === 0) return;
    const map = { ...chosen, ...Object.fromEntries(notes) };
    // A change by somebody else counts: the next round looks at it.
    await unlessChanged(saveReading({ ...press, by: { ...by, version: draft.version } }, { map }));
  }
}

/** Saves which columns are which, the zone, or both; and remembers them for sheets with these headers. */
export async function saveReading(press: Press, chosen: RememberedReading): Promise<void> {
  const { request, id, by } = press;
  const { drafts, form, runtime } = request;
  press.typed = { ...press.typed, reading: {} };
  const { checked, edits, draft } = await drafts.look(id);
  await readAs(press, chosen);
  const titles = (checked?.columns ?? []).map(({ title }) => title);
  const own = titles.slice(0, titles.length - edits.columns);
  const { map, timezone } = chosen;
  const { headerLine } = draft.reading;
  const remembered = { ...(form.get('remember') === 'yes' && { map, headerLine }), timezone };
  if (checked !== undefined) await rememberReading(runtime, own, by.by, remembered);
}
