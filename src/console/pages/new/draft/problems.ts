/** The rows of the sheet: with problems, with warnings, all, or left out. */

import type { DraftSheet } from '../../../../app/drafts/download.ts';
import type { CellEdit } from '../../../../app/drafts/edits.ts';
import type { DraftColumn, DraftRow, ProblemGroup, WindowOf } from '../../../../app/drafts/view.ts';
import { capitalized, sentence } from '../../../../manifest/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { hidden, mayChange, select } from '../../../parts/form.ts';
import { indexPager, tabs } from '../../../parts/list.ts';
import { count, number } from '../../../parts/numbers.ts';
import { draftPictures } from '../../../parts/picture.ts';
import { placeName } from '../../../parts/sheets.ts';
import { bar, icon } from '../../../parts/state.ts';
import { allOfKind, type Band, bandSection } from './bands.ts';
import { choicesOfBand } from './choices.ts';
import { tickedRows } from './form.ts';
import { sheetRow, sheetTable } from './sheet-table.ts';
import { aboutColumns, action, draftPath, rowsMark, rowsPath, type ShownDraft } from './shown.ts';

/** Bands on a page, and rows of each band. */
const bandsShown = 20;
const rowsOfBand = 3;
/** Rows on a page of the sheet. */
const rowsShown = 50;

/** How many rows are ready, what is to be fixed, and the rows that were asked for. */
export async function problemsSection(shown: ShownDraft): Promise<Html> {
  const { checked, asked } = shown;
  const body = asked.rows === 'problems' ? await bands(shown) : await rows(shown, asked.rows);
  return html`<section aria-labelledby="problems">
    ${ready(shown)}
    ${blocking(shown)}
    <div class="section after"><p>${downloads(shown)}${undo(shown)}</p>${fixNext(shown)}${views(shown)}</div>
    ${checked.rows === 0 ? '' : body}
  </section>`;
}

/** The figure, and its bar. Rows are not counted while the sheet as a whole has a problem. */
function ready(shown: ShownDraft): Html {
  const { accepted, refused, leftOut, warned, rows, blocking } = shown.checked;
  const others = [
    ...(warned > 0 ? [`${count(warned, 'row')} with warnings`] : []),
    ...(leftOut > 0 ? [`${number(leftOut)} skipped`] : []),
  ];
  const title = html`<h2 id="problems">${titleOf(shown)}</h2>`;
  if (rows === 0 || blocking.length > 0) return html`<div class="section">${title}</div>`;
  const parts = [
    ['done', accepted],
    ['failed', refused],
    ['cancelled', leftOut],
  ] as const;
  return html`<div class="hero"><p class="figure">${number(accepted)}<small>of ${count(rows, 'row')} ready</small></p><div class="eta">${title}${others.length > 0 && html`<p>${others.join(' · ')}</p>`}</div></div>
    ${bar(parts, rows, `${count(rows, 'row')}: ${number(accepted)} ready, ${number(refused)} to fix, ${number(leftOut)} skipped`)}`;
}

/** Leads to the next problem; a script also does so by its key. */
function fixNext(shown: ShownDraft): Html | string {
  const { checked, asked } = shown;
  const [first] = checked.groups.slice(asked.page * bandsShown);
  if (first === undefined || asked.rows !== 'problems' || !mayChange(shown.request)) return '';
  return html`<a class="button" id="fix-next" href="#band-${first.id}" aria-keyshortcuts="F8">Fix next <kbd>F8</kbd></a>`;
}

/** The field that searches the rows. Its form stands outside of the page's form. */
function search({ asked }: ShownDraft): Html {
  return html`<p class="actions after"><label>Find in the sheet <input type="search" name="q" form="${findForm}" value="${asked.text}" dir="auto" maxlength="200"></label> <button form="${findForm}">${icon('search')}Search</button></p>`;
}

/** Id of the form that searches. */
const findForm = 'find';

/** The form of the search, which is sent alone: a search changes nothing. */
export function searchForm({ request, view, asked }: ShownDraft): Html | string {
  if (asked.rows === 'problems') return '';
  const path = request.link(draftPath(view.draft.id));
  return html`<form id="${findForm}" method="get" action="${path}">${hidden('rows', asked.rows)}</form>`;
}

/** What can be done with the rows that are ticked. */
function ticked(shown: ShownDraft): Html | string {
  if (!mayChange(shown.request)) return '';
  const { columns } = shown.checked;
  const named = columns.map(({ position, title, letters }) => [String(position), title || letters] as const);
  return html`<div class="actions after" role="group" aria-label="The ticked rows">
    <button ${action(shown, `/leave-out?${tickedRows}`)}>Skip the ticked rows</button>
    <button ${action(shown, `/take-in?${tickedRows}`)}>Include them again</button>
    <button ${action(shown, `/canary?${tickedRows}`)}>Post them first (canary)</button>
    ${select('or write into', 'fill-column', named, shown.typed?.get('fill-column') ?? undefined)}
    <input name="fill-text" value="${shown.typed?.get('fill-text') ?? ''}" dir="auto" aria-label="Text for the ticked rows">
    <button ${action(shown, `/fill?${tickedRows}`)}>Write it</button>
  </div>`;
}

function downloads({ request, view, checked }: ShownDraft): Html {
  const { draft, edits } = view;
  const to = (which: DraftSheet, label: string) =>
    html`<a href="${request.link(draftPath(draft.id, `/sheet/${which}`))}">${label}</a>`;
  const own = html`Your own file stays ${to('original', 'as it is')}.`;
  const edited = edits.last === undefined ? '' : html` Or download ${to('mended', 'the edited sheet')}.`;
  if (checked.refused === 0) return html`${own}${edited}`;
  const problems = to('problems', 'download the sheet with the problems written beside the rows');
  return html`${mayChange(request) ? 'Fix them here, skip them, or' : 'An operator can fix them here. You can'} ${problems}.${edited} ${own}`;
}

/** It stands in the page's form, but never first there: Enter presses the first button. */
function undo(shown: ShownDraft): Html | false {
  return (
    shown.view.edits.last !== undefined &&
    mayChange(shown.request) &&
    html` <button ${action(shown, '/undo')} class="plain">Undo the last change</button>`
  );
}

function titleOf({ checked: { refused, groups, rows, leftOut, blocking }, asked }: ShownDraft): string {
  if (asked.rows === 'all') return `The whole sheet, ${count(rows, 'row')}`;
  if (asked.rows === 'warnings') return 'Rows with warnings';
  if (asked.rows === 'left-out') return `${count(leftOut, 'row')} skipped`;
  if (blocking.length > 0 && refused === 0) {
    const others = blocking.filter(({ code }) => !aboutColumns.has(code)).length;
    return others === 0
      ? 'The columns are not clear yet'
      : `${count(others, 'problem')} of the sheet as a whole`;
  }
  if (refused === 0) return 'Nothing to fix';
  return `${count(refused, 'row')} to fix, ${count(groups.length, 'kind')} of problem`;
}

function views({ request, view, checked, asked }: ShownDraft): Html {
  const all: readonly (readonly [rows: WindowOf, label: string, many: number])[] = [
    ['problems', 'With problems', checked.refused],
    ['warnings', 'Warnings', checked.warned],
    ['all', 'Whole sheet', checked.rows],
    ...(checked.leftOut > 0 ? [['left-out', 'Skipped', checked.leftOut] as const] : []),
  ];
  const path = (rows: WindowOf) => request.link(rowsPath(view.draft.id, rows));
  return tabs(
    'Which rows',
    all.map(([rows, label, many]) => [`${label} ${number(many)}`, path(rows), asked.rows === rows]),
  );
}

/** Problems of the sheet as a whole. Those that the table of the columns solves are one. */
function blocking(shown: ShownDraft): Html | string {
  const { checked, request } = shown;
  if (checked.blocking.length === 0) return '';
  const others = checked.blocking.filter(({ code }) => !aboutColumns.has(code));
  const point = (problem: string, cure: Html) =>
    html`<li data-state="failed">${icon('failed')}<div><b>${words(sentence(problem))}</b><p>${cure}</p></div></li>`;
  return html`<ul class="points">${
    others.length === checked.blocking.length
      ? ''
      : point(
          capitalized(columnsAtFault(checked)),
          html`Say below what each column is. <a href="#columns">Columns</a>`,
        )
  }${others
    .slice(0, bandsShown)
    .map(({ code, problem, cure, ...place }) =>
      code === 'results_sheet' && mayChange(request)
        ? point(
            problem,
            html`<button ${action(shown, '/files/done')}>See what it would change in its campaign</button>`,
          )
        : point(`${placeName(place)}: ${problem}`, html`${words(sentence(cureOnDraft(cure)))}`),
    )}</ul>`;
}

/** `2 columns are not clear: Wer, Was; missing: creator, media`. */
function columnsAtFault({ blocking: all }: ShownDraft['checked']): string {
  const missing = all.filter(({ code }) => code === 'missing_column');
  const open = all.filter(({ code }) => aboutColumns.has(code) && code !== 'missing_column');
  const list = (of: typeof all) => {
    const names = of.map(({ column }) => column ?? '');
    const more = names.length - namesShown;
    return `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`;
  };
  return [
    ...(open.length > 0
      ? [`${count(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} not clear: ${list(open)}`]
      : []),
    ...(missing.length > 0 ? [`missing: ${list(missing)}`] : []),
  ].join('; ');
}

const namesShown = 8;

/** The groups whose bands a page shows. */
function groupsOf({ checked, asked: { rows, page } }: Pick<ShownDraft, 'checked' | 'asked'>) {
  return rows === 'problems'
    ? checked.groups.slice(page * bandsShown, (page + 1) * bandsShown)
    : checked.groups.filter(({ id }) => id === rows);
}

/** What the button for all suggestions of a kind writes. @param group one of that kind. */
export async function suggestedOnPage(
  shown: ShownDraft,
  { code, position }: ProblemGroup,
): Promise<readonly CellEdit[]> {
  const groups = groupsOf(shown).filter((each) => each.code === code && each.position === position);
  const [first] = groups;
  return first === undefined ? [] : allOfKind(await readBands(shown, groups), first);
}

async function readBands(shown: ShownDraft, groups: readonly ProblemGroup[]): Promise<readonly Band[]> {
  const found: Band[] = [];
  // Read one after the other, because their rows may be very long.
  for (const group of groups) found.push(await readBand(shown, group, rowsOfBand));
  return found;
}

async function bands(shown: ShownDraft): Promise<Html> {
  const { checked } = shown;
  const groups = groupsOf(shown);
  const found = await readBands(shown, groups);
  if (found.length === 0) return html``;
  const pages = pager(shown, checked.groups.length, bandsShown, 'kinds of problem');
  return html`${await sections(shown, found)}${pages}`;
}

async function readBand(shown: ShownDraft, group: ProblemGroup, most: number, page = 0): Promise<Band> {
  const { request, view } = shown;
  const { id } = view.draft;
  const [{ rows }, suggestions, choices] = await Promise.all([
    request.drafts.window(id, group.id, page * most, most),
    request.drafts.suggestions(id, group.id),
    choicesOfBand(shown, group),
  ]);
  return { group, mark: rowsMark(group), suggestions, rows, choices, isWhole: most > rowsOfBand };
}

async function sections(shown: ShownDraft, found: readonly Band[]): Promise<readonly Html[]> {
  const all = found.flatMap((band) => band.rows);
  const pictures = await draftPictures(shown.request, shown.view, shown.checked, all);
  return found.map((band) => bandSection(shown, found, band, pictures));
}

async function rows(shown: ShownDraft, of: WindowOf): Promise<Html> {
  const { request, view, checked, asked } = shown;
  const group = checked.groups.find(({ id }) => id === of);
  if (group !== undefined) {
    const band = await readBand(shown, group, rowsShown, asked.page);
    return html`${await sections(shown, [band])}${pager(shown, group.count, rowsShown, 'rows')}`;
  }
  const { id } = view.draft;
  const from = asked.page * rowsShown;
  const all = html`<a href="${request.link(rowsPath(id, 'all'))}">The whole sheet</a>`;
  const read = async () => {
    if (asked.text === '') {
      const { rows: found, total } = await request.drafts.window(id, of, from, rowsShown);
      return { found, pages: pager(shown, total, rowsShown, 'rows') };
    }
    const sought = { text: asked.text, after: asked.page, count: rowsShown };
    const { rows: found, next } = await request.drafts.search(id, of, sought);
    const more = next === undefined ? '' : request.link(rowsPath(id, of, next, asked.text));
    const pages = html`<p class="actions after">${more === '' ? '' : html`<a class="button" href="${more}">Search on</a> `}${all}</p>`;
    return { found, pages };
  };
  const { found, pages } = await read();
  if (found.length === 0) {
    if (asked.text !== '') return html`${search(shown)}<p>No row has ${words(asked.text)} here.</p>${pages}`;
    return html`<p>No row is here any more. ${all}</p>`;
  }
  const marked = ({ problems = [], warnings }: DraftRow) =>
    of === 'left-out' ? problems : [...problems, ...warnings];
  const pictures = await draftPictures(request, view, checked, found);
  const lines = (columns: readonly DraftColumn[]) =>
    html`<tbody>${found.map((row) => sheetRow(shown, columns, row, { mark: marked(row), isTicked: true, picture: pictures.get(row.number) }))}</tbody>`;
  return html`${search(shown)}${sheetTable(shown, { of: 'problems', rows: found, className: 'ticks' }, lines)}${ticked(shown)}${pages}`;
}

/** @param each number of things on a page. */
function pager({ request, view, asked }: ShownDraft, total: number, each: number, noun: string) {
  const address = (from: number) => request.link(rowsPath(view.draft.id, asked.rows, from / each));
  return indexPager('Pages', { from: asked.page * each, each, total, noun }, ['Back', 'Next'], address);
}
