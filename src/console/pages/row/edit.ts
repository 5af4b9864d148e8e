/** Edits a row and sends it again: the form, a confirmation, and the change. */
import {
  type EditedRow,
  type EditField,
  editFields,
  editRow,
  isEditable,
  whyNotEditable,
} from '../../../campaigns/rows/edit.ts';
import { type ReadRow, readRow, type ShownRow } from '../../../campaigns/rows/show-row.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import type { CellProblem } from '../../../manifest/problems/problem.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../../runtime/wording.ts';
import { cureOnPage } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { notice } from '../../parts/blocks.ts';
import { confirmForm, costOf, done, form, hidden, mayChange, takes } from '../../parts/form.ts';
import { count, number } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Answer, PageRequest } from '../../request.ts';
import { type Picking, pickers } from '../pickers.ts';

/** The typed texts, and their problems. */
export interface Typed {
  readonly fields: URLSearchParams;
  readonly problems: readonly CellProblem[];
  /** Why the row cannot be changed, or has changed since the form was loaded. */
  readonly refused?: UseCaseError | undefined;
}

const prefix = 'c.';
/** Fields that are always visible. */
const first: readonly ColumnName[] = [
  'creator',
  'media',
  'caption',
  'product_id',
  'product_title',
  'scheduled_at',
  'scheduled_time',
  'scheduled_tz',
];
const longestCaption = 4000;
/** Longer texts get a text area. */
const longestLine = 80;

/** Shows what an edit changes. @returns the typed texts if they cannot be taken. */
export async function askEdit(request: PageRequest): Promise<Answer | Typed> {
  const { id = '', key = '' } = request.params;
  const { form: fields } = request;
  const tried = await tryEdit(request, true);
  if ('fields' in tried) return tried;
  const { changes, plan } = tried;
  const kept = changes.map(({ column, after }) => hidden(`${prefix}${column}`, after));
  const body = html`
    ${changes.length === 0 ? html`<p>No cell is changed. The row is retried as it is.</p>` : changeTable(changes)}
    ${plan.warnings.length === 0 ? '' : html`<ul class="points">${plan.warnings.map(warning)}</ul>`}
    ${takes(costOf(plan.takes))}
    ${confirmForm(request, rowPath(id, key, '/save'), rowPath(id, key), {
      fields: html`${kept}${isAgain(fields) && hidden('again', 'yes')}${hidden('revision', fields.get('revision') ?? '')}`,
      back: 'Back',
      button: 'Save and retry',
    })}`;
  return { kind: 'question', title: `Save and retry ${key}?`, section: '/campaigns', body };
}

/** Saves an edit, and sends the row again. @returns as `askEdit`. */
export async function saveEdit(request: PageRequest): Promise<Answer | Typed> {
  const { id = '', key = '' } = request.params;
  const tried = await tryEdit(request, false);
  if ('fields' in tried) return tried;
  const { changes, end } = tried;
  const to = rowPath(id, key);
  return end === 'posted'
    ? done(to, `Row ${key} turned out to be posted. Nothing was changed.`, undefined, 'warning')
    : done(to, `Saved ${count(changes.length, 'change')}. Row ${key} is retried.`);
}

/** Whether the row is to be posted although it is a post of another campaign. */
function isAgain(fields: URLSearchParams): boolean {
  return fields.get('again') === 'yes';
}

type Planned = Extract<EditedRow['plan'], { readonly kind: 'ready' }>;

/** @returns the typed texts if they have problems, or the row cannot be edited now. */
async function tryEdit(
  { runtime, params, form: fields, person }: PageRequest,
  dryRun: boolean,
): Promise<(EditedRow & { readonly plan: Planned }) | Typed> {
  const cells = new Map<ColumnName, string>();
  for (const [name, text] of fields) {
    const column = name.startsWith(prefix) ? name.slice(prefix.length) : '';
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

function warning({ column, problem, cure }: CellProblem): Html {
  return html`<li data-state="warning">${icon('warning')}<div>${column === null ? '' : html`${words(column)}: `}${words(problem)} <small>${words(cureOnPage(cure))}</small></div></li>`;
}

/** The list of a column, for the form of a row. What is typed there counts more than what is stored. */
export async function readPicking(request: PageRequest): Promise<Picking> {
  const { runtime, params, query, link } = request;
  const { id = '', key = '', what = '' } = params;
  const { campaign, stored } = await readRow(runtime, id, key);
  const texts = new Map(editFields(campaign, stored).map(({ column, text }) => [column, text]));
  const field = (column: ColumnName) => `${prefix}${column}`;
  const back = rowPath(id, key);
  return {
    request,
    what,
    account: campaign.account,
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

/** Columns on which lists depend: what is typed there is sent along. */
const typedForLists: readonly ColumnName[] = ['creator', 'ai_model'];

function pickLink({ link }: PageRequest, campaign: Campaign, key: string, column: ColumnName): Html | string {
  const picker = pickers[column];
  if (picker === undefined) return '';
  const path = link(rowPath(campaign.id, key, `/pick/${picker.path}`));
  const along = typedForLists.map((each) => `#field-${each}`).join();
  return html` <a href="${path}" hx-get="${path}" hx-include="${along}" hx-target="#question" hx-swap="innerHTML">${picker.label}</a>`;
}

/** Replaces the form on an open page. @returns undefined if the row can be edited. */
export function closedEdit(campaign: Campaign, { state }: Pick<ShownRow, 'state'>): Html | undefined {
  const why = whyNotEditable(campaign, state);
  if (why === undefined) return undefined;
  return html`<section id="row-edit" aria-labelledby="edit">${sectionHead()}<p class="note">${why}</p></section>`;
}

function sectionHead(more: Html | string = ''): Html {
  return html`<div class="section"><h2 id="edit">Edit and retry</h2>${more}</div>`;
}

/** The form, or why the row cannot be edited. */
export function editSection(request: PageRequest, { campaign, row, stored }: ReadRow, typed?: Typed): Html {
  const why = whyNotEditable(campaign, row.state);
  // Typed texts stay visible, so a live update must not replace them.
  const live = typed === undefined ? html` id="row-edit"` : '';
  if (why !== undefined || !mayChange(request)) {
    return html`<section${live} aria-labelledby="edit">${sectionHead()}${told(typed)}<p class="note">${why ?? 'An operator can edit this row and retry it.'}</p>${typed === undefined ? '' : typedTexts(typed)}</section>`;
  }
  const head = sectionHead(html`<p>Steps that are done and still right are not repeated.</p>`);
  const fields = editFields(campaign, stored);
  const problems = new Map<string, CellProblem[]>();
  for (const problem of typed?.problems ?? []) {
    const name = problem.column ?? '';
    problems.set(name, [...(problems.get(name) ?? []), problem]);
  }
  const of = ({ column, name }: EditField) => problems.get(name) ?? problems.get(column) ?? [];
  const shown = new Set(fields.flatMap((each) => of(each)));
  const others = (typed?.problems ?? []).filter((problem) => !shown.has(problem));
  const picked = ({ column }: EditField) => request.query.get(`${prefix}${column}`) ?? undefined;
  const isFirst = (each: EditField) =>
    first.includes(each.column) || (picked(each) ?? each.text) !== '' || of(each).length > 0;
  const rest = fields.filter((each) => !isFirst(each));
  const line = (each: EditField) =>
    field(
      each,
      typed?.fields.get(`${prefix}${each.column}`) ?? picked(each) ?? each.text,
      of(each),
      pickLink(request, campaign, row.key, each.column),
    );
  const body = html`<input type="hidden" name="revision" value="${typed?.refused === undefined ? (typed?.fields.get('revision') ?? row.revision) : row.revision}">
    ${others.length === 0 ? '' : html`<ul class="points">${others.map(warning)}</ul>`}
    ${fields.filter(isFirst).map(line)}
    ${others.some(({ code }) => code === 'already_posted') ? html`<p><label><input type="checkbox" name="again" value="yes"> Post it again</label></p>` : ''}
    <details><summary>${count(rest.length, 'more field')}: music, cover, label …</summary>${rest.map(line)}</details>
    <p class="actions"><button class="primary">Save and retry…</button> <span class="note">You see the change before it is sent.</span></p>`;
  return html`<section${live} aria-labelledby="edit">${head}
    ${told(typed)}
    ${form(request, { path: rowPath(campaign.id, row.key, '/edit'), className: 'fields', body })}
  </section>`;
}

/** Why nothing was saved. */
function told(typed: Typed | undefined): Html | string {
  if (typed === undefined) return '';
  const { refused, problems } = typed;
  return notice(
    refused === undefined
      ? { state: 'failed', text: `${count(problems.length, 'problem')}.`, more: 'Nothing was changed yet.' }
      : {
          state: 'failed',
          text: sentence(capitalized(refused.message)),
          more: 'Nothing was changed. What you typed is below.',
        },
  );
}

/** The texts that were typed into a row that can no longer be edited. */
function typedTexts({ fields }: Typed): Html {
  const texts = [...fields].filter(([name, text]) => name.startsWith(prefix) && text.trim() !== '');
  return html`<dl class="facts">${texts.map(([name, text]) => html`<dt>${words(name.slice(prefix.length))}</dt><dd>${words(text)}</dd>`)}</dl>`;
}

function field(
  { column, name, explanation }: EditField,
  text: string,
  problems: readonly CellProblem[],
  pick: Html | string,
): Html {
  const id = `field-${column}`;
  const told = `${id}-note`;
  const invalid = problems.length === 0 ? '' : html` aria-invalid="true"`;
  const isLong =
    column === 'caption' || column === 'ai_prompt' || text.length > longestLine || /[\r\n]/.test(text);
  // Browsers drop the first line feed in a text area.
  const input = isLong
    ? html`<textarea id="${id}" name="${prefix}${column}" rows="3" dir="auto" aria-describedby="${told}"${invalid}>
${text}</textarea>`
    : html`<input id="${id}" name="${prefix}${column}" value="${text}" dir="auto" aria-describedby="${told}"${invalid}>`;
  const length =
    column === 'caption' ? `${number(text.length)} of ${number(longestCaption)} characters. ` : '';
  const wrong = problems.map(
    ({ problem, cure }) => html`<span class="fault">${words(problem)}.</span> ${words(cureOnPage(cure))} `,
  );
  return html`<p><label for="${id}">${words(name)}</label>${input}<small id="${told}">${wrong}${length}${explanation}${pick}</small></p>`;
}
