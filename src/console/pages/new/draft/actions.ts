/** Handlers of a draft's forms. Each makes one change, saves everything else that was typed on the page, and shows the page again. */

import { nameCanary } from '../../../../app/campaigns/import/canary.ts';
import { draftRefused } from '../../../../app/drafts/draft.ts';
import { findDraft } from '../../../../app/drafts/drafts.ts';
import { mayBePosted } from '../../../../app/drafts/start.ts';
import { draftOperations } from '../../../../app/operations/drafts.ts';
import { sheetOperations } from '../../../../app/operations/sheets.ts';
import { approveRules } from '../../../../manifest/campaign-options.ts';
import { ColumnMapError } from '../../../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import { plural, sentence } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';
import { statusOfError } from '../../../http/problem.ts';
import type { Answer, Notice, PageRequest } from '../../../request.ts';
import { backPath, draftPath } from './draft-view.ts';
import { suggestedEdits } from './fixes.ts';
import { bandMeant, checkedDraft, columnNamed, readFormInput, readPicked, rowsMeant } from './form.ts';
import { chosenFixes, openUse } from './open-fixes.ts';
import { showDraft, showStarted, startedBefore } from './page.ts';
import { rowsPicked } from './pick.ts';
import { readingChoice, sheetChoice } from './reading.ts';
import { nextPath } from './row.ts';
import {
  type Outcome,
  type Press,
  type ReadingChoices,
  readAs,
  saveCellsOf,
  saveColumns,
  saveEdit,
  saveFormInput,
  saveOptions,
  saveReading,
  saveRest,
  takeNotes,
  whichLines,
} from './saving.ts';
import { takeSureFurther } from './sure-fixes.ts';

/**
 * Makes a change, and saves everything else that was typed on the page. If the change is refused or comes too late, the typed texts are
 * shown again.
 * @param make makes the change. It may save typed texts; the rest of them are saved after it.
 * @param aim says in a refusal what did not happen.
 */
async function change(
  request: PageRequest,
  make: (press: Press) => Promise<Outcome>,
  aim: 'changed' | 'started' = 'changed',
): Promise<Answer> {
  const { params, form, person } = request;
  const id = params.draft ?? '';
  const version = Number(form.get('version') ?? 'none');
  try {
    const by = { by: person.name, version: Number.isInteger(version) ? version : 0 };
    const { campaign } = await findDraft(request.runtime, id);
    if (campaign !== undefined) return showStarted(request, campaign);
    // Refuses invalid texts before anything is changed.
    const press: Press = { request, id, by, typed: await readFormInput(request, id) };
    const outcome = await make(press);
    await saveRest(press);
    const told = typeof outcome === 'string' ? { text: outcome } : outcome;
    const { text, to = nextPath(request) ?? backPath(request), state = 'done', more, undo } = told;
    return { kind: 'redirect', to, notice: text === '' ? undefined : { state, text, more, undo } };
  } catch (error) {
    const { told, code } = refusalOf(error);
    const notice: Notice = {
      state: 'failed',
      text: `Nothing was ${aim}: ${sentence(told.message)}`,
      more: fixOnDraft(told.fix) || undefined,
    };
    return showDraft(request, { notice, typed: form, status: statusOfError(code) });
  }
}

/** Rethrows errors that the page cannot tell. */
function refusalOf(error: unknown) {
  if (error instanceof ColumnMapError) return { told: error, code: 'draft_refused' } as const;
  if (error instanceof UseCaseError && error.code !== 'draft_not_found')
    return { told: error, code: error.code };
  throw error;
}

async function markRows(press: Press, mark: 'leaveOut' | 'takeIn'): Promise<Outcome> {
  const rows = await rowsMeant(press.request, press.id);
  const many = plural(rows.length, 'row');
  await saveEdit(press, { [mark]: [...rows] }, `${mark === 'leaveOut' ? 'skipped' : 'included'} ${many}`);
  const text = mark === 'leaveOut' ? `${many} skipped.` : `${many} included again.`;
  return { text, more: await whichLines(press, rows) };
}

/** Adds the columns that every sheet needs, with the texts of the fields `add.COLUMN` in all rows. */
async function addColumns(press: Press): Promise<Outcome> {
  const { request, id, typed } = press;
  const { form } = request;
  const { columns } = await checkedDraft(request, id);
  // A column of the sheet that was just chosen for it wins.
  const chosen = columns.map(({ position }) => form.get(`col.${position}`));
  for (const [field, text] of form) {
    const name = field.startsWith('add.') ? columnNamed(field.slice(4)) : undefined;
    if (name !== undefined && !chosen.includes(name)) typed.places.of(name, text.trim());
  }
  const many = typed.places.added.addColumns?.columns.length ?? 0;
  if (many === 0) return 'No column was added: the sheet already has each of them.';
  await saveEdit(press, {}, `added ${plural(many, 'column')}`);
  await takeNotes(press);
  return `${plural(many, 'column')} added.`;
}

/** Saves what was typed and how the sheet is read: the plan is then another one. @returns undefined if there was nothing to save. */
async function saveBeforeStart(press: Press): Promise<Outcome | undefined> {
  const saved = await saveFormInput(press);
  const notYet = 'Nothing was started yet: look at the plan, then press Start.';
  if (saved !== undefined) return { ...saved, state: 'warning', text: `${saved.text} ${notYet}` };
  if (Object.keys(press.typed.reading).length === 0) return undefined;
  await saveReading(press, press.typed.reading);
  return { state: 'warning', text: `The sheet is read as you chose. ${notYet}` };
}

/** Saves the options of the form, and leads to the question before the start. */
async function askStart(press: Press): Promise<Outcome> {
  return (await saveBeforeStart(press)) ?? question(press);
}

function question({ request, id }: Press): Outcome {
  const skips = request.form.has('agreed') && request.form.getAll('skip').includes('yes');
  return { text: '', to: draftPath(id, `/start${skips ? '?skip=yes' : ''}`) };
}

/** Saves the options of the form, and starts the posts that its button named. */
async function start(press: Press): Promise<Outcome> {
  const saved = await saveBeforeStart(press);
  if (saved !== undefined) return saved;
  const { request, id, by, typed } = press;
  const { checked } = await request.drafts.look(id);
  const isAsked = checked === undefined || mayBePosted(checked) > 0;
  const mayPostTwice = request.form.get('sure') === 'yes';
  if (isAsked && !mayPostTwice) return question(press);
  // Chosen in the question, unless the form has all options.
  const approve = approveRules.find((rule) => rule === request.form.get('approve'));
  const options = typed.options ?? (approve && { approve });
  press.typed = { ...typed, options: undefined };
  const { form } = request;
  const rows = Number(form.get('posts') ?? 'none');
  const seen = { by: by.by, version: by.version ?? 0, rows, mayPostTwice };
  if (form.has('agreed')) {
    const update = form.get('agreed') ?? '';
    const options = { leaveOutProblems: form.getAll('skip').includes('yes') || null };
    const { campaign, left } = await request.drafts.start(id, { ...seen, update, options });
    await request.record(sheetOperations.importInto, { id: campaign.id }, {});
    const more = left ? 'The other rows wait in the draft, until you fix or discard them.' : undefined;
    const text = rows === 0 ? 'Results are written into the new sheet.' : `${plural(rows, 'row')} updated.`;
    return { text, more, to: `/campaigns/${campaign.id}` };
  }
  const { campaign, isNew } = await request.drafts.start(id, { ...seen, options });
  if (isNew) await request.record(draftOperations.startDraft, { id }, { id: campaign.id, rows });
  const text = isNew ? `Started: ${plural(rows, 'post')} of ${campaign.name}.` : startedBefore(campaign);
  return { text, to: `/campaigns/${campaign.id}` };
}

const changes: Readonly<Record<string, (press: Press) => Promise<Outcome>>> = {
  /** Accepts a suggestion, if version and rows are still those that were shown. */
  take: async (press) => {
    const { request, id } = press;
    const band = await bandMeant(request, id);
    const use = request.form.get('use') ?? '';
    const edits = await (use.startsWith(openUse)
      ? chosenFixes(request, id, use)
      : suggestedEdits(request, { id, band, use }));
    if (edits === undefined)
      throw new UseCaseError('draft_refused', 'the rows have changed, so this suggestion no longer fits', {
        fix: 'Check the current rows, then try again.',
      });
    const said = await saveCellsOf(press, press.typed.places.placed(edits));
    return use.startsWith('sure.') ? takeSureFurther(press, edits, said) : said;
  },
  /** Saves the texts that differ from the sheet, and which rows are to be posted again. */
  cells: async (press) => {
    const { options } = press.typed;
    const unchanged = 'Nothing was changed: the texts are the same.';
    return (await saveFormInput(press)) ?? (options === undefined ? unchanged : 'The options are saved.');
  },
  /** Saves the entry picked from a list, for a row or those that say the same. */
  picked: async (press) => {
    const { request, id, typed } = press;
    return saveCellsOf(press, readPicked(request.form, typed.places, await rowsPicked(request, id)));
  },
  /** Writes a text into one column of the ticked rows, or clears it. */
  fill: async (press) => {
    const { request, id } = press;
    const rows = await rowsMeant(request, id);
    const { columns } = await checkedDraft(request, id);
    const position = Number(request.form.get('fill-column') || '-1');
    if (!columns.some((each) => each.position === position))
      throw draftRefused('the sheet has no such column');
    const isCleared = request.query.has('clear');
    const text = isCleared ? '' : (request.form.get('fill-text') ?? '').trim();
    return saveCellsOf(
      press,
      rows.map((row) => ({ row, position, text })),
    );
  },
  /** Makes the ticked rows the canary. */
  canary: async (press) => {
    const { request, id, typed } = press;
    const canary = { rows: [...(await rowsMeant(request, id))] };
    press.typed = { ...typed, options: typed.options && { ...typed.options, canary } };
    await saveOptions(press, { canary });
    return `The canary is ${nameCanary(canary)}.`;
  },
  'leave-out': (press) => markRows(press, 'leaveOut'),
  /** Posts all rows of a band again. */
  again: async (press) => {
    const postAgain = [...(await rowsMeant(press.request, press.id))];
    const text = `${plural(postAgain.length, 'row')} will be posted again.`;
    await saveEdit(press, { postAgain }, 'chose which rows are posted again');
    return { text, more: await whichLines(press, postAgain) };
  },
  /** Posts the rows that the sheet's own status says are posted, cancelled, ... */
  'own-status': async (press) => {
    await readAs(press, { ownStatus: 'post' });
    return 'The rows will be posted, whatever their own status says.';
  },
  'trust-ids': async (press) => {
    await readAs(press, { trustIds: true });
    return 'The IDs are kept as they are.';
  },
  /** Posts the rows that the workbook hides or strikes through. */
  hidden: async (press) => {
    await readAs(press, { hidden: 'post' });
    return 'The rows that are hidden or struck through in the workbook will be posted.';
  },
  /** Checks also the rows that were skipped as no posts. */
  'no-posts': async (press) => {
    await readAs(press, { noPosts: 'post' });
    return 'All rows are checked, also those that do not look like posts.';
  },
  'take-in': (press) => markRows(press, 'takeIn'),
  undo: async ({ request, id, by }) => {
    await request.drafts.undo(id, by);
    await request.record(draftOperations.undoEdit, { id }, {});
    return 'The last change is undone.';
  },
  columns: saveColumns,
  'add-columns': addColumns,
  zone: async (press) => {
    const timezone = press.request.form.get('zone') ?? '';
    await saveReading(press, { ...press.typed.reading, timezone });
    return `Times without a zone use ${timezone}.`;
  },
  reading: async (press) => {
    const { form, query, drafts } = press.request;
    // Another reading has other rows, so typed cells are dropped.
    const { timezone } = press.typed.reading;
    const reading = timezone === undefined ? {} : { timezone };
    press.typed = { ...press.typed, cells: [], postAgain: [], postOnce: [], reading };
    const { draft, checked } = await drafts.look(press.id);
    const fields = ['delimiter', 'encoding', 'headerLine']
      .filter((name) => form.has(name) || query.has(name))
      .map((name) => [name, readingChoice(name, query.get(name) ?? form.get(name) ?? '')] as const);
    const choices: ReadingChoices = Object.fromEntries(fields);
    const sheets = query.has('sheet') ? query.getAll('sheet') : form.getAll('sheet');
    const chosen = sheetChoice(sheets, draft.reading, checked?.sheets);
    // Further sheets have the same headers, so the columns stay.
    const isSame = chosen.stays && (choices.headerLine ?? undefined) === draft.reading.headerLine;
    const { map: own } = draft.reading;
    const map = isSame && own !== undefined ? { map: own } : {};
    await readAs(press, { ...choices, ...chosen.choice, ...map });
    return 'The sheet is read again.';
  },
  options: async () => 'The options are saved.',
  ask: askStart,
  start,
  check: async ({ request, id }) => {
    await request.carryOut(draftOperations.checkDraft, { id });
    return 'The sheet is checked again.';
  },
};

/** The changes of a draft's page, by the last part of their addresses. */
export const draftChanges = Object.entries(changes).map(([name, make]) => ({
  name,
  right: name === 'start' || name === 'ask' ? ('run' as const) : ('edit' as const),
  handle: (request: PageRequest) => change(request, make, name === 'start' ? 'started' : 'changed'),
}));
