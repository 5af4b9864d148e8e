/** The media of a row: files by a path of the console, URLs as links that send no referrer. */

import { type MediaColumn, openRowMedium, type ShownMedium } from '../../../campaigns/rows/media.ts';
import type { ReadRow } from '../../../campaigns/rows/show-row.ts';
import { type Html, html, words } from '../../html.ts';
import { rowPath } from '../../parts/address.ts';
import { fileSize } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest, ShownFile } from '../../request.ts';

const roles: Readonly<Record<MediaColumn, string>> = {
  media: 'Will be posted',
  cover: 'Cover',
  ai_references: 'Reference',
};

export async function showMedium({ runtime, params }: PageRequest): Promise<ShownFile> {
  const { id = '', key = '', column = '', index = '' } = params;
  return { kind: 'file', ...(await openRowMedium(runtime, id, key, { column, index: Number(index) })) };
}

export function mediaSection(request: PageRequest, { campaign, row, media }: ReadRow): Html | string {
  if (media.length === 0 && row.assets.length === 0) return '';
  const generated = row.assets.map(
    (url, index) =>
      html`<li><div>${outside(url)}<br><small><b>Generated</b>, output ${index + 1}</small></div></li>`,
  );
  const given = media.map((medium) => item(request, rowPath(campaign.id, row.key), medium));
  return html`<section aria-labelledby="assets">
    <div class="section"><h2 id="assets">Media</h2></div>
    <ul class="beside">${generated}${given}</ul>
  </section>`;
}

function item(request: PageRequest, page: string, { column, index, source, found }: ShownMedium): Html {
  switch (found.kind) {
    case 'address':
      return html`<li><div>${outside(source)}<br><small>${roles[column]}</small></div></li>`;
    case 'fault':
      return html`<li><p class="missing">${icon('gone')} ${words(source)}<br><small>${found.fault}</small></p></li>`;
    case 'file': {
      const path = request.link(`${page}/media/${column}/${index}`);
      const { contentType, bytes } = found;
      return html`<li>${picture(path, contentType, `${roles[column]}, ${index + 1}`)}
        <small><b>${roles[column]}</b><br>${words(source)}<br>${fileSize(bytes)}</small></li>`;
    }
  }
}

function picture(path: string, contentType: string, label: string): Html {
  return contentType.startsWith('video/')
    ? html`<video src="${path}" controls preload="metadata" width="90" height="160" aria-label="${label}"></video>`
    : html`<a href="${path}"><img src="${path}" alt="${label}" width="90" height="160" loading="lazy"></a>`;
}

/** A link to another server. The query is left out of the text, because it may contain a signature. */
export function outside(url: string): Html {
  const shown = url.split(/[?#]/)[0] ?? url;
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer noopener" target="_blank">${words(shown)}</a>`
    : html`${words(shown)}`;
}

export function writtenSection({ cells }: ReadRow): Html {
  const filled = cells.filter(({ text }) => text.trim() !== '');
  return html`<section aria-labelledby="written">
    <div class="section"><h2 id="written">What was planned</h2></div>
    <dl class="facts">
      ${filled.map(
        ({ name, column, text }) =>
          html`<dt>${words(column === undefined ? name.replace(/^[_#] ?/, '') : name)}</dt><dd>${words(text)}${column === undefined ? ' (a note)' : ''}</dd>`,
      )}
    </dl>
  </section>`;
}
