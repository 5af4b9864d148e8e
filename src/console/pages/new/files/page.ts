/** `/campaigns/new/DRAFT/files`: files that have arrived, files still to come, and a form for more. */

import { mayDo } from '../../../../app/access/roles.ts';
import type { Draft } from '../../../../app/drafts/draft.ts';
import { findDraft } from '../../../../app/drafts/drafts.ts';
import {
  type FilesProgress,
  findMediaFaults,
  listStoredFiles,
  readFilesProgress,
  type StoredPage,
} from '../../../../app/drafts/files/progress.ts';
import { filePictureOf } from '../../../../app/drafts/pictures.ts';
import type { CheckedDraft, DraftView } from '../../../../app/drafts/view.ts';
import { asSentence, plural, thousands } from '../../../../manifest/wording.ts';
import type { MediaFault } from '../../../../service/media/complete.ts';
import { fixOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { crumbs, dotsMenu, liveStream, n, point, section, table } from '../../../parts/blocks.ts';
import { form, questionLink } from '../../../parts/form.ts';
import { indexPager } from '../../../parts/list.ts';
import { size, sizeOf } from '../../../parts/numbers.ts';
import { pictureColumn, thumbnail } from '../../../parts/picture.ts';
import { icon } from '../../../parts/state.ts';
import type { Page, PageRequest, Stream } from '../../../request.ts';
import { updatedBy } from '../draft/page.ts';
import { type DropWords, dropForm, dropIt } from './begin.ts';

const filesAPage = 100;
const mostRefused = 20;

export async function showFiles(request: PageRequest): Promise<Page> {
  const { runtime, params, query } = request;
  const id = params.draft ?? '';
  const draft = await findDraft(runtime, id);
  const progress = await readFilesProgress(runtime, id);
  const from = Math.max(0, Math.trunc(Number(query.get('from'))) || 0);
  const listed = await listStoredFiles(runtime, id, { from, most: filesAPage });
  const faults = await findMediaFaults(
    runtime,
    id,
    listed.files.map(({ path }) => path),
  );
  const check = await checkOf(request, draft);
  const may = mayDo(request, 'edit') && draft.campaign === undefined;
  const campaign = await updatedBy(request, draft);
  const way = [
    ['/campaigns', 'Campaigns'],
    ...(campaign === undefined ? [] : [[`/campaigns/${campaign.id}`, campaign.id] as const]),
    [`/campaigns/new/${id}`, campaign === undefined ? 'New' : 'sheet'],
  ] as const;
  const discard = may
    ? dotsMenu('this upload', [
        questionLink(request, `/campaigns/new/${id}/discard?from=files`, 'Stop and discard…', 'danger'),
      ])
    : '';
  return {
    kind: 'page',
    title: `${campaign === undefined ? 'New campaign' : `Update of ${campaign.name}`}, uploading`,
    scripts: ['uploads.js'],
    stream: `/campaigns/new/${id}/files/events`,
    main: html`
      ${crumbs(request, way, 'files')}
      <div class="head"><div><h1>${campaign === undefined ? 'New campaign' : html`Update of ${words(campaign.name)}`}</h1><p class="about">You may leave this page. Uploaded files are kept for 7 days. To continue, drop the same files again: only the rest is sent.${campaign !== undefined && ' A new version of a file needs a new name, such as clip-v2.mp4.'}</p></div>
        <div class="actions">${discard}</div></div>
      <div class="two">
        ${section(
          { id: 'uploaded', title: 'Uploads' },
          html`${uploads(draft, check, progress)}
        ${check?.checked && !progress.isArriving ? await missing(request, check.checked) : ''}
        ${may ? continueButton(request, id) : ''}`,
        )}
        ${may ? more(request, draft) : ''}
      </div>
      ${await list(request, { id, may, from, faults }, listed)}
      ${whereMediaAre(request)}`,
  };
}

/** The files are shown whether the draft can be checked or not. */
async function checkOf({ drafts }: PageRequest, { id, campaign }: Draft): Promise<DraftView | undefined> {
  return campaign === undefined ? drafts.peek(id).catch(() => undefined) : undefined;
}

export async function streamFiles(request: PageRequest): Promise<Stream> {
  const { runtime, params } = request;
  const id = params.draft ?? '';
  await findDraft(runtime, id);
  return liveStream(request, { key: `files ${id}` }, async (at) => {
    // Somebody may discard the draft while others watch its page.
    const draft = await findDraft(runtime, id).catch(() => undefined);
    if (draft === undefined) return {};
    const progress = await readFilesProgress(runtime, id);
    return { uploads: uploads(draft, await checkOf(at, draft), progress) };
  });
}

function uploads({ sheet }: Draft, check: DraftView | undefined, progress: FilesProgress): Html {
  return html`<ul class="card points" id="uploads">
    ${sheetPoint(sheet, progress)}
    ${mediaPoint(progress)}
    ${check === undefined ? '' : checkPoint(check, progress)}
    ${refusedPoint(progress)}
  </ul>`;
}

function sheetPoint(sheet: Draft['sheet'], { sheet: arriving }: FilesProgress): Html {
  if (arriving !== undefined) {
    const { name, bytes, arrived } = arriving;
    return point({
      state: 'running',
      what: html`<b>${words(name)}</b><p>${sizeOf(arrived, bytes)}</p>${bar(arrived, bytes, 'Sheet')}`,
    });
  }
  return sheet === undefined
    ? point({ state: 'waiting', what: html`<b>The sheet</b><p>It has not been uploaded yet.</p>` })
    : point({
        state: 'done',
        what: html`<b>${words(sheet.name)}</b><p>${size(sheet.bytes)}, uploaded</p>`,
      });
}

function mediaPoint(progress: FilesProgress): Html {
  const { files, ofFiles, bytes, ofBytes, begunFiles } = progress.media;
  const haveBegun = begunFiles === ofFiles;
  if (ofFiles === 0) {
    return point({
      state: 'waiting',
      what: html`<b>Media</b><p>None. A sheet with links or prompts needs none.</p>`,
    });
  }
  if (files === ofFiles) {
    const what = html`<b>Media</b><p>${plural(files, 'file')}, ${size(bytes)}, uploaded</p>`;
    return point({ state: 'done', what });
  }
  return point({
    state: progress.isArriving ? 'running' : 'paused',
    what: html`<b>Media</b><p>${thousands(files)} of ${plural(ofFiles, 'file')}, ${haveBegun ? sizeOf(bytes, ofBytes) : size(bytes)}${rest(progress)}</p>${haveBegun ? bar(bytes, ofBytes, 'Media') : bar(files, ofFiles, 'Media')}`,
  });
}

function rest({ isArriving }: FilesProgress): string {
  return isArriving ? '' : '. To continue, drop the same files again: only the rest is sent.';
}

function bar(value: number, max: number, label: string): Html {
  return html`<progress value="${value}" max="${max}" aria-label="${label}">${Math.floor((value / max) * 100)}%</progress>`;
}

function refusedPoint({ refused }: FilesProgress): Html | string {
  if (refused.size === 0) return '';
  const shown = [...refused.values()].slice(0, mostRefused);
  const rest = refused.size - shown.length;
  return point({
    state: 'failed',
    what: html`<b>${plural(refused.size, 'file was', 'files were')} not accepted</b><ul>${shown.map((why) => html`<li>${words(asSentence(why))}</li>`)}${rest > 0 ? html`<li>${thousands(rest)} more</li>` : ''}</ul>`,
  });
}

function continueButton(request: PageRequest, id: string): Html {
  return form(request, {
    path: `/campaigns/new/${id}/files/done`,
    id: 'files-done',
    className: 'after',
    body: html`<p class="actions"><button class="primary">Look at the check</button> <span class="note">Media are checked as they arrive.</span></p>`,
  });
}

function more(request: PageRequest, { sheet }: Draft): Html {
  const words: DropWords = {
    text: sheet === undefined ? dropIt : 'Another sheet replaces this one, and your edits are lost.',
    hasSheet: sheet !== undefined,
    note: 'A file with the same name replaces the earlier one.',
  };
  const title = sheet === undefined ? 'The files' : 'More files';
  return section({ id: 'more', title }, dropForm(request, words));
}

interface Listing {
  readonly id: string;
  readonly may: boolean;
  readonly from: number;
  readonly faults: ReadonlyMap<string, MediaFault>;
}

async function list(
  request: PageRequest,
  { id, may, from, faults }: Listing,
  { files, total }: StoredPage,
): Promise<Html | string> {
  if (total === 0) return '';
  const path = `/campaigns/new/${id}/files`;
  const page = (at: number) => request.link(`${path}?from=${at}`);
  const pictureOf = async (path: string) => {
    const found = await filePictureOf(request.runtime, request.pictures, id, path);
    return thumbnail(request, { ...found, path: found.small });
  };
  const pictures = await Promise.all(files.map(({ path }) => pictureOf(path)));
  const lines = files.map(
    ({ path: name, bytes }, index) =>
      html`<tr><td class="small">${pictures[index]}</td><th scope="row">${words(name)}${told(faults.get(name))}</th><td class="n">${size(bytes)}</td>${may ? html`<td class="n corner">${remove(request, path, name)}</td>` : ''}</tr>`,
  );
  const last = may ? [html`<th scope="col"><span class="hidden">Remove</span></th>`] : [];
  return section(
    { id: 'here', title: plural(total, 'file') },
    html`${table({ of: 'here', heads: [pictureColumn, 'File', n('Size'), ...last], className: 'middle stacked', lines })}
    ${indexPager('Pages of files', { from, each: filesAPage, total }, ['Earlier', 'Further'], page)}`,
  );
}

function told(fault: MediaFault | undefined): Html | string {
  if (fault === undefined) return '';
  return html`<br><small data-state="problem">${icon('problem')} <span class="fault">${words(fault.problem)}</span> ${words(fixOnDraft(fault.fix))}</small>`;
}

function remove(request: PageRequest, path: string, name: string): Html {
  return form(request, {
    path: `${path}/remove`,
    body: html`<input type="hidden" name="path" value="${name}"><button class="plain">Remove<span class="hidden"> ${name}</span></button>`,
  });
}

function whereMediaAre({ runtime }: PageRequest): Html | string {
  if (runtime.settings.media.root !== null) return '';
  return html`<p class="note after">Media stay on this machine. If workers run on other machines, ask an operator for a media folder that all machines share.</p>`;
}

/** How far the check is while files still arrive. Empty while there is no sheet. */
function checkPoint(
  { state, checked, rowsRead, failure }: DraftView,
  { media }: FilesProgress,
): Html | string {
  if (state === 'empty') return '';
  const isComing = media.files < media.ofFiles;
  if (checked === undefined) {
    return failure === undefined
      ? point({ state: 'running', what: said(`${plural(rowsRead ?? 0, 'row')} read so far.`) })
      : point({ state: 'failed', what: said(asSentence(failure.message)) });
  }
  const read = `${plural(checked.rows, 'row')} read`;
  if (isComing || rowsRead !== undefined || checked.isOutdated) {
    return point({ state: 'running', what: said(`${read}, media as they arrive. ${foundSoFar(checked)}`) });
  }
  const { refused, blocking } = checked;
  const [whole] = blocking;
  if (checked.rows === 0 && whole !== undefined) {
    return point({ state: 'warning', what: said(asSentence(whole.problem)) });
  }
  const isGood = refused + blocking.length === 0;
  const found =
    refused > 0 ? `${plural(refused, 'row has', 'rows have')} problems` : 'The sheet has a problem';
  return point({
    state: isGood ? 'done' : 'warning',
    what: said(`${read}. ${isGood ? 'No row has a problem' : found}.`),
  });
}

const mostMissing = 10;
const mostRows = 500;

/** The files that the sheet names and that are not here. */
async function missing({ drafts, params }: PageRequest, { groups }: CheckedDraft): Promise<Html | string> {
  const names = new Set<string>();
  for (const { code, id } of groups) {
    if (code !== 'media_missing') continue;
    const { rows } = await drafts.window(params.draft ?? '', id, 0, mostRows);
    for (const { problems = [] } of rows)
      for (const { group, value } of problems) if (group === id && value !== '') names.add(value);
  }
  if (names.size === 0) return '';
  const rest = names.size - mostMissing;
  const more = rest > 0 ? ` and ${thousands(rest)} more` : '';
  const shown = [...names].slice(0, mostMissing).join(', ');
  return html`<ul class="card points">${point({ state: 'failed', what: html`<b>${plural(names.size, 'file is', 'files are')} missing</b><p>${words(shown)}${more}</p>` })}</ul>`;
}

/** Media that have not come yet are no mistake of the sheet. */
function foundSoFar({ groups, blocking }: CheckedDraft): string {
  const sum = (some: typeof groups) => some.reduce((rows, group) => rows + group.count, 0);
  const missing = sum(groups.filter(({ code, value }) => code === 'media_missing' && value !== ''));
  const others = sum(groups) - missing + blocking.length;
  const problems = others === 0 ? 'No problem so far.' : `${plural(others, 'problem')} so far.`;
  if (missing === 0) return problems;
  return `${plural(missing, 'file that it names has', 'files that it names have')} not arrived yet. ${problems}`;
}

function said(text: string): Html {
  return html`<b>Check</b><p>${words(text)}</p>`;
}
