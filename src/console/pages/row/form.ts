/** The form of a row that can be edited: the field at fault first, with a suggestion, then the others by their plain names. */

import { mayDo } from '../../../app/access/roles.ts';
import { mayPass, repairOf } from '../../../app/campaigns/repair.ts';
import { type EditField, editFields, isResent, whyNotEditable } from '../../../app/campaigns/rows/edit.ts';
import type { ReadRow, ShownRow } from '../../../app/campaigns/rows/show-row.ts';
import { ownerOfMedia } from '../../../app/drafts/files/media.ts';
import { otherIdOfTitle } from '../../../app/drafts/suggestions/products.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { RowError } from '../../../ledger/states.ts';
import { type ColumnName, labelOf } from '../../../manifest/columns.ts';
import type { CellProblem } from '../../../manifest/problems/problem.ts';
import type { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { asSentence, plural, thousands } from '../../../manifest/wording.ts';
import { productUnavailableCode } from '../../../service/contract/creators.ts';
import { fixOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { notice } from '../../parts/blocks.ts';
import { form, hidden } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import { foldedFields, type RowField, type RowForm, rowField, rowFields } from '../../parts/row-form.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { retryQuestion } from './now.ts';

/** The typed texts, and their problems. */
export interface RowFormInput {
  readonly fields: URLSearchParams;
  readonly problems: readonly CellProblem[];
  /** Why the row cannot be changed, or has changed since the form was loaded. */
  readonly refused?: UseCaseError | undefined;
}

/** Before the name of a column in the name of its field. */
export const fieldPrefix = 'c.';

/** Columns on which lists depend: what is typed there is sent along. */
export const typedForLists: readonly ColumnName[] = ['creator', 'ai_model'];

/** Fields that are always visible, in this order. */
const first: readonly ColumnName[] = [
  'product_id',
  'product_title',
  'caption',
  'scheduled_at',
  'scheduled_tz',
  'creator',
  'media',
];
/** In characters, as far as a field shows its length. */
const longest: Readonly<Partial<Record<ColumnName, number>>> = { caption: 4000, product_title: 30 };

/** The column that an error is about; undefined if the row's texts are not at fault, or nobody knows which. */
function columnAtFault(
  { code, subject }: Pick<RowError, 'code' | 'subject'>,
  fields: readonly EditField[],
): ColumnName | undefined {
  if (code === String(productUnavailableCode) || code === 'showcase_refused') return 'product_id';
  if (code === 'late') return 'scheduled_at';
  if (code === 'media_cover_too_large') return 'cover';
  if (code === 'reference_without_url') return 'ai_references';
  if (code === 'generation_failed') return 'ai_prompt';
  if (!code.startsWith('media_')) return undefined;
  const named = (['media', 'cover', 'ai_references'] as const).find(
    (name) => subject && fields.some(({ column, text }) => column === name && text.includes(subject)),
  );
  return named ?? 'media';
}

/** Replaces the form on an open page. @returns undefined if the row can be edited. */
export function closedEdit(campaign: Campaign, { state }: Pick<ShownRow, 'state'>): Html | undefined {
  const why = whyNotEditable(campaign, state);
  if (why === undefined) return undefined;
  // The notice of a post says it.
  return state === 'posted'
    ? html`<section id="row-edit" hidden></section>`
    : html`<section id="row-edit" aria-label="Edit"><p class="note">${why}</p></section>`;
}

export async function editSection(request: PageRequest, read: ReadRow, typed?: RowFormInput): Promise<Html> {
  const { campaign, row } = read;
  const why = whyNotEditable(campaign, row.state);
  // Typed texts stay visible, so a live update must not replace them.
  const live = typed === undefined ? html` id="row-edit"` : '';
  const closed = typed === undefined && closedEdit(campaign, row);
  if (closed) return closed;
  if (why !== undefined || !mayDo(request, 'run')) {
    return html`<section${live} aria-label="Edit">${told(typed)}<p class="note">${why ?? `An operator can edit this row${isResent(row.state) ? ' and retry it' : ''}.`}</p>${typed === undefined ? '' : typedTexts(typed)}</section>`;
  }
  const form = await openForm(request, read, typed);
  return html`<section${live} aria-labelledby="edit"><h2 class="hidden" id="edit">${isResent(row.state) ? 'Edit and retry' : 'Edit'}</h2>
    ${told(typed)}
    ${isFolded(row, typed) ? html`<details><summary>Edit the row before the retry</summary><div class="after">${form}</div></details>` : form}
  </section>`;
}

/** Where a retry is enough, that is the one button. */
export function isFolded({ error }: ShownRow, typed: RowFormInput | undefined): boolean {
  return typed === undefined && error !== undefined && repairOf(error.code) !== 'edit';
}

async function openForm(
  request: PageRequest,
  { campaign, row, stored }: ReadRow,
  typed: RowFormInput | undefined,
): Promise<Html> {
  const path = rowPath(campaign.id, row.key);
  const fields = editFields(campaign, stored);
  const problems = problemsByField(fields, typed);
  const of = ({ column }: EditField) => problems.of.get(column) ?? [];
  const picked = ({ column }: EditField) => request.query.get(`${fieldPrefix}${column}`) ?? undefined;
  const text = (each: EditField) =>
    typed?.fields.get(`${fieldPrefix}${each.column}`) ?? picked(each) ?? each.text;
  const error = row.state === 'failed' ? row.error : undefined;
  const wrong = error === undefined ? undefined : columnAtFault(error, fields);
  const atFault = fields.find(({ column }) => column === wrong);
  // What is at fault stands alone: nobody looks for it among fifteen fields.
  const isOpen = (each: EditField) =>
    atFault === undefined
      ? first.includes(each.column) || text(each) !== '' || of(each).length > 0
      : of(each).length > 0 || text(each) !== each.text;
  const rank = ({ column }: EditField) => (first.includes(column) ? first.indexOf(column) : first.length);
  const line = (each: EditField) => fieldOf(each, text(each), of(each), each === atFault);
  const rowForm: RowForm = {
    request,
    fixText: fixOnPage,
    listPath: (list) => `${path}/pick/${list}`,
    filesFolder: (await ownerOfMedia(request.runtime, campaign)) && `row-${row.position + 1}`,
    bringPath: `${path}/files`,
    along: typedForLists.map((column) => `[id="${fieldPrefix}${column}"]`).join(),
  };
  const others = fields.filter((each) => each !== atFault);
  const open = others.filter(isOpen).sort((one, other) => rank(one) - rank(other));
  const rest = others.filter((each) => !isOpen(each)).sort((one, other) => rank(one) - rank(other));
  const offer =
    wrong === 'product_id' ? await otherIdOfTitle(request.runtime.ledger, campaign, stored) : undefined;
  const revision =
    typed?.refused === undefined ? (typed?.fields.get('revision') ?? row.revision) : row.revision;
  const body = html`${hidden('revision', revision)}
    ${atFault === undefined ? '' : html`<div class="fault" data-state="failed">${rowField(rowForm, line(atFault))}${offer && offered(offer)}</div>`}
    ${problems.others.length === 0 ? '' : html`<ul class="points">${problems.others.map(warning)}</ul>`}
    ${rowFields(rowForm, open.map(line))}
    ${problems.others.some(({ code }) => code === 'already_posted') ? html`<p><label class="tick"><input type="checkbox" name="again" value="yes"> Post it again</label></p>` : ''}
    ${foldedFields(rowForm, atFault === undefined ? `${plural(rest.length, 'more field')}: cover, music, AI, labels…` : `All ${plural(rest.length, 'other field')}`, rest.map(line))}
    <div class="bottom">
      <button class="primary">${isResent(row.state) ? 'Save and retry…' : 'Save…'}</button>
      ${error !== undefined && mayPass(error.code) && retryAsIs(request, campaign, row.key)}
      ${error === undefined ? '' : more(request, campaign, row.key, error)}
      <span class="note">You see the change before it is sent. Finished steps are kept.</span>
    </div>`;
  return html`${form(request, { path: `${path}/edit`, id: 'edit-row', className: 'fields', asks: true, body })}
    ${offer && html`<form method="get" action="${request.link(path)}" id="offer" data-fill>${hidden(`${fieldPrefix}product_id`, offer.id)}</form>`}`;
}

function problemsByField(fields: readonly EditField[], typed: RowFormInput | undefined) {
  const of = new Map<ColumnName, readonly CellProblem[]>();
  const others: CellProblem[] = [];
  for (const problem of typed?.problems ?? []) {
    const at = fields.find(({ column, name }) => problem.column === name || problem.column === column);
    if (at === undefined) others.push(problem);
    else of.set(at.column, [...(of.get(at.column) ?? []), problem]);
  }
  return { of, others };
}

/** An id that other rows have: one click takes it. */
function offered({
  id,
  title,
  rows,
}: {
  readonly id: string;
  readonly title: string;
  readonly rows: number;
}): Html {
  return html`<div class="offer">
    <div><b>${words(id)}</b><br>${words(title)} · in ${plural(rows, 'other row')}</div>
    <button form="offer">Use this ID</button>
  </div>`;
}

function retryAsIs(request: PageRequest, { id }: Campaign, key: string, className?: string): Html {
  return retryQuestion(request, id, key, 'Retry without changes…', className);
}

/** What else can be done about a failed row. Rows of a creator on hold are retried together. */
function more(request: PageRequest, campaign: Campaign, key: string, { code }: RowError): Html {
  const sheet = `/campaigns/${campaign.id}/results.xlsx?${new URLSearchParams({ only: 'failed', error: code })}`;
  return html`<details class="menu"><summary class="button bare">More…</summary><ul>
    ${repairOf(code) === 'edit' && !mayPass(code) && html`<li>${retryAsIs(request, campaign, key, '')}</li>`}
    <li><a href="${request.link(sheet)}" download>Download all rows with this cause</a></li>
  </ul></details>`;
}

/** Why nothing was saved. */
function told(typed: RowFormInput | undefined): Html | string {
  if (typed === undefined) return '';
  const { refused, problems } = typed;
  return notice(
    refused === undefined
      ? { state: 'failed', text: `${plural(problems.length, 'problem')}.`, more: 'Nothing was changed yet.' }
      : {
          state: 'failed',
          text: asSentence(refused.message),
          more: 'Nothing was changed. What you typed is below.',
        },
  );
}

/** The texts that were typed into a row that can no longer be edited. */
function typedTexts({ fields }: RowFormInput): Html {
  const texts = [...fields].filter(([name, text]) => name.startsWith(fieldPrefix) && text.trim() !== '');
  return html`<dl class="facts">${texts.map(([name, text]) => html`<dt>${words(name.slice(fieldPrefix.length))}</dt><dd>${words(text)}</dd>`)}</dl>`;
}

export function warning({ column, problem, fix }: CellProblem): Html {
  return html`<li data-state="warning">${icon('warning')}<div>${column === null ? '' : html`${words(column)}: `}${words(problem)} <small>${words(fixOnPage(fix))}</small></div></li>`;
}

function fieldOf(
  { column, name, explanation }: EditField,
  text: string,
  problems: readonly CellProblem[],
  isAtFault: boolean,
): RowField {
  const most = longest[column];
  return {
    name: `${fieldPrefix}${column}`,
    label: html`${labelOf(column)} <code>${words(name)}</code>`,
    column,
    text,
    isWrong: isAtFault || problems.length > 0,
    problems,
    note: most === undefined ? explanation : `${thousands(text.length)} of ${thousands(most)} characters.`,
  };
}
