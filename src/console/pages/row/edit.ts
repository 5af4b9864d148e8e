/** Edits a row: a confirmation, and the change; and takes files that are chosen for it. A failed row is retried with it. `form.ts` has the form. */

import { findCampaign } from '../../../app/campaigns/find.ts';
import {
  type EditedRow,
  editFields,
  editRow,
  isEditable,
  isResent,
} from '../../../app/campaigns/rows/edit.ts';
import { readRow, showRow } from '../../../app/campaigns/rows/show-row.ts';
import { draftRefused } from '../../../app/drafts/draft.ts';
import { findUnstartedDraft } from '../../../app/drafts/drafts.ts';
import { bringMedia } from '../../../app/drafts/files/media.ts';
import { draftOperations } from '../../../app/operations/drafts.ts';
import { rowOperations } from '../../../app/operations/rows.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { plural } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { confirmForm, costLine, costOf, done, hidden, takes } from '../../parts/form.ts';
import { rowPath, rowSubject } from '../../parts/list.ts';
import { moment } from '../../parts/numbers.ts';
import type { Picking } from '../../parts/pickers.ts';
import { askedTime, zonesOfMove } from '../../parts/row-form.ts';
import type { Answer, PageRequest } from '../../request.ts';
import { fieldPrefix, type RowFormInput, typedForLists, warning } from './form.ts';

/** Shows what an edit changes. @returns the typed texts if they cannot be taken. */
export async function askEdit(request: PageRequest): Promise<Answer | RowFormInput> {
  const { id = '', key = '' } = request.params;
  const { form: fields } = request;
  const tried = await tryEdit(request, true);
  if ('fields' in tried) return tried;
  const home = homeOf(request);
  const { changes, plan } = tried;
  const said = wordsOf(tried);
  const kept = changes.map(({ column, after }) => hidden(`${fieldPrefix}${column}`, after));
  const { cells: own, caption, row } = await readRow(request.runtime, id, key);
  const creator = creatorIn(own.find(({ column }) => column === 'creator')?.text ?? '');
  const body = html`
    <p class="about">${words(creator)} · ${words(caption)}</p>
    ${changes.length === 0 ? html`<p>No cell is changed. The row is retried as it is.</p>` : html`${zonesOfMove(fields)}${changeTable(changes)}${timeLine(request, tried)}`}
    ${plan.warnings.length === 0 ? '' : html`<ul class="points">${plan.warnings.map(warning)}</ul>`}
    ${said.isRetry ? takes(costOf(plan.takes)) : html`<p>${said.effect} <b>${costLine(costOf(plan.takes))}</b></p>`}
    ${confirmForm(request, rowPath(id, key, '/save'), home, {
      fields: html`${kept}${isAgain(fields) && hidden('again', 'yes')}${hidden('revision', fields.get('revision') ?? '')}${hidden('home', fields.get('home'))}`,
      button: said.button,
    })}`;
  return { kind: 'question', title: `${said.button} ${row.place ?? key}?`, body };
}

/** What becomes of the edited row, by what it waits for. A ready row has all it needs: it goes at once. */
const effects = {
  approval: 'Nothing is sent now. The post needs approval again.',
  day: 'Nothing is sent now. The changed post waits for its time.',
  waiting: 'The changed post is sent when its turn comes.',
  ready: 'The post goes to the service now. It cannot be taken back here.',
} as const;

const timeColumns: readonly string[] = ['scheduled_at', 'scheduled_time', 'scheduled_tz'];

/** When the post goes out, if its time is changed. */
function timeLine({ zone, now }: PageRequest, { changes, plan }: EditedRow): Html | string {
  if (!('plannedAt' in plan) || !changes.some(({ column }) => timeColumns.includes(column))) return '';
  return plan.plannedAt === undefined
    ? html`<p>It no longer has a scheduled time: it is posted as soon as it is ready.</p>`
    : html`<p>Its time: <b>${moment(plan.plannedAt, zone, now)}</b></p>`;
}

/** What the button does: a row that failed or was cancelled is retried. */
function wordsOf({ state, changes, plan }: EditedRow): {
  readonly isRetry: boolean;
  readonly button: string;
  readonly effect: string;
  readonly saved: string;
} {
  if (isResent(state)) return { isRetry: true, button: 'Save and retry', effect: '', saved: 'is retried' };
  const waitsFor = 'waitsFor' in plan ? plan.waitsFor : 'nothing';
  const isSent = waitsFor === 'nothing' && state === 'ready';
  const effect = effects[waitsFor !== 'nothing' ? waitsFor : isSent ? 'ready' : 'waiting'];
  if (isSent)
    return { isRetry: false, button: 'Save and send now', effect, saved: 'goes to the service now' };
  const isMove = changes.every(({ column }) => timeColumns.includes(column));
  const saved = waitsFor === 'approval' ? 'needs approval again' : 'waits, as changed';
  return { isRetry: false, button: isMove ? 'Move' : 'Save', effect, saved };
}

/** Saves an edit; a failed row is retried. @returns as `askEdit`. */
export async function saveEdit(request: PageRequest): Promise<Answer | RowFormInput> {
  const { id = '', key = '' } = request.params;
  const tried = await tryEdit(request, false);
  if ('fields' in tried) return tried;
  const { changes, end } = tried;
  await request.record(rowOperations.editRow, { id, key }, { changes, end: end ?? null });
  const to = homeOf(request);
  const row = rowSubject(await showRow(request.runtime, id, key));
  return end === 'posted'
    ? done(to, `${row} turned out to be posted. Nothing was changed.`, undefined, 'warning')
    : done(to, `Saved ${plural(changes.length, 'change')}. ${row} ${wordsOf(tried).saved}.`);
}

/** Where the edit began, and leads back to: the calendar, or the page of the row. */
function homeOf({ form: fields, params: { id = '', key = '' } }: PageRequest): string {
  const home = fields.get('home') ?? '';
  return /^\/calendar(?:\?|$)/.test(home) ? home : rowPath(id, key);
}

/** The fields of the form. A time of the calendar gets its offset again, and goes into two cells if the row has two. */
async function fieldsOf({ runtime, params, form }: PageRequest): Promise<URLSearchParams> {
  if (!form.has('moved') && !form.has('asked-in')) return form;
  const fields = new URLSearchParams(form);
  const [at, ofDay] = [`${fieldPrefix}scheduled_at`, `${fieldPrefix}scheduled_time`];
  const text = fields.get(at) ?? '';
  // As sheets have times, not as browsers send them.
  fields.set(at, askedTime(form, text).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/, '$1 $2'));
  if (!form.has('moved')) return fields;
  const { campaign, stored } = await readRow(runtime, params.id ?? '', params.key ?? '');
  const isApart = editFields(campaign, stored).some(
    (each) => each.column === 'scheduled_time' && each.text !== '',
  );
  const [date = '', time = ''] = (fields.get(at) ?? '').split(/[T ]/);
  if (isApart) fields.set(at, date);
  if (isApart) fields.set(ofDay, time);
  return fields;
}

/** Whether the row is to be posted although it is a post of another campaign. */
function isAgain(fields: URLSearchParams): boolean {
  return fields.get('again') === 'yes';
}

type Planned = Extract<EditedRow['plan'], { readonly kind: 'ready' }>;

/** @returns the typed texts if they have problems, or the row cannot be edited now. */
async function tryEdit(
  request: PageRequest,
  dryRun: boolean,
): Promise<(EditedRow & { readonly plan: Planned }) | RowFormInput> {
  const { runtime, params, person } = request;
  const fields = await fieldsOf(request);
  const cells = new Map<ColumnName, string>();
  for (const [name, text] of fields) {
    const column = name.startsWith(fieldPrefix) ? name.slice(fieldPrefix.length) : '';
    if (isEditable(column)) cells.set(column, text);
  }
  const { id = '', key = '' } = params;
  const revision = Number(fields.get('revision') ?? '-1');
  try {
    const edit = { campaign: id, key, revision, cells, again: isAgain(fields) };
    const edited = await editRow(runtime, edit, { dryRun, by: person.name });
    const { plan } = edited;
    return plan.kind === 'problems' ? { fields, problems: plan.problems } : { ...edited, plan };
  } catch (error) {
    if (error instanceof UseCaseError && error.code === 'edit_refused')
      return { fields, problems: [], refused: error };
    throw error;
  }
}

function changeTable(changes: EditedRow['changes']): Html {
  return html`<table><tbody>${changes.map(
    ({ name, before, after }) =>
      html`<tr><th scope="row">${words(name)}</th><td>${before === '' ? '' : html`<del>${words(before)}</del> `}${after === '' ? html`<ins>empty</ins>` : html`<ins>${words(after)}</ins>`}</td></tr>`,
  )}</tbody></table>`;
}

/** The list of a column, for the form of a row. What is typed there counts more than what is stored. */
export async function readPicking(request: PageRequest): Promise<Picking> {
  const { runtime, params, query, link } = request;
  const { id = '', key = '', what = '' } = params;
  const { campaign, stored } = await readRow(runtime, id, key);
  const texts = new Map(editFields(campaign, stored).map(({ column, text }) => [column, text]));
  const field = (column: ColumnName) => `${fieldPrefix}${column}`;
  const back = rowPath(id, key);
  return {
    request,
    what,
    text: (column) => (query.get(field(column)) ?? texts.get(column) ?? '').trim(),
    field,
    take: (picked, label, more) => {
      const fields = Object.entries(picked).map(([name, text]) => hidden(field(name as ColumnName), text));
      return html`<form method="get" action="${link(back)}" data-fill class="actions">${fields}${more?.fields ?? ''}<button>${label}</button></form>`;
    },
    path: rowPath(id, key, `/pick/${encodeURIComponent(what)}`),
    kept: typedForLists.map(field),
    pictures: rowPath(id, key, '/pictures'),
    back,
  };
}

/** Puts the files of a draft without a sheet, to which the row's page sends them, into the folder of the campaign; the draft goes. A file of the campaign is not replaced: other rows may name it. */
export async function bringFiles(request: PageRequest): Promise<Answer> {
  const { runtime, drafts, params, form, person } = request;
  const { id = '', key = '' } = params;
  const campaign = await findCampaign(runtime, id);
  const draft = await findUnstartedDraft(runtime, form.get('draft') ?? '');
  if (draft.sheet !== undefined) throw draftRefused('this draft has its own sheet');
  const isThere = await bringMedia(runtime, draft.id, campaign, person.name);
  if (!isThere)
    throw draftRefused(
      'this campaign’s files are not in the console’s folder',
      'Ask an operator to put the file into the media folder of the campaign.',
    );
  await drafts.discard(draft.id);
  await request.record(draftOperations.discardDraft, { id: draft.id }, { discarded: draft.id });
  return { kind: 'redirect', to: rowPath(id, key) };
}
