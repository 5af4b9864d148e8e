/** How the sheet is read: what was uploaded, what each column is, and the time zone for times without one. */
import { textIn } from '../../../../drafts/check/shown.ts';
import type { FilesProgress } from '../../../../drafts/files/progress.ts';
import type { CheckedDraft, DraftColumn, DraftRow } from '../../../../drafts/view.ts';
import { readTime } from '../../../../manifest/cells/time.ts';
import { Zones } from '../../../../manifest/cells/zone.ts';
import { columns } from '../../../../manifest/columns.ts';
import { noteMark } from '../../../../manifest/headers/column-map.ts';
import { nearestColumn } from '../../../../manifest/headers/header.ts';
import { describeSize } from '../../../../manifest/presentable.ts';
import { type Html, html, words } from '../../../html.ts';
import { section, table } from '../../../parts/blocks.ts';
import { mayChange, options, select } from '../../../parts/form.ts';
import { clock, count, day, isZone, moment, number, offset } from '../../../parts/numbers.ts';
import { timeInRegion } from '../../../parts/region.ts';
import { encodingChoice } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import { aboutColumns, action, draftPath, type ShownDraft } from './shown.ts';

export function inputCards(shown: ShownDraft, media: FilesProgress['media']): Html {
  const { request, view, checked } = shown;
  const { sheet, id } = view.draft;
  const files = request.link(draftPath(id, '/files'));
  const format = readAs(shown).join(', ');
  const missing = checked.groups
    .filter(({ code }) => code === 'media_missing')
    .reduce((sum, group) => sum + group.count, 0);
  const here = missing === 0 ? '' : `; files missing for ${count(missing, 'row')}`;
  return html`<div class="even two">
    <div class="card input">${icon('file')}<p><b>${words(sheet?.name ?? '')}</b> <small>${words(format)}</small></p>${mayChange(request) ? html`<a href="${files}">Replace</a>` : ''}</div>
    <div class="card input" id="media">${icon('film')}<p><b>${media.files === 0 ? 'No media dropped' : count(media.files, 'media file')}</b> <small>${media.files === 0 ? fromRoot(shown) : describeSize(media.bytes)}${here}</small></p>${mayChange(request) ? html`<a href="${files}">Add files</a>` : ''}</div>
  </div>${reading(shown)}`;
}

/** How the sheet was read. Rows are not counted if the sheet as a whole has a problem. */
function readAs({ view, checked }: ShownDraft): readonly string[] {
  const { rows, blocking, columns, format } = checked;
  const isRead = rows > 0 || blocking.length === 0;
  const isWorkbook = /\.xls[xm]?$/i.test(view.draft.sheet?.name ?? '');
  return [
    ...(isRead ? [count(rows, 'row')] : []),
    ...(columns.length > 0 ? [count(columns.length, 'column')] : []),
    ...(!isRead && blocking.some(({ code }) => aboutColumns.has(code))
      ? ['its rows are read after the columns are matched']
      : []),
    ...(checked.readAs === null ? [] : [checked.readAs]),
    ...(isWorkbook && format !== null && format.kind !== 'xlsx'
      ? ['a text file, although its name is that of a workbook']
      : []),
  ];
}

function fromRoot({ request }: ShownDraft): string {
  return request.runtime.settings.media.root === null
    ? 'links and prompts need none'
    : 'the sheet names files of the media folder of the settings';
}

/** Most sheets of a workbook to choose from. */
const mostSheets = 200;

const separators = [
  ['', 'as found'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
] as const;

/** The form to choose another sheet of the workbook, separator or encoding. */
function reading(shown: ShownDraft): Html | string {
  const { request, view, checked } = shown;
  const { format, sheets } = checked;
  const chosen = view.draft.reading;
  if (!mayChange(request)) return '';
  const names = [['', 'the first one'] as const, ...sheets.slice(0, mostSheets)];
  const fields = [
    ...(sheets.length > 1 ? [select('Sheet', 'sheet', names, chosen.sheet)] : []),
    ...(format === null || format.kind === 'csv'
      ? [select('Separator', 'delimiter', separators, chosen.delimiter)]
      : []),
    ...(format === null || format.kind !== 'xlsx' ? [encodingChoice(chosen.encoding)] : []),
  ];
  if (fields.length === 0) return '';
  return html`<details${checked.blocking.length > 0 ? html` open` : ''}><summary>Read the file differently</summary><div class="actions after">${fields}<button ${action(shown, '/reading')}>Read again</button><p class="note">Your edits belong to this reading. Choose it again to get them back.</p></div></details>`;
}

/** Longest text of a first row, in UTF-16 units. */
const longestText = 60;
/** Most columns with a list to choose from. Others stay as matched. */
const mostColumns = 100;

export function columnsSection(shown: ShownDraft): Html | string {
  const { request, checked } = shown;
  const all = checked.columns;
  if (all.length === 0) return '';
  const shownOnes = [...all].sort((one, other) => rank(one) - rank(other)).slice(0, mostColumns);
  const rest = all.length - shownOnes.length;
  const notes = all.filter(({ column }) => column === noteMark).length;
  const open = all.filter(({ column }) => column === null).length;
  const matched = all.length - notes - open;
  const told = [
    `${matched} of ${all.length} matched`,
    ...(notes > 0 ? [`${count(notes, 'note')}`] : []),
    ...(open > 0 ? [`${open} not known`] : []),
  ].join(', ');
  const list = table({
    of: 'columns',
    className: 'mapping',
    heads: ['Col.', 'Yours', 'is', 'First rows'],
    lines: inOrder(shownOnes).map((column) => columnLine(shown, column, mayChange(request))),
  });
  const more =
    rest > 0 &&
    html`<p class="note">${count(rest, 'more column')} of the sheet ${rest === 1 ? 'is' : 'are'} not listed.</p>`;
  const use =
    mayChange(request) &&
    html`<p class="after"><label><input type="checkbox" name="remember" value="yes" checked> Remember this for sheets with these headers</label></p>
      <p class="actions"><button ${action(shown, '/columns')}>Use these columns</button></p>`;
  return section({ id: 'columns', title: 'Columns', note: told }, html`${list}${more}${use}`);
}

/** Sorts known columns first, then unknown ones, then notes. */
function rank({ column }: DraftColumn): number {
  if (column === null) return 1;
  return column === noteMark ? 2 : 0;
}

function inOrder(columns: readonly DraftColumn[]): readonly DraftColumn[] {
  return [...columns].sort((one, other) => one.position - other.position);
}

function columnLine(
  { typed }: ShownDraft,
  { position, letters, title, column, firstTexts }: DraftColumn,
  isForm: boolean,
): Html {
  const texts = firstTexts.filter((text) => text !== '').map((text) => text.slice(0, longestText));
  const said =
    texts.length === 0
      ? html`<span class="none">empty in the first rows</span>`
      : texts.map((text, index) => html`${index === 0 ? '' : ', '}${words(text)}`);
  const name = `col.${position}`;
  const chosen = typed?.get(name) ?? column ?? '';
  return html`<tr><td>${letters}</td><th scope="row">${words(title)}</th><td>${isForm && title !== '' ? columnChoice(name, title, chosen) : (column ?? '')}</td><td class="said">${said}</td></tr>`;
}

function columnChoice(name: string, title: string, chosen: string): Html {
  const guess = chosen === '' ? nearestColumn(title) : undefined;
  const open = [['', guess === undefined ? 'choose' : `choose: ${guess}?`]] as const;
  const all = [...columns.map((column) => column.name), [noteMark, 'a note, kept as it is'] as const];
  const isOpen = chosen === '';
  const invalid = isOpen ? html` aria-invalid="true"` : '';
  return html`<select name="${name}" aria-label="${title} is"${invalid}>${options(isOpen ? [...open, ...all] : all, chosen)}</select>`;
}

/** @param first the first row of the sheet. */
export function timesSection(shown: ShownDraft, first: DraftRow | undefined): Html {
  const { request, view, checked, typed } = shown;
  const chosen = view.draft.reading.timezone;
  const zone = checked.timezone;
  const offered = typed?.get('zone') ?? chosen ?? zone ?? request.usualZone;
  const note =
    zone === null
      ? 'No time zone is chosen yet, so times without one are problems. Your browser’s zone is offered.'
      : chosen === undefined
        ? 'This is the zone of the settings.'
        : '';
  const body = mayChange(request)
    ? html`<p class="actions"><label for="zone">Times without a zone use</label> ${zoneSelect(offered, request.now, zone === null && typed === undefined)} <button ${action(shown, '/zone')}>Use this zone</button></p>`
    : html`<p>${zone === null ? 'No zone is set for times without one.' : `Times without a zone use ${zone}.`}</p>`;
  const told = note === '' ? '' : html`<p class="note after">${note}</p>`;
  return section(
    { id: 'times', title: 'Times' },
    html`${body}${told}${facts(shown, first, zone ?? offered)}`,
  );
}

/** @param isOpen whether to offer the browser's zone. */
function zoneSelect(chosen: string, now: number, isOpen: boolean): Html {
  const names = Intl.supportedValuesOf('timeZone');
  const all = ['UTC', ...names].includes(chosen) ? ['UTC', ...names] : [chosen, 'UTC', ...names];
  const choices = all.map((name) => {
    const label = name === chosen && isZone(name) ? `${name} (${offset(now, name)})` : name;
    return [name, label] as const;
  });
  return html`<select name="zone" id="zone"${isOpen ? html` data-browser-zone` : ''}>${options(choices, chosen)}</select>`;
}

function facts({ request, checked }: ShownDraft, first: DraftRow | undefined, zone: string): Html | string {
  const { now } = request;
  const text = first === undefined ? '' : textIn(checked, first, 'scheduled_at');
  const { times } = checked;
  if (text === '' && times === undefined) return '';
  return html`<dl class="facts after">
    ${text === '' || first === undefined ? '' : html`<dt>Line ${number(first.line)} has</dt><dd>${words(text)}</dd><dt>That is</dt><dd>${meaning(text, zoneOf(checked, first) ?? zone, now, first.region)}</dd>`}
    ${times === undefined ? '' : html`<dt>First and last</dt><dd>${moment(times.first, zone, now)} and ${moment(times.last, zone, now)}</dd>`}
  </dl>`;
}

/** Zone of a row's times: its own, else the sheet's; `null` if there is none. */
export function zoneOf(checked: CheckedDraft, row: DraftRow): string | null {
  const name = textIn(checked, row, 'scheduled_tz');
  return isZone(name) ? name : checked.timezone;
}

/** A time in one line; undefined if the text is no time. */
export function describeTime(text: string, zone: string, now: number, region?: string): string | undefined {
  const read = readTime(text.trim(), new Zones().find(zone));
  if (!('at' in read)) return undefined;
  const { at } = read;
  const there = timeInRegion(at, region, now);
  const here = `${day(at, zone, now)}, ${clock(at, zone)} in ${zone}`;
  return there === undefined ? here : `${here}. In the creator's region: ${there}`;
}

/** `Fri 12 Mar 2027, 18:00 in Asia/Shanghai`, and the same in UTC and in the creator's region. */
export function meaning(text: string, zone: string, now: number, region?: string): Html | string {
  const read = readTime(text, new Zones().find(zone));
  if (!('at' in read)) return read.fault.problem;
  const { at } = read;
  const there = timeInRegion(at, region, now);
  return html`<b>${day(at, zone, now)}, ${clock(at, zone)} in ${zone}</b><br>${day(at, 'UTC', now)}, ${clock(at, 'UTC')} UTC${there === undefined ? '' : html`<br>In the creator's region: ${there}`}`;
}
