/** `/campaigns/new`: takes the sheet and the media, and offers the template. */
import { makeTemplate, makeWorkbook } from '../../../../campaigns/import/template.ts';
import type { Draft } from '../../../../drafts/draft.ts';
import { createDraft, listDrafts } from '../../../../drafts/drafts.ts';
import { extensions } from '../../../../manifest/cells/media-source.ts';
import { sheetContentTypes } from '../../../../sheets/write/format.ts';
import { type Html, html, words } from '../../../html.ts';
import { empty, point } from '../../../parts/blocks.ts';
import { form, mayChange } from '../../../parts/form.ts';
import { moment } from '../../../parts/numbers.ts';
import { icon } from '../../../parts/state.ts';
import type { Download, Page, PageRequest, Redirect } from '../../../request.ts';

/** Most drafts named here; the list of campaigns has all. */
const mostShown = 5;

export async function showBegin(request: PageRequest): Promise<Page> {
  const { link, runtime } = request;
  const drafts = (await listDrafts(runtime)).drafts.filter(({ campaign }) => campaign === undefined);
  return {
    kind: 'page',
    title: 'New campaign',
    section: '/campaigns',
    isUpload: true,
    main: html`
      <nav class="crumbs" aria-label="Where you are"><a href="${link('/campaigns')}">Campaigns</a> / New</nav>
      <div class="head"><h1>New campaign</h1></div>
      ${mayChange(request) ? dropHere(request) : empty(html`An operator can begin a campaign here.`)}
      ${underWay(request, drafts)}
      ${templates(request)}
      ${smallest()}`,
  };
}

function dropHere(request: PageRequest): Html {
  return dropForm(request, {
    path: '/campaigns/new',
    sheet: 'Excel, CSV or JSON. Drop it here, or choose it.',
    button: 'Upload and check',
    note: 'The creators are looked up in the service. Nothing else is sent.',
  });
}

function underWay({ link, zone, now }: PageRequest, drafts: readonly Draft[]): Html | string {
  if (drafts.length === 0) return '';
  return html`<section aria-labelledby="drafts"><div class="section"><h2 id="drafts">Begun earlier</h2></div>
    <ul class="points">${drafts.slice(0, mostShown).map(({ id, sheet, owner, changedAt }) =>
      point({
        state: 'waiting',
        what: html`<a href="${link(sheet === undefined ? `/campaigns/new/${id}/files` : `/campaigns/new/${id}`)}">${sheet === undefined ? 'A draft without a sheet' : words(sheet.name)}</a>`,
        more: html`of ${owner}, changed ${moment(changedAt, zone, now)}`,
      }),
    )}</ul></section>`;
}

function templates({ link }: PageRequest): Html {
  return html`<section aria-labelledby="begin">
    <div class="section"><h2 id="begin">No sheet yet?</h2></div>
    <p>The template has an example of each kind of post, with every column explained:
      <a href="${link('/template.xlsx')}">Excel</a>, <a href="${link('/template.csv')}">CSV</a>, <a href="${link('/template.json')}">JSON</a>.
      Headers may be English or Chinese: <span lang="zh">达人、文案、商品ID、发布时间</span>.</p>
    <p class="note after">To fix rows of a campaign, drop its corrected results sheet. You first see what would change.</p>
  </section>`;
}

const example = [
  ['creator', '达人', 'lin.xiaoyu', 'amber_looks'],
  ['media', '素材', 'rosewood/take01.mp4', 'peach-1.jpg|peach-2.jpg'],
  ['caption', '文案', '春日限定 03 号玫瑰木，黄皮也显白', 'It survived the noodles.'],
  ['product_id', '商品ID', '1729384071926530211', '1729384071926530213'],
  ['product_title', '商品标题', 'Velvet Matte 03 Rosewood', 'Dew Tint 02 Peach'],
] as const;

function smallest(): Html {
  return html`<section aria-labelledby="smallest">
    <div class="section"><h2 id="smallest">The smallest sheet</h2><p>Five columns are enough. Time, music, cover and AI options have columns of their own.</p></div>
    <div class="scroller" role="group" aria-labelledby="smallest" tabindex="0"><table class="sheet">
      <thead>
        <tr class="letters"><td></td>${example.map((_, index) => html`<td>${'ABCDE'.charAt(index)}</td>`)}</tr>
        <tr><td class="n">1</td>${example.map(([name, chinese]) => html`<th scope="col">${name} <span class="none" lang="zh">${chinese}</span></th>`)}</tr>
      </thead>
      <tbody>${[2, 3].map((row) => html`<tr><th scope="row" class="n">${row}</th>${example.map((column) => html`<td>${words(column[row] ?? '')}</td>`)}</tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** Creates a draft without files; the script then sends them. */
export async function begin({ runtime, person }: PageRequest): Promise<Redirect> {
  const { id } = await createDraft(runtime, person.name);
  return { kind: 'redirect', to: `/campaigns/new/${id}/files` };
}

const sheetEndings = ['.xlsx', '.csv', '.tsv', '.txt', '.json', '.jsonl'];

export interface DropWords {
  /** Path of the form. */
  readonly path: string;
  /** Text below the input for the sheet. */
  readonly sheet: string;
  readonly button: string;
  readonly note: string;
}

/** The form for the sheet and the media. It works without scripts; with `uploads.js`, files can be dropped on it. @param words texts, which differ for a new draft and one that has files. */
export function dropForm(request: PageRequest, { path, sheet, button, note }: DropWords): Html {
  const endings = [...extensions.values()].flat().map((ending) => `.${ending}`);
  return html`<div id="drop" data-sheets="${sheetEndings.join()}" data-media="${endings.join()}">
    ${form(request, {
      path,
      isUpload: true,
      body: html`<div class="even two">
        <label class="drop">${icon('file')}<b>The sheet</b>
          <span>${sheet}</span>
          <input name="sheet" type="file" accept="${sheetEndings.join()}"></label>
        <label class="drop">${icon('film')}<b>The media</b>
          <span>Videos and pictures, or their whole folder. Not needed where the sheet has links or prompts.</span>
          <input name="media" type="file" multiple accept="video/*,image/*"></label>
      </div>
      <p class="after"><label>Or a whole folder, with the sheet or without <input name="folder" type="file" multiple webkitdirectory></label></p>
      <p class="actions after"><button class="primary">${button}</button> <span class="note">${note}</span></p>`,
    })}
    <div id="upload-notes" role="alert"></div>
  </div>`;
}

const makers = {
  xlsx: makeWorkbook,
  csv: (now: number) => makeTemplate('csv', now).manifest,
  json: (now: number) => makeTemplate('json', now).manifest,
};

/** Downloads the template. */
export function template({ runtime, params }: PageRequest): Download {
  const format = params.format === 'csv' || params.format === 'json' ? params.format : 'xlsx';
  return {
    kind: 'download',
    fileName: `posts.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to) => {
      to.write(await makers[format](runtime.now()));
    },
  };
}
