/** The rows of the sheet: with problems, with warnings, all, or left out. */
import type { DraftSheet } from '../../../../drafts/download.ts';
import type { DraftColumn, DraftRow, ProblemGroup, WindowOf } from '../../../../drafts/view.ts';
import { sentence } from '../../../../runtime/wording.ts';
import { cureOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { indexPager } from '../../../parts/address.ts';
import { section, tabs } from '../../../parts/blocks.ts';
import { mayChange } from '../../../parts/form.ts';
import { count, number } from '../../../parts/numbers.ts';
import { icon } from '../../../parts/state.ts';
import { type Band, bandBody } from './bands.ts';
import { sheetRow, sheetTable } from './sheet-table.ts';
import { aboutColumns, action, draftPath, rowsMark, rowsPath, type ShownDraft } from './shown.ts';

/** Bands on a page, and rows of each band. */
const bandsShown = 20;
const rowsOfBand = 3;
/** Rows on a page of the sheet. */
const rowsShown = 50;

export async function problemsSection(shown: ShownDraft): Promise<Html> {
  const { checked, asked } = shown;
  const body = asked.rows === 'problems' ? await bands(shown) : await rows(shown, asked.rows);
  return html`<section aria-labelledby="problems">
    <div class="section"><h2 id="problems">${titleOf(shown)}</h2>${views(shown)}</div>
    ${blocking(shown)}
    <p class="note">${downloads(shown)}</p>
    ${undo(shown)}
    ${checked.rows === 0 ? '' : body}
  </section>`;
}

function downloads({ request, view, checked }: ShownDraft): Html {
  const { draft, mends } = view;
  const to = (which: DraftSheet, label: string) =>
    html`<a href="${request.link(draftPath(draft.id, `/sheet/${which}`))}">${label}</a>`;
  const own = html`Your own file stays ${to('original', 'as it is')}.`;
  const mended = mends.last === undefined ? '' : html` Or download ${to('mended', 'the edited sheet')}.`;
  if (checked.refused === 0) return html`${own}${mended}`;
  const problems = to('problems', 'download the sheet with the problems written beside the rows');
  return html`${mayChange(request) ? 'Fix them here, skip them, or' : 'An operator can fix them here. You can'} ${problems}.${mended} ${own}`;
}

function titleOf({ checked: { refused, groups, rows, leftOut, blocking }, asked }: ShownDraft): string {
  if (asked.rows === 'all') return `The whole sheet, ${count(rows, 'row')}`;
  if (asked.rows === 'warnings') return 'Rows with warnings';
  if (asked.rows === 'left-out') return `${count(leftOut, 'row')} skipped`;
  if (blocking.length > 0 && refused === 0)
    return `${count(blocking.length, 'problem')} of the sheet as a whole`;
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

/** Problems of the sheet as a whole. */
function blocking({ checked }: ShownDraft): Html | string {
  if (checked.blocking.length === 0) return '';
  return html`<ul class="points">${checked.blocking
    .slice(0, bandsShown)
    .map(
      ({ line, problem, cure, code }) =>
        html`<li data-state="failed">${icon('failed')}<div><b>Line ${number(line)}: ${words(sentence(problem))}</b><p>${words(aboutColumns.get(code) ?? sentence(cureOnDraft(cure)))}${aboutColumns.has(code) ? html` <a href="#columns">Columns</a>` : ''}</p></div></li>`,
    )}</ul>`;
}

function undo(shown: ShownDraft): Html | string {
  const { request, view } = shown;
  const { last, rows, leftOut } = view.mends;
  if (last === undefined) return '';
  const changed = [
    ...(rows > 0 || leftOut === 0 ? [`${count(rows, 'row')} edited`] : []),
    ...(leftOut > 0 ? [`${count(leftOut, 'row')} skipped`] : []),
  ];
  const what = html`<p>${changed.join(', ')} here; the last change is by ${words(last.by)}.</p>`;
  if (!mayChange(request)) return what;
  return html`<div class="section">${what}<p class="actions"><button ${action(shown, '/undo')} class="plain">Undo the last change</button></p></div>`;
}

async function bands(shown: ShownDraft): Promise<Html> {
  const { checked, asked } = shown;
  const groups = checked.groups.slice(asked.page * bandsShown, (asked.page + 1) * bandsShown);
  const found: Band[] = [];
  // Read one after the other, because their rows may be very long.
  for (const group of groups) found.push(await readBand(shown, group, rowsOfBand));
  if (found.length === 0) return html``;
  const pages = pager(shown, checked.groups.length, bandsShown, 'kinds of problem');
  return html`${table(shown, found)}${pages}`;
}

async function readBand(shown: ShownDraft, group: ProblemGroup, most: number, page = 0): Promise<Band> {
  const { request, view } = shown;
  const { id } = view.draft;
  const [{ rows }, suggestions] = await Promise.all([
    request.drafts.window(id, group.id, page * most, most),
    request.drafts.suggestions(id, group.id),
  ]);
  return { group, mark: rowsMark(group), suggestions, rows, isWhole: most > rowsOfBand };
}

function table(shown: ShownDraft, found: readonly Band[]): Html {
  const rows = found.flatMap((band) => band.rows);
  return sheetTable(shown, rows, (columns) => found.map((band) => bandBody(shown, columns, band)), ' narrow');
}

async function rows(shown: ShownDraft, of: WindowOf): Promise<Html> {
  const { request, view, checked, asked } = shown;
  const group = checked.groups.find(({ id }) => id === of);
  if (group !== undefined) {
    const band = await readBand(shown, group, rowsShown, asked.page);
    return html`${table(shown, [band])}${pager(shown, group.count, rowsShown, 'rows')}`;
  }
  const from = asked.page * rowsShown;
  const { rows: found, total } = await request.drafts.window(view.draft.id, of, from, rowsShown);
  if (found.length === 0)
    return html`<p>No row is here any more. <a href="${request.link(rowsPath(view.draft.id, 'all'))}">The whole sheet</a></p>`;
  const marked = ({ problems = [], warnings }: DraftRow) =>
    of === 'left-out' ? problems : [...problems, ...warnings];
  const lines = (columns: readonly DraftColumn[]) =>
    html`<tbody>${found.map((row) => sheetRow(shown, columns, row, { mark: marked(row) }))}</tbody>`;
  return html`${sheetTable(shown, found, lines)}${pager(shown, total, rowsShown, 'rows')}`;
}

/** @param each number of things on a page. */
function pager({ request, view, asked }: ShownDraft, total: number, each: number, noun: string) {
  const address = (from: number) => request.link(rowsPath(view.draft.id, asked.rows, from / each));
  return indexPager('Pages', { from: asked.page * each, each, total, noun }, ['Back', 'Next'], address);
}

export function warningsSection({ request, view, checked }: ShownDraft): Html {
  const { warnings, warned } = checked;
  if (warnings.length === 0) return html`<div id="draft-warnings"></div>`;
  const items = warnings.slice(0, bandsShown).map((group) => {
    const { id, count: rows, problem, value, cure } = group;
    const path = request.link(rowsPath(view.draft.id, id));
    return html`<li data-state="warning">${icon('warning')}<div><b>${count(rows, 'row')}: ${words(sentence(problem))}</b><p>${words(value)} ${words(sentence(cureOnDraft(cure)))} <a href="${path}">Show them</a></p></div></li>`;
  });
  const title = `${count(warned, 'row')} with warnings`;
  const list = html`<ul class="points">${items}</ul>`;
  return section({ part: 'draft-warnings', id: 'warnings', title, note: 'They stop nothing.' }, list);
}
