/** The rows of the sheet: with problems, with warnings, all, or left out. */

import { mayDo } from '../../../../app/access/roles.ts';
import type { DraftSheet } from '../../../../app/drafts/download.ts';
import type {
  DraftColumn,
  DraftRow,
  DraftWindow,
  PlacedProblem,
  WindowOf,
} from '../../../../app/drafts/view.ts';
import { plural, thousands } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { hidden, select } from '../../../parts/form.ts';
import { indexPager, tabs } from '../../../parts/list.ts';
import { draftPictures } from '../../../parts/picture.ts';
import { bar, icon } from '../../../parts/state.ts';
import { aboutColumns, action, draftPath, isReady, rowsPath, type ShownDraft } from './draft-view.ts';
import { type Kind, readKinds, sureFixes } from './fixes.ts';
import { everyRow, isOfRepeat, tickedRows } from './form.ts';
import { kindHead, kindsTold, lineBelow, offers, rail } from './kinds.ts';
import { sheetProblems } from './sheet-problems.ts';
import { sheetRow, sheetTable } from './sheet-table.ts';
import { fixBar } from './sure-fixes.ts';

/** Rows on a page of the grid, and of the sheet. */
const rowsOfGrid = 20;
const rowsShown = 50;

/** How many rows are ready, what is to be fixed, and the rows that were asked for; and the bar with what one press fixes. */
export async function problemsSection(
  given: ShownDraft,
): Promise<{ problems: Html; fixes: Html | string; hasSure: boolean }> {
  const { shown, page } = isGrid(given)
    ? await readPage(given, rowsOfGrid)
    : { shown: given, page: undefined };
  const { checked } = shown;
  const kinds = await readKinds(shown, page?.rows);
  const above = kindsTold(kinds, page?.rows ?? [], shown.asked.rows);
  const body = page === undefined ? await rows(shown) : await grid(shown, { kinds, above, page });
  const title = html`<h2 id="problems">${titleOf(shown)}</h2>`;
  const fixes = html`${ticked(shown)}${await fixBar(shown, kinds)}`;
  const hasSure = sureFixes(kinds).many > 0;
  if (isReady(shown)) {
    const problems = html`<section aria-labelledby="problems"><div class="notice" data-state="done"><div class="actions">${icon('posted')}${title}<span class="note">${readyRows(shown)}</span></div>${views(shown)}</div></section>`;
    return { problems, fixes, hasSure };
  }
  const problems = html`<section aria-labelledby="problems">
    ${checked.rows === 0 ? title : ''}${sheetProblems(shown)}
    ${checked.rows === 0 ? '' : html`<div class="bench"><div class="rail">${title}${ready(shown)}${kinds.length > 0 && rail(shown, kinds, above.told)}</div><div><div class="section">${views(shown)}${page === undefined ? keys(shown) : fixNext(shown)}</div>${body}</div></div>`}
    ${downloads(shown)}
  </section>`;
  return { problems, fixes, hasSure };
}

/** The page that was asked for; the last one if that lies behind it, because rows were fixed meanwhile. */
async function readPage(shown: ShownDraft, each: number): Promise<{ shown: ShownDraft; page: DraftWindow }> {
  const { request, view, asked } = shown;
  const read = (page: number) => request.drafts.window(view.draft.id, asked.rows, page * each, each);
  const page = await read(asked.page);
  const last = Math.max(0, Math.ceil(page.total / each) - 1);
  if (asked.page <= last) return { shown, page };
  return { shown: { ...shown, asked: { ...asked, page: last } }, page: await read(last) };
}

/** Whether only rows at fault are shown, with their fixes. */
function isGrid({ checked, asked }: ShownDraft): boolean {
  return asked.rows === 'problems' || checked.groups.some(({ id }) => id === asked.rows);
}

/** How a script lets cells be edited. */
function keys({ request }: ShownDraft): Html | string {
  if (!mayDo(request, 'edit')) return '';
  return html`<p class="note scripted">Choose a cell and type. <span class="keys"><kbd>Enter</kbd> saves, <kbd>Tab</kbd> moves on, <kbd>Esc</kbd> cancels. Paste a block from Excel or Sheets: up to 500 rows. <kbd>Ctrl D</kbd> fills the ticked rows, or copies the cell above; <kbd>Ctrl Z</kbd> undoes.</span></p>`;
}

/** Of an update, rows that are neither sent nor at fault stay as they are in the campaign. */
function readyRows({ checked: { accepted, refused, leftOut, warned, rows }, view }: ShownDraft): Html {
  const isNew = view.draft.into === undefined;
  const unchanged = rows - leftOut - accepted - refused;
  const others = [
    ...(!isNew && unchanged > 0 ? [`${thousands(unchanged)} unchanged`] : []),
    ...(warned > 0 ? [`${plural(warned, 'row')} with warnings`] : []),
    ...(leftOut > 0 ? [`${thousands(leftOut)} skipped`] : []),
  ];
  const of = isNew
    ? `of ${plural(rows - leftOut, 'row')} ready`
    : `${accepted === 1 ? 'row' : 'rows'} to send`;
  return html`<b>${thousands(accepted)}</b> ${of}${others.map((each) => ` · ${each}`)}`;
}

/** The figure, and its bar: of the rows that are not skipped. They are not counted while the sheet as a whole has a problem. */
function ready(shown: ShownDraft): Html | string {
  const { accepted, refused, leftOut, rows, blocking } = shown.checked;
  if (blocking.length > 0) return '';
  const posts = rows - leftOut;
  const parts = [
    ['done', accepted],
    ['failed', refused],
  ] as const;
  return html`<p class="sum">${readyRows(shown)}</p>
    ${bar(parts, posts, `${plural(posts, 'row')}: ${thousands(accepted)} ready, ${thousands(refused)} to fix`)}`;
}

/** Leads to the next problem; a script also does so by its key. */
function fixNext(shown: ShownDraft): Html | string {
  const { checked, request } = shown;
  if (checked.refused === 0 || !mayDo(request, 'edit')) return '';
  return html`<p class="actions"><span class="opt">Type in a cell and press Enter.</span><a class="button" id="fix-next" href="#problems" aria-keyshortcuts="F8">Fix next <kbd>F8</kbd></a><button ${action(shown, '/cells')}>Save the cells</button></p>`;
}

/** The field that searches the rows. Its form stands outside of the page's form. */
function search({ asked }: ShownDraft): Html {
  return html`<p class="actions after"><label class="seek">${icon('search')}<input type="search" name="q" form="${findForm}" value="${asked.text}" dir="auto" maxlength="200" placeholder="Find in the sheet" aria-label="Find in the sheet"></label> <button class="bare" form="${findForm}">Search</button></p>`;
}

const findForm = 'find';

/** The form of the search, which is sent alone: a search changes nothing. */
export function searchForm({ request, view, asked }: ShownDraft): Html | string {
  if (asked.rows === 'problems') return '';
  const path = request.link(draftPath(view.draft.id));
  return html`<form id="${findForm}" method="get" action="${path}">${hidden('rows', asked.rows)}</form>`;
}

/** What is done with the rows that are ticked, or with all that are asked for. */
function ticked(shown: ShownDraft): Html | string {
  const { checked, asked, typed } = shown;
  if (!mayDo(shown.request, 'edit') || isGrid(shown)) return '';
  const named = checked.columns.map(
    ({ position, title, letters }) => [String(position), title || letters] as const,
  );
  const { rows, warned, leftOut } = checked;
  const many = asked.rows === 'all' ? rows : asked.rows === 'warnings' ? warned : leftOut;
  const all = asked.text === '' ? `All ${plural(many, 'row')}` : 'All rows that match';
  return html`<div class="fixbar ticked" role="group" aria-label="The ticked rows">
    <label><input type="checkbox" name="${everyRow}" value="yes"> ${all}, also on other pages</label>
    <div class="actions"><button ${action(shown, `/leave-out?${tickedRows}`)}>Skip</button>
    <button ${action(shown, `/take-in?${tickedRows}`)}>Include again</button>
    <button ${action(shown, `/canary?${tickedRows}`)}>Post first (canary)</button>
    ${select('Column', 'fill-column', named, typed?.get('fill-column') ?? undefined)}
    <input name="fill-text" value="${typed?.get('fill-text') ?? ''}" dir="auto" aria-label="Text for the ticked rows">
    <button ${action(shown, `/fill?${tickedRows}`)}>Write</button>
    <button ${action(shown, `/fill?${tickedRows}&clear=yes`)}>Clear</button></div>
  </div>`;
}

export function downloads({ request, view, checked }: ShownDraft): Html {
  const { draft, edits } = view;
  const to = (which: DraftSheet, label: string) =>
    html`<a href="${request.link(draftPath(draft.id, `/sheet/${which}`))}">${label}</a>`;
  const own = html`Your own file stays ${to('original', 'as it is')}.`;
  const edited = edits.last === undefined ? '' : html` Or download ${to('edited', 'the edited sheet')}.`;
  if (checked.refused === 0) return html`<p class="note after">${own}${edited}</p>`;
  const problems = to('problems', 'download the sheet with the problems written beside the rows');
  return html`<p class="note after">${mayDo(request, 'edit') ? 'Fix them here, skip them, or' : 'An editor can fix them here. You can'} ${problems}.${edited} ${own}</p>`;
}

function titleOf({ checked: { refused, groups, rows, leftOut, blocking }, asked }: ShownDraft): string {
  if (asked.rows === 'all') return `The whole sheet, ${plural(rows, 'row')}`;
  if (asked.rows === 'warnings') return 'Rows with warnings';
  if (asked.rows === 'left-out') return `${plural(leftOut, 'row')} skipped`;
  if (blocking.length > 0 && refused === 0) {
    const others = blocking.filter(({ code }) => !aboutColumns.has(code)).length;
    return others === 0
      ? 'The columns are not clear yet'
      : `${plural(others, 'problem')} of the sheet as a whole`;
  }
  if (refused === 0) return 'Nothing to fix';
  return `${plural(refused, 'row')} to fix, ${plural(groups.length, 'kind')} of problem`;
}

function views(shown: ShownDraft): Html {
  const { request, view, checked, asked } = shown;
  const all: readonly (readonly [rows: WindowOf, label: string, many: number])[] = [
    ...(isReady(shown) ? [] : [['problems', 'With problems', checked.refused] as const]),
    ['warnings', 'Warnings', checked.warned],
    ['all', 'Whole sheet', checked.rows],
    ...(checked.leftOut > 0 ? [['left-out', 'Skipped', checked.leftOut] as const] : []),
  ];
  const path = (rows: WindowOf) => request.link(rowsPath(view.draft.id, rows));
  return tabs(
    'Which rows',
    all.map(([rows, label, many]) => [`${label} ${thousands(many)}`, path(rows), asked.rows === rows]),
  );
}

/** The rows at fault, each cell with its problem in place. */
async function grid(
  shown: ShownDraft,
  {
    kinds,
    above: { told, isOfTold, isTold },
    page: { rows, total },
  }: {
    readonly kinds: readonly Kind[];
    readonly above: ReturnType<typeof kindsTold>;
    readonly page: DraftWindow;
  },
): Promise<Html> {
  const { request, view, checked } = shown;
  const pictures = await draftPictures(request, view, checked, rows);
  const lines = (columns: readonly DraftColumn[]) => {
    const isBelow = (problem: PlacedProblem) =>
      isOfRepeat(problem) || !columns.some(({ position }) => position === problem.position);
    return html`<tbody>${rows.map((row) => {
      const { problems: mark = [], number: line } = row;
      const own = (problem: PlacedProblem) =>
        isBelow(problem) ? '' : offers(shown, kinds, row, problem, isOfTold(problem));
      const below = mark
        .filter((each) => isBelow(each) && (isOfRepeat(each) || !isTold(each)))
        .map((each) => lineBelow(shown, kinds, row, each, columns.length + 1, isOfTold(each)));
      return html`${sheetRow(shown, columns, row, { mark, offers: own, isTold, picture: pictures.get(line) })}${below}`;
    })}</tbody>`;
  };
  if (rows.length === 0) return html``;
  return html`${told.length > 0 && html`<ul class="card causes">${told.map((kind) => kindHead(shown, kind))}</ul>`}${sheetTable(shown, { of: 'problems', rows, className: 'grid' }, lines)}${pager(shown, total, rowsOfGrid, 'rows')}`;
}

async function rows(shown: ShownDraft): Promise<Html> {
  const { request, view, checked, asked } = shown;
  const { id } = view.draft;
  const of = asked.rows;
  const all = html`<a href="${request.link(rowsPath(id, 'all'))}">The whole sheet</a>`;
  const read = async () => {
    if (asked.text === '') {
      const { shown: there, page } = await readPage(shown, rowsShown);
      return { found: page.rows, pages: pager(there, page.total, rowsShown, 'rows') };
    }
    const sought = { text: asked.text, after: asked.page, count: rowsShown };
    const { rows: found, next } = await request.drafts.search(id, of, sought);
    const more = next === undefined ? '' : request.link(rowsPath(id, of, next, asked.text));
    const pages = html`<p class="actions after">${more === '' ? '' : html`<a class="button" href="${more}">Continue searching</a> `}${all}</p>`;
    return { found, pages };
  };
  const { found, pages } = await read();
  if (found.length === 0) {
    if (asked.text !== '') return html`${search(shown)}<p>No row has ${words(asked.text)} here.</p>${pages}`;
    return html`<p>No rows are left here. ${all}</p>`;
  }
  const marked = ({ problems = [], warnings }: DraftRow) =>
    of === 'left-out' ? problems : [...problems, ...warnings];
  const pictures = await draftPictures(request, view, checked, found);
  const lines = (columns: readonly DraftColumn[]) =>
    html`<tbody>${found.map((row) => sheetRow(shown, columns, row, { mark: marked(row), isTicked: true, picture: pictures.get(row.number) }))}</tbody>`;
  return html`${search(shown)}${sheetTable(shown, { of: 'problems', rows: found, className: 'ticks' }, lines)}${pages}`;
}

/** @param each number of things on a page. */
function pager({ request, view, asked }: ShownDraft, total: number, each: number, noun: string) {
  const address = (from: number) => request.link(rowsPath(view.draft.id, asked.rows, from / each));
  return indexPager('Pages', { from: asked.page * each, each, total, noun }, ['Back', 'Next'], address);
}
