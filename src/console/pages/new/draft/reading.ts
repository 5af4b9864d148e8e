/** How the sheet is read: what was uploaded, and the time zone for times without one. */
import { mayDo } from '../../../../app/access/roles.ts';
import { type DraftReading, sheetsOf } from '../../../../app/drafts/draft.ts';
import type { FilesProgress } from '../../../../app/drafts/files/progress.ts';
import { type Fix, hintsOf } from '../../../../manifest/problems/hint.ts';
import { plural, thousands } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { select } from '../../../parts/form.ts';
import { size } from '../../../parts/numbers.ts';
import { encodingChoice } from '../../../parts/sheets.ts';
import { type IconName, icon } from '../../../parts/state.ts';
import { matchedColumns } from './columns.ts';
import { aboutColumns, action, draftPath, type ShownDraft } from './draft-view.ts';
import { timesSpan } from './times.ts';

/**
 * What is here, each with the way to change it: sheet, media, columns, times.
 * @param takesMedia whether the campaign that the sheet updates takes new files from here.
 */
export function inputs(shown: ShownDraft, media: FilesProgress['media'], takesMedia: boolean): Html {
  const { request, view, checked } = shown;
  const { sheet, id, into } = view.draft;
  const files = request.link(draftPath(id, '/files'));
  const missing = checked.groups
    .filter(({ code, value }) => code === 'media_missing' && value !== '')
    .reduce((sum, group) => sum + group.count, 0);
  const lack = missing === 0 ? '' : `Files missing for ${plural(missing, 'row')}`;
  const matched = matchedColumns(checked.columns);
  const name = sheet?.name ?? '';
  const all: readonly (Html | false)[] = [
    input(shown, {
      icon: 'file',
      isDone: checked.rows > 0 || checked.blocking.length === 0,
      title: 'Sheet',
      change: ['Replace', files],
      what: words(name),
      more: words(readAs(shown).join(', ')),
    }),
    input(shown, {
      icon: 'film',
      isDone: missing === 0,
      title: 'Media',
      id: 'media',
      ...((into === undefined || takesMedia) && { change: ['Add files', files] as const }),
      ...(into === undefined
        ? {
            what: lack || (media.files === 0 ? 'No media dropped' : plural(media.files, 'media file')),
            more: media.files === 0 ? fromRoot(shown) : size(media.bytes),
          }
        : ofUpdate(media, takesMedia, lack)),
    }),
    checked.columns.length > 0 &&
      input(shown, {
        icon: 'columns',
        isDone: !checked.blocking.some(({ code }) => aboutColumns.has(code)),
        title: 'Columns',
        change: ['Change', '#columns'],
        what: matched.told,
        more: matched.others.join(', '),
      }),
    into === undefined &&
      input(shown, {
        icon: 'clock',
        isDone: checked.timezone !== null,
        title: 'Times',
        change: ['Change', '#times'],
        what: checked.timezone ?? 'No time zone chosen',
        more: timesSpan(shown),
      }),
    ...Object.values(lastSteps(shown)),
  ];
  return html`<section aria-label="What is here"><ol class="inputs">${all}</ol></section>`;
}

/** What is left to do: to fix, and to start. The stream updates them with the counts beside the button. */
export function lastSteps(shown: ShownDraft) {
  const { checked, view } = shown;
  const isNew = view.draft.into === undefined;
  const fix = input(shown, {
    id: 'draft-fix',
    icon: 'edit',
    title: 'Fix',
    isNow: checked.refused > 0,
    isDone: checked.rows > 0 && checked.refused === 0,
    what:
      checked.refused === 0
        ? checked.blocking.length > 0
          ? '–'
          : 'Nothing to fix'
        : `${thousands(checked.refused)} of ${plural(checked.rows - checked.leftOut, 'row')} left`,
    more: checked.leftOut > 0 ? `${thousands(checked.leftOut)} skipped` : '',
    change: ['Problems', '#problems'],
  });
  const start = input(shown, {
    id: 'draft-start',
    icon: 'play',
    title: isNew ? 'Start' : 'Update',
    what:
      checked.accepted === 0
        ? `No row ${isNew ? 'ready yet' : 'to send'}`
        : `${plural(checked.accepted, 'row')} ${isNew ? 'ready' : 'to send'}`,
    more: '',
    change: ['Plan', '#plan'],
  });
  return { 'draft-fix': fix, 'draft-start': start };
}

/** The media of a sheet that updates a campaign. @param lack says that some are missing, or is empty. */
function ofUpdate(media: FilesProgress['media'], takesMedia: boolean, lack: string) {
  const none = media.files === 0;
  const added = none
    ? 'drop new files here'
    : `${size(media.bytes)}, which the update adds to the campaign’s files`;
  const elsewhere = 'the console does not write to their folder: ask an operator to put new files there';
  return {
    what: lack || (none ? 'Uses the campaign’s media' : plural(media.files, 'new media file')),
    more: takesMedia ? added : elsewhere,
  };
}

interface Input {
  readonly icon: IconName;
  readonly title: string;
  readonly id?: string;
  /** Whether it is what to do now. */
  readonly isNow?: boolean;
  readonly isDone?: boolean;
  /** Text and address of the link that changes it. */
  readonly change?: readonly [text: string, address: string];
  readonly what: Html | string;
  readonly more: Html | string;
}

function input({ request }: ShownDraft, { title, change, what, more, ...rest }: Input): Html {
  const [text, address] = change ?? [];
  const link =
    mayDo(request, 'edit') &&
    address !== undefined &&
    html`<a href="${address}"><span>${text}${text === 'Change' && html`<span class="hidden"> ${title.toLowerCase()}</span>`}</span></a>`;
  return html`<li${rest.id !== undefined && html` id="${rest.id}"`}${rest.isNow && html` aria-current="step"`}${rest.isDone && html` data-state="done"`}><h2>${rest.isDone ? icon('posted', 'Done') : icon(rest.icon)}${title}${link}</h2><b>${what}</b><small>${more}</small></li>`;
}

/** How the sheet was read. Rows are not counted if the sheet as a whole has a problem. */
function readAs({ view, checked }: ShownDraft): readonly string[] {
  const { rows, blocking, format } = checked;
  const isRead = rows > 0 || blocking.length === 0;
  const worksheets = sheetsOf(view.draft.reading) ?? [];
  const isWorkbook = /\.xls[xm]?$/i.test(view.draft.sheet?.name ?? '');
  return [
    ...(isRead ? [plural(rows, 'row')] : []),
    ...(worksheets.length > 1 ? [`sheets ${worksheets.join(', ')}`] : []),
    ...(!isRead && blocking.some(({ code }) => aboutColumns.has(code))
      ? ['rows are read once the columns are matched']
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
    : 'the sheet names files in the media folder of the settings';
}

const mostSheets = 200;

const separators = [
  ['', 'detected'],
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'pipe'],
] as const;

/** The form to choose another sheet of the workbook, separator or encoding. */
export function otherReading(shown: ShownDraft): Html | string {
  const { request, view, checked } = shown;
  const { format, sheets, headerLine } = checked;
  const chosen = view.draft.reading;
  if (!mayDo(request, 'edit')) return '';
  const fields = [
    ...(sheets.length > 1 ? [worksheets(shown)] : []),
    ...(format === null || format.kind === 'csv'
      ? [select('Separator', 'delimiter', separators, chosen.delimiter)]
      : []),
    ...(format === null || format.kind !== 'xlsx' ? [encodingChoice(chosen.encoding)] : []),
    ...(format === null || headerLine !== null
      ? [
          html`<label>Headers are in line <input type="number" name="headerLine" min="1" value="${chosen.headerLine ?? ''}" placeholder="${headerLine ?? 'detected'}"></label>`,
        ]
      : []),
  ];
  if (fields.length === 0) return '';
  // A column of her own does not mean that the file was read wrongly.
  const mayBeWrong = checked.blocking.some(
    ({ code }) => code === 'missing_column' || !aboutColumns.has(code),
  );
  return html`<details class="after"${mayBeWrong ? html` open` : ''}><summary>Read the file differently</summary><div class="actions after">${fields}<button ${action(shown, '/reading')}>Read again</button><p class="note">If you change this, your edits are hidden until you change it back.</p></div></details>`;
}

function worksheets({ view, checked: { sheets } }: ShownDraft): Html {
  const read = sheetsOf(view.draft.reading) ?? sheets.slice(0, 1);
  const boxes = [...new Set([...read, ...sheets.slice(0, mostSheets)])].map(
    (name) =>
      html`<label><input type="checkbox" name="sheet" value="${name}"${read.includes(name) && html` checked`}> ${words(name)}</label> `,
  );
  return html`<fieldset class="actions"><legend>Sheets, read as one</legend>${boxes}</fieldset>`;
}

/** The reading that a message guesses, as a button. */
export function readAnew(shown: ShownDraft, fix: Fix): readonly Html[] {
  if (!mayDo(shown.request, 'edit')) return [];
  const button = (name: string, value: string) =>
    html`<button ${action(shown, `/reading?${new URLSearchParams({ [name]: value })}`)}>Read ${name === 'sheet' ? '' : 'it as '}${words(value)}</button> `;
  return hintsOf(fix).flatMap((each) => {
    if (each.action === 'encoding')
      return each.params.encoding === null ? [] : [button('encoding', each.params.encoding)];
    if (each.action === 'chooseSheet')
      return each.params.sheet === null ? [] : [button('sheet', each.params.sheet)];
    return [];
  });
}

/** The worksheets to read, and whether the first of them stays. @param all of the workbook. */
export function sheetChoice(sheets: readonly string[], before: DraftReading, all: readonly string[] = []) {
  const [first] = sheets;
  if (first === undefined) return { choice: {}, stays: false };
  const sheet = sheets.length === 1 && first === all[0] ? null : [...sheets];
  return { choice: { sheet }, stays: first === (sheetsOf(before) ?? all)[0] };
}

/** A field of the reading; null for the one that is found. */
export function readingChoice(name: string, text: string): string | number | null {
  if (text.trim() === '') return null;
  return name === 'headerLine' ? Number(text) : text;
}
