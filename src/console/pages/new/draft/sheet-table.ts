/** Rows of the sheet, with its column letters, line numbers and headers. Cells are edited where they stand: those with a problem in a field, all others by `sheet.js`. */
import { mayDo } from '../../../../app/access/roles.ts';
import { textIn, timeIn } from '../../../../app/drafts/check/check-view.ts';
import type { DraftColumn, DraftRow, PlacedProblem } from '../../../../app/drafts/view.ts';
import { shortened } from '../../../../manifest/printable.ts';
import { describePlace } from '../../../../manifest/problems/problem.ts';
import { asSentence, plural, sentence } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { questionLink } from '../../../parts/form.ts';
import { pictureColumn, type ShownPicture, thumbnail } from '../../../parts/picture.ts';
import { lineName } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import { draftPath, draftRowQuery, type ShownDraft } from './draft-view.ts';
import { rowTick } from './form.ts';
import { describeTime, zoneOf } from './times.ts';

/** Wider sheets show only the columns that matter here. */
const mostColumns = 40;
/** A grid of fewer columns fits into the window. In a wider one, those with problems come first, behind the key. */
const fewestWide = 10;
/** A longer text gets a box of several lines, at most this wide; in characters. */
const widestLine = 48;
/** A longer text is edited on the page of its row; in UTF-16 units. A caption has half as many. */
const longestField = 8000;
/** Longest text of a cell in a table, in UTF-16 units. */
const longestText = 160;

/** The columns with a text or a problem in at least one of the rows. */
function shownColumns(
  columns: readonly DraftColumn[],
  rows: readonly DraftRow[],
  isGrid: boolean,
): readonly DraftColumn[] {
  const isUsed = ({ position }: DraftColumn) =>
    rows.some(
      ({ cells, problems = [], warnings }) =>
        (cells[position] ?? '') !== '' ||
        [...problems, ...warnings].some((each) => each.position === position),
    );
  const used = columns.filter(isUsed);
  const shown = used.length === 0 ? columns : used;
  if (!isGrid || shown.length < fewestWide) return shown.slice(0, mostColumns);
  const faulty = new Set(rows.flatMap(({ problems = [] }) => problems.map(({ position }) => position)));
  const isFirst = ({ column, position }: DraftColumn) => column === 'key' || faulty.has(position);
  return [...shown.filter(isFirst), ...shown.filter((column) => !isFirst(column))].slice(0, mostColumns);
}

interface SheetTable {
  /** Id of the heading that names it. */
  readonly of: string;
  readonly rows: readonly DraftRow[];
  readonly className: 'grid' | 'ticks';
}

/** @param body makes the body for the columns that are shown. */
export function sheetTable(
  { request, checked }: ShownDraft,
  { of, rows, className }: SheetTable,
  body: (columns: readonly DraftColumn[]) => Html,
): Html {
  const columns = shownColumns(checked.columns, rows, className === 'grid');
  const isEdited = mayDo(request, 'edit');
  const tick =
    isEdited &&
    className === 'ticks' &&
    html`<input type="checkbox" data-all aria-label="Tick all ${plural(rows.length, 'row')}"> `;
  const head = (column: DraftColumn) =>
    html`<th scope="col" data-at="${column.position}"><small>${column.letters}</small> ${words(short(column.title))}</th>`;
  return html`<div class="scroller${className === 'ticks' && ' after'}" role="group" aria-labelledby="${of}" tabindex="0"><table class="sheet ${className}"${isEdited && html` data-edit data-rows="${checked.rows}"`}>
    <thead>
      <tr><th scope="col" class="n">${tick}Line</th>${pictureColumn}${columns.map(head)}</tr>
    </thead>${body(columns)}
  </table></div>`;
}

interface RowOptions {
  readonly mark: readonly PlacedProblem[];
  /** What is offered for a problem, if cells with one can be edited. */
  readonly offers?: (problem: PlacedProblem) => Html | string;
  /** Whether the kind of a problem is told above the table. */
  readonly isTold?: (problem: PlacedProblem) => boolean;
  readonly isTicked?: boolean;
  readonly picture: ShownPicture | undefined;
}

export function sheetRow(
  shown: ShownDraft,
  columns: readonly DraftColumn[],
  row: DraftRow,
  { mark, offers, isTold, isTicked = false, picture }: RowOptions,
): Html {
  const { request, view, asked } = shown;
  const path = draftPath(view.draft.id, `/rows/${row.number}${draftRowQuery(asked)}`);
  const may = mayDo(request, 'edit');
  const line = may ? questionLink(request, path, lineName(row), '') : words(lineName(row));
  const isSkipped = row.state === 'left out';
  const box =
    may && isTicked
      ? html`<label><input type="checkbox" class="chosen" name="${rowTick}" value="${row.number}" aria-label="Tick ${describePlace(row)}"></label> `
      : '';
  return html`<tr data-row="${row.number}"><th scope="row" class="n"${isSkipped && html` data-state="cancelled"`}>${box}${line}${isSkipped && html` <small>skipped</small>`}</th><td class="small">${thumbnail(request, picture)}</td>${columns.map((column) => cell(shown, row, column, { mark, offers, isTold }))}</tr>`;
}

type CellOptions = Pick<RowOptions, 'mark'> & {
  readonly [Name in 'offers' | 'isTold']: RowOptions[Name] | undefined;
};

function cell(
  shown: ShownDraft,
  row: DraftRow,
  { position, title, letters, column }: DraftColumn,
  { mark, offers, isTold = () => false }: CellOptions,
): Html {
  const text = row.cells[position] ?? '';
  const found = mark.filter((each) => each.position === position);
  const [first] = found;
  const isTime = position === shown.checked.columns.find(({ column }) => column === 'scheduled_at')?.position;
  const when = isTime ? hint(shown, row, timeIn(shown.checked, row)) : '';
  const isOpen = first !== undefined && offers !== undefined;
  const typed = isOpen ? undefined : shown.typed?.get(`c.${row.number}.${position}`);
  if (typed !== undefined && typed !== null)
    return html`<td${own(text, '')}><textarea name="c.${row.number}.${position}" aria-label="${title || letters}, ${describePlace(row)}">
${typed}</textarea></td>`;
  if (first === undefined) {
    const said = words(short(text));
    const className = (column === 'creator' && 'by') || (column === 'caption' && 'says');
    const body = row.edited.has(position) ? html`<ins>${said}</ins>` : said;
    return html`<td${when}${className && html` class="${className}"`}${own(text, said)}>${column === 'caption' && offers ? html`<span>${body}</span>` : body}</td>`;
  }
  const isWarning = row.state === 'accepted';
  const state = isWarning ? 'warning' : 'problem';
  const what = sentence(first.problem);
  const sign = html`<span title="${what}">${icon(state)}<span class="hidden">${isWarning ? 'Warning' : 'Problem'}: ${what} </span></span>`;
  if (offers !== undefined && !isWarning) {
    const untold = found.filter((each) => !isTold(each));
    const why = untold.length > 0 ? `why-${row.number}-${position}` : `kind-${first.group}`;
    const label = `${title || letters}, ${describePlace(row)}`;
    const isField = mayDo(shown.request, 'edit') && text.length <= longestField;
    const product = column === 'product_id' && textIn(shown.checked, row, 'product_title');
    const body = isField ? field(shown, row, { position, label, why }) : words(short(text));
    const reason = ({ problem }: PlacedProblem) => asSentence(problem.split('; did you mean ')[0] ?? '');
    const told = words([...new Set(untold.map(reason))].join(' '));
    return html`<td data-state="problem" class="edit" id="cell-${row.number}-${position}" data-head="${short(title || letters)}${product && ` · ${short(product)}`}"><div>${body}${found.map(offers)}${untold.length > 0 && html`<small id="${why}" title="${told}">${told}</small>`}</div></td>`;
  }
  return html`<td data-state="${state}"${isWarning && when}${own(text, '')}>${sign}${words(short(text === '' ? first.value : text))}</td>`;
}

/** The text of a cell for who edits it, where the page shows another one. */
function own(text: string, shown: Html | string): Html | string {
  if (text.length > longestField) return html` data-long`;
  return text === shown ? '' : html` data-text="${text}"`;
}

/** Tooltip with the meaning of a time, here and in the creator's region. The row's page shows it, too. */
function hint({ request, checked }: ShownDraft, row: DraftRow, text: string): Html | string {
  const zone = zoneOf(checked, row);
  const said = zone === null ? undefined : describeTime(text, zone, request.now, row.region);
  return said === undefined ? '' : html` title="${said}"`;
}

function field(
  { typed }: ShownDraft,
  { number: row, cells }: DraftRow,
  { position, label, why }: { readonly position: number; readonly label: string; readonly why: string },
): Html {
  const name = `c.${row}.${position}`;
  const stored = cells[position] ?? '';
  const text = typed?.get(name) ?? stored;
  // A single-line input would lose line breaks. A link is replaced as a whole: it needs no lines.
  const rows = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / widestLine), 0);
  return rows > 1 && !/^https?:\S+$/.test(text)
    ? html`<textarea name="${name}" aria-label="${label}" aria-describedby="${why}" aria-invalid="true" rows="${Math.min(8, rows)}" cols="${widestLine}" dir="auto">
${text}</textarea>`
    : html`<input name="${name}" value="${text}" aria-label="${label}" aria-describedby="${why}" aria-invalid="true" dir="auto" size="${Math.max(8, text.length + 2)}">`;
}

function short(text: string): string {
  return shortened(text, longestText);
}
