/** The sheet and the media that were uploaded, and how the sheet is read. */
import { html } from 'hono/html';
import { type Html, words } from '../../../html.ts';
import { mayChange } from '../../../parts/form.ts';
import { count, fileSize } from '../../../parts/numbers.ts';
import { encodingChoice } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import { draftPath } from './address.ts';
import { action, isAboutColumns, type ShownDraft } from './shown.ts';

/** Uploaded media. */
export interface DroppedMedia {
  readonly files: number;
  readonly bytes: number;
}

export function inputCards(shown: ShownDraft, media: DroppedMedia): Html {
  const { request, view, checked } = shown;
  const { sheet, id } = view.draft;
  const files = request.link(draftPath(id, '/files'));
  const format = readAs(shown).join(', ');
  const missing = checked.groups
    .filter(({ code }) => code === 'media_missing')
    .reduce((sum, group) => sum + group.count, 0);
  const here = missing === 0 ? '' : `; files of ${count(missing, 'row')} are not here`;
  return html`<div class="even two">
    <div class="card input">${icon('file')}<p><b>${words(sheet?.name ?? '')}</b> <small>${words(format)}</small></p>${mayChange(request) ? html`<a href="${files}">Replace</a>` : ''}</div>
    <div class="card input" id="media">${icon('film')}<p><b>${media.files === 0 ? 'No media dropped' : count(media.files, 'media file')}</b> <small>${media.files === 0 ? fromRoot(shown) : fileSize(media.bytes)}${here}</small></p>${mayChange(request) ? html`<a href="${files}">Add files</a>` : ''}</div>
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
    ...(!isRead && blocking.some(({ code }) => isAboutColumns(code))
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
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ''}>${label}</option>`;
  const fields: Html[] = [];
  if (sheets.length > 1) {
    fields.push(
      html`<label>Sheet <select name="sheet">${option('', 'the first one', chosen.sheet === undefined)}${sheets.slice(0, mostSheets).map((name) => option(name, name, name === chosen.sheet))}</select></label>`,
    );
  }
  if (format === null || format.kind === 'csv') {
    fields.push(
      html`<label>Separator <select name="delimiter">${option('', 'as found', chosen.delimiter === undefined)}${separators.map(([value, label]) => option(value, label, value === chosen.delimiter))}</select></label>`,
    );
  }
  if (format === null || format.kind !== 'xlsx') {
    fields.push(encodingChoice(chosen.encoding));
  }
  if (fields.length === 0) return '';
  return html`<details${checked.blocking.length > 0 ? html` open` : ''}><summary>It should be read in another way</summary><div class="actions after">${fields}<button ${action(shown, '/reading')}>Read it so</button><p class="note">What you have mended belongs to this reading. Choose it again, and your changes are back.</p></div></details>`;
}
