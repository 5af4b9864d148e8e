/** One row of the draft: its cells to edit, lists to pick from, and a preview of the post. */
import { mayDo } from '../../../../app/access/roles.ts';
import { mediaSources, textIn, timeIn } from '../../../../app/drafts/check/check-view.ts';
import { draftRefused } from '../../../../app/drafts/draft.ts';
import { draftMediaFolder } from '../../../../app/drafts/folder.ts';
import { draftLookOf } from '../../../../app/drafts/pictures.ts';
import type { DraftColumn, DraftRow, PlacedProblem } from '../../../../app/drafts/view.ts';
import { choicesOf } from '../../../../manifest/cells/choices.ts';
import { isUrl } from '../../../../manifest/cells/media-source.ts';
import { type ColumnName, columns as catalogue } from '../../../../manifest/columns.ts';
import { captionMark, noteMark } from '../../../../manifest/headers/column-map.ts';
import { UseCaseError } from '../../../../manifest/problems/use-case-error.ts';
import { plural, thousands } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { questionLink, wayBack } from '../../../parts/form.ts';
import { inZoneOf, moment } from '../../../parts/numbers.ts';
import { draftPictures, preview } from '../../../parts/picture.ts';
import {
  cellProblem,
  foldedFields,
  type RowField,
  type RowForm,
  rowFields,
} from '../../../parts/row-form.ts';
import { placeName } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import type { PageRequest, Question } from '../../../request.ts';
import { outside } from '../../row/media.ts';
import {
  backPath,
  type DraftRowQuery,
  draftForm,
  draftPath,
  draftRowQuery,
  readQuery,
  type ShownDraft,
  takesMedia,
} from './draft-view.ts';
import { type Kind, readKinds, suggestedFor } from './fixes.ts';
import { againTick, columnNamed, isOfRepeat, onceTick } from './form.ts';
import { offers } from './kinds.ts';
import { rowComments } from './notes.ts';
import { meaning, zoneOf } from './times.ts';

type CatalogueColumn = (typeof catalogue)[number];

const inDraft = { fixText: fixOnDraft };

export interface ShownRow {
  readonly shown: ShownDraft;
  readonly row: DraftRow;
}

/** @throws {UseCaseError} `draft_refused` for a row that the sheet does not have. */
export async function readRow(request: PageRequest): Promise<ShownRow> {
  const { drafts, params, query, form } = request;
  const id = params.draft ?? '';
  const view = await drafts.look(id);
  const wanted = Number(params.row ?? query.get('row') ?? form.get('row') ?? '0');
  const window =
    Number.isInteger(wanted) && wanted > 0 ? await drafts.window(id, 'all', wanted - 1, 1) : undefined;
  const [row] = window?.rows ?? [];
  if (view.checked === undefined) {
    throw new UseCaseError('draft_refused', 'the sheet is being checked', {
      fix: 'Try again when the check finishes.',
    });
  }
  if (row === undefined) throw draftRefused('this row is no longer in the sheet');
  const { checked } = view;
  const at = inZoneOf(request, checked);
  return { row, shown: { request: at, view, checked, asked: readQuery(query), typed: undefined } };
}

export async function askRow(request: PageRequest): Promise<Question> {
  const { shown, row } = await readRow(request);
  const { view, checked } = shown;
  const { id } = view.draft;
  const named = checked.columns.filter(({ column }) => column !== null && column !== noteMark);
  const isShown = ({ position }: DraftColumn) =>
    (row.cells[position] ?? '') !== '' || problemsAt(row, position).length > 0 || row.edited.has(position);
  const rest = named.filter((column) => !isShown(column));
  const back = wayBack(request, backPath({ params: request.params, form: request.query }), 'Back');
  const next = nextRow(shown, row);
  const lacked = catalogue.filter(({ name }) => !checked.columns.some(({ column }) => column === name));
  const isNeeded = ({ name }: CatalogueColumn) => (row.problems ?? []).some((each) => each.column === name);
  const form: RowForm = {
    ...inDraft,
    request,
    listPath: (list) => draftPath(id, `/pick/${list}?row=${row.number}`),
    filesFolder: (await takesFiles(shown)) ? `row-${row.number}` : undefined,
  };
  const kinds = mayDo(request, 'edit') ? await kindsOf(shown, row) : [];
  const own = (column: DraftColumn) => ({
    ...fieldOf(shown, row, column),
    offers: html`${problemsAt(row, column.position).map((problem) => offered(shown, kinds, row, problem))}`,
  });
  const added = (column: CatalogueColumn) => lackedField(shown, row, column);
  const fields = mayDo(request, 'edit')
    ? draftForm(shown, {
        path: '/cells',
        className: 'fields',
        body: html`<button class="hidden" tabindex="-1" aria-hidden="true">Save</button><input type="hidden" name="row" value="${row.number}">
          ${rowFields(form, [...named.filter(isShown).map(own), ...lacked.filter(isNeeded).map(added)])}
          ${rest.length > 0 && foldedFields(form, `${thousands(rest.length)} empty`, rest.map(own))}
          ${foldedFields(form, `${plural(lacked.length, 'more field')} that the sheet does not have`, lacked.filter((column) => !isNeeded(column)).map(added))}
          <p class="actions">${back} <button class="primary">Save</button>${next === undefined ? '' : html` <button name="${nextField}" value="${next.number}" data-then="${request.link(rowPath(id, next.number, shown.asked))}">${next.label}</button>`}</p>`,
      })
    : html`<p class="actions">${back}</p>`;
  return {
    kind: 'question',
    scripts: form.filesFolder === undefined ? [] : ['uploads.js'],
    title: placeName(row),
    body: html`${beside(shown, row)}${await post(shown, row)}${await rowComments(shown, row.number)}${others(row)}${fields}${mayDo(request, 'edit') ? html`${again(shown, row)}${leave(shown, row)}` : ''}`,
  };
}

function kindsOf(shown: ShownDraft, { problems = [] }: DraftRow): Promise<readonly Kind[]> {
  const own = new Set(problems.map(({ group }) => group));
  const groups = shown.checked.groups.filter(({ id }) => own.has(id));
  return readKinds({ ...shown, checked: { ...shown.checked, groups } });
}

function offered(shown: ShownDraft, kinds: readonly Kind[], row: DraftRow, problem: PlacedProblem) {
  const kind = kinds.find(({ group }) => group.id === problem.group);
  return kind && suggestedFor(kind, row.number).length > 0 ? offers(shown, kinds, row, problem, true) : '';
}

/** Whether its media are where the console puts those that are uploaded. */
async function takesFiles(shown: ShownDraft): Promise<boolean> {
  const { request, view } = shown;
  const { id, into } = view.draft;
  const isOwn = () => view.mediaRoot === draftMediaFolder(request.runtime, id);
  return into === undefined ? isOwn() : takesMedia(shown);
}

/** Field with the number of the row to show after a change. */
const nextField = 'next';

function rowPath(id: string, row: number, asked: DraftRowQuery): string {
  return draftPath(id, `/rows/${row}${draftRowQuery(asked)}`);
}

/** The row that a change of a row leads to, if its button says so. */
export function nextPath({ params, form }: Pick<PageRequest, 'params' | 'form'>): string | undefined {
  const row = Number(form.get(nextField) ?? '0');
  return Number.isSafeInteger(row) && row > 0 ? rowPath(params.draft ?? '', row, readQuery(form)) : undefined;
}

/** After a row with a problem, the next one that has one; else the next row. */
function nextRow({ checked }: ShownDraft, { number: row, state }: DraftRow) {
  if (state === 'refused') {
    const others = checked.groups.flatMap(({ numbers }) => numbers.find((each) => each > row) ?? []);
    if (others.length > 0) return { number: Math.min(...others), label: 'Save, then the next problem' };
  }
  return row < checked.rows ? { number: row + 1, label: 'Save, then the next row' } : undefined;
}

/** Links to the rows before and after. */
function beside({ request, view, checked, asked }: ShownDraft, { number: row }: DraftRow): Html {
  const to = (other: number, label: string) =>
    other < 1 || other > checked.rows
      ? ''
      : questionLink(request, rowPath(view.draft.id, other, asked), label);
  return html`<nav class="actions" aria-label="Rows">${to(row - 1, 'Previous row')} ${to(row + 1, 'Next row')}</nav>`;
}

function problemsAt({ problems = [], warnings }: DraftRow, position: number): readonly PlacedProblem[] {
  return [...problems, ...warnings].filter((each) => each.position === position);
}

function others(row: DraftRow): Html | string {
  // A problem of a column that the sheet lacks is told at its field.
  const found = problemsAt(row, -1).filter(({ column }) => columnNamed(column) === undefined);
  if (found.length === 0) return '';
  return html`${found.map((problem) => html`<p>${cellProblem(inDraft, problem)}</p>`)}`;
}

function fieldOf(
  shown: ShownDraft,
  row: DraftRow,
  { position, title, letters, column: named }: DraftColumn,
): RowField {
  const { zone, now } = shown.request;
  const column = named === null || named === noteMark || named === captionMark ? undefined : named;
  const edited = row.edited.get(position);
  return {
    name: `c.${row.number}.${position}`,
    label: html`${words(title || letters)}${named !== null && named !== title && html` <code>${named}</code>`}`,
    column,
    text: row.cells[position] ?? '',
    choices: column && choicesFor(shown, row, column),
    isWrong: (row.problems ?? []).some((each) => each.position === position),
    problems: problemsAt(row, position),
    note: html`${edited && html`The sheet has ${edited.was === '' ? 'nothing here' : words(edited.was)}; edited by ${words(edited.by)}, ${moment(edited.at, zone, now)}.`}`,
  };
}

/** The field of a column that the sheet lacks: it is added with the text. */
function lackedField(shown: ShownDraft, row: DraftRow, { name, explanation }: CatalogueColumn): RowField {
  const problems = problemsAt(row, -1).filter((each) => each.column === name);
  return {
    name: `c.${row.number}.${name}`,
    label: html`${name}`,
    column: name,
    text: '',
    choices: choicesFor(shown, row, name),
    isWrong: problems.length > 0,
    problems,
    note: problems.length > 0 ? '' : explanation,
  };
}

function choicesFor({ checked }: ShownDraft, row: DraftRow, column: ColumnName) {
  const model = textIn(checked, row, 'ai_model');
  return choicesOf(column, model === '' ? [] : [model]);
}

/** To post the row again although another row is the same post, or not. */
function again(shown: ShownDraft, { number: row, isAgain, problems = [] }: DraftRow): Html | string {
  const isRefused = problems.some(isOfRepeat);
  if (!isAgain && !isRefused) return '';
  return draftForm(shown, {
    path: '/cells',
    body: html`<input type="hidden" name="${isAgain ? onceTick : againTick}" value="${row}"><p class="actions"><button class="plain">${isAgain ? 'Do not post this row again' : 'Post this row again'}</button></p>`,
  });
}

function leave(shown: ShownDraft, { number: row, state }: DraftRow): Html {
  const isOut = state === 'left out';
  return draftForm(shown, {
    path: isOut ? '/take-in' : '/leave-out',
    body: html`<input type="hidden" name="row" value="${row}"><p class="actions"><button class="plain">${isOut ? 'Include this row' : 'Skip this row'}</button></p>`,
  });
}

const mostMedia = 15;

/** The post as it will be: its picture or prompt, caption, product, time. */
async function post(shown: ShownDraft, row: DraftRow): Promise<Html> {
  const { request, view, checked } = shown;
  const text = (name: ColumnName) => textIn(checked, row, name);
  const prompt = text('ai_prompt');
  const made = [
    text('ai_model'),
    /^\d+$/.test(text('ai_seconds')) ? `${text('ai_seconds')} s` : text('ai_seconds'),
    text('ai_size') || text('ai_aspect_ratio'),
  ];
  const written = timeIn(checked, row);
  const zone = zoneOf(checked, row);
  const time =
    written === ''
      ? 'as soon as it is ready'
      : zone === null
        ? words(written)
        : meaning(written, zone, request.now, row.region);
  const product = [text('product_title'), text('product_id')].filter(Boolean);
  const picture = (await draftPictures(request, view, checked, [row])).get(row.number);
  const [creator, caption] = [text('creator'), text('caption')];
  return html`<section class="card" aria-label="The post as it will be">
    <div class="beside">
    ${preview(request, { picture, creator, caption, product: text('product_title'), when: '' })}
    <dl class="facts">
      ${prompt === '' ? await media(shown, row) : html`<dt>Made by AI</dt><dd>${words(made.filter(Boolean).join(', '))}<br>${words(prompt)}</dd>`}
      <dt>Creator</dt><dd>${words(creator)}</dd>
      <dt>Caption</dt><dd>${words(caption)}</dd>
      <dt>Product</dt><dd>${product.map((each, index) => html`${index === 0 ? '' : html`<br>`}${words(each)}`)}</dd>
      <dt>Time</dt><dd>${time}</dd>
    </dl>
    </div>
  </section>`;
}

/** All files of the row; each of them opens, with its length, pixels and codec. */
async function media({ request, view, checked }: ShownDraft, row: DraftRow): Promise<Html | string> {
  const files = mediaSources(checked, row)
    .slice(0, mostMedia)
    .map(async (source, index) => {
      if (isUrl(source)) return outside(source);
      const isMissing = (row.problems ?? []).some(
        ({ code, value }) => code.startsWith('media_') && value === source,
      );
      if (isMissing) return html`${icon('gone')} ${words(source)}`;
      const path = request.link(`/media/drafts/${view.draft.id}/${row.number}/${index}`);
      const look = await draftLookOf(request.runtime, view, checked, row, index);
      return html`<a href="${path}" target="_blank">${words(source)}</a>${look && html` <small>${look}</small>`}`;
    });
  const list = (await Promise.all(files)).map((file, index) => html`${index === 0 ? '' : html`<br>`}${file}`);
  return files.length === 0 ? '' : html`<dt>Media</dt><dd>${list}</dd>`;
}
