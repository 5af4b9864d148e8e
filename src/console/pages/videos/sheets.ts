/** Videos in sheets: the import of a list, and the samples as a download. */
import { html } from 'hono/html';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { exportVideos } from '../../../videos/export.ts';
import { importVideos } from '../../../videos/import/import.ts';
import { readSpan } from '../../../videos/spans.ts';
import { findVideo } from '../../../videos/watch-list.ts';
import type { Html } from '../../html.ts';
import { chosenEncoding, encodingChoice, isEncodingWrong } from '../../parts/encoding.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count, number } from '../../parts/numbers/numbers.ts';
import { problemsTable } from '../../parts/problems.ts';
import { wayBack } from '../../parts/question.ts';
import type { Answer, Download, PageRequest, Question } from '../../request.ts';
import { readAsked } from './query.ts';

const title = 'Add videos to the watch list';

export function askImport(request: PageRequest): Question {
  return { kind: 'question', title, section: '/videos', body: uploadForm(request) };
}

/** @param isUnclear whether the encoding of the last sheet was wrong, and has to be chosen. */
function uploadForm(request: PageRequest, isUnclear = false): Html {
  return html`
    <p>A results sheet with <code>video_url</code> filled in, or a list with that column. Rows without an address are left out. Videos on the list are not added again. This makes no calls and reads no figures yet.</p>
    ${form(request, {
      path: '/videos/import',
      isUpload: true,
      body: html`${isUnclear ? html`<p>${encodingChoice(chosenEncoding(request))}</p>` : ''}<p><label>Sheet: CSV, Excel or JSON<input type="file" name="sheet" accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl" required></label></p>
      <p class="actions">${wayBack(request, '/videos', 'Back')} <button class="primary">Add its videos</button></p>`,
    })}`;
}

export async function takeList(request: PageRequest): Promise<Answer> {
  const { runtime, sheet } = request;
  if (sheet === undefined) return askImport(request);
  const { file, path } = await sheet.open();
  const {
    check,
    added,
    known,
    videos: all,
  } = await importVideos(runtime, { file, path }, { sheet: { encoding: chosenEncoding(request) } });
  if (check.problems.total === 0) {
    const left =
      check.withoutUrl === 0 ? '' : ` ${count(check.withoutUrl, 'row')} without an address left out.`;
    const warned =
      check.warnings.total === 0
        ? ''
        : ` ${count(check.warnings.total, 'warning')}: videos named twice, or of another installation.`;
    const text = `${count(added, 'video')} added, ${number(known)} known already.`;
    const more = `${number(all)} are on the list.${left}${warned}`;
    return { kind: 'redirect', to: '/videos', notice: { state: 'done', text, more } };
  }
  return {
    kind: 'page',
    title,
    section: '/videos',
    status: 422,
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${request.link('/videos')}">Videos</a> / add</nav>
      <div class="head"><div><h1>${words(file)}</h1><p class="about">${count(check.rows, 'row')}. Nothing was added.</p></div></div>
      ${problemsTable(check.problems.kept, check.problems.total)}
      <section class="card" aria-labelledby="again"><h2 id="again">The mended sheet</h2>${uploadForm(request, isEncodingWrong(check.problems.kept))}</section>`,
  };
}

/** @throws {UseCaseError} `date_invalid`. */
export function exportList(request: PageRequest): Download {
  return download(request, 'videos', undefined);
}

/** @throws {UseCaseError} `video_not_found`, `date_invalid`. */
export async function exportVideo(request: PageRequest): Promise<Download> {
  const { id } = await findVideo(request.runtime, request.params.id ?? '');
  return download(request, `video-${id}`, id);
}

function download(request: PageRequest, name: string, video: string | undefined): Download {
  const { runtime, params, query } = request;
  const { span: _span, zone: _zone, ...filter } = readAsked(request).query;
  const format = params.format === 'csv' ? 'csv' : 'xlsx';
  const date = query.get('since') || undefined;
  // Checked before the answer begins: afterwards the status can no longer say that it was refused.
  readSpan(runtime, { since: date });
  return {
    kind: 'download',
    fileName: `${name}.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to) => {
      await exportVideos(runtime, { ...filter, to, format, withMark: true, video, since: date });
    },
  };
}
