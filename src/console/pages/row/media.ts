/** The media of a row as facts of its post: files, addresses, outputs. */
import type { ShownMedium } from '../../../app/campaigns/rows/media.ts';
import type { ReadRow } from '../../../app/campaigns/rows/show-row.ts';
import { type Html, html, words } from '../../html.ts';
import { size } from '../../parts/numbers.ts';
import { mediumPath } from '../../parts/picture.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

const roles: Readonly<Record<ShownMedium['column'], string>> = {
  media: 'Media',
  cover: 'Cover',
  ai_references: 'Reference',
};

export function mediaFacts(request: PageRequest, { campaign, row, media }: ReadRow): readonly Html[] {
  return [
    ...media.map((each) =>
      fact(
        roles[each.column],
        medium(request, mediumPath(campaign.id, row.key, each.column, each.index), each),
      ),
    ),
    ...row.assets.map((url, index) => fact(`Output ${index + 1}`, outside(url))),
  ];
}

export function fact(name: Html | string, value: Html | string): Html {
  return html`<dt>${name}</dt><dd>${value}</dd>`;
}

function medium({ link }: PageRequest, path: string, shown: ShownMedium): Html {
  const { source, kind, bytes, fault } = shown;
  switch (kind) {
    case 'address':
      return outside(source);
    case 'fault':
      return html`${icon('gone')} ${words(source)}<br><span class="fault">${fault}</span>`;
    case 'file':
      return html`<a href="${link(path)}">${words(source)}</a> (${size(bytes ?? 0)})`;
  }
}

/** A link to another server. The query is left out of the text, because it may contain a signature. */
export function outside(url: string): Html {
  const shown = url.split(/[?#]/)[0] ?? url;
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noreferrer noopener" target="_blank">${words(shown)}</a>`
    : html`${words(shown)}`;
}
