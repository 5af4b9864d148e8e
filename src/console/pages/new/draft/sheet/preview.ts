/** A post as it will be: media or prompt, caption, product, time. */
import { html } from 'hono/html';
import { mediaSources } from '../../../../../drafts/check/shown.ts';
import type { DraftRow } from '../../../../../drafts/view.ts';
import { isUrl, kindOf } from '../../../../../manifest/cells/media-source.ts';
import type { ColumnName } from '../../../../../manifest/columns.ts';
import { type Html, words } from '../../../../html.ts';
import { icon } from '../../../../parts/state.ts';
import { outside } from '../../../row/page.ts';
import { draftPath } from '../address.ts';
import type { ShownDraft } from '../shown.ts';
import { meaning, zoneOf } from './times.ts';

const mostMedia = 15;

export function preview(shown: ShownDraft, row: DraftRow): Html {
  const { request, checked } = shown;
  const text = (name: ColumnName): string => {
    const column = checked.columns.find((each) => each.column === name);
    return column === undefined ? '' : (row.cells[column.position] ?? '').trim();
  };
  const prompt = text('ai_prompt');
  const made = [
    text('ai_model'),
    text('ai_seconds') && `${text('ai_seconds')} s`,
    text('ai_size') || text('ai_aspect_ratio'),
  ];
  const time = text('scheduled_at');
  const zone = zoneOf(checked, row);
  const product = [text('product_title'), text('product_id')].filter((each) => each !== '');
  return html`<section class="card" aria-label="The post as it will be">
    ${prompt === '' ? html`<ul class="beside">${media(shown, row)}</ul>` : html`<p>${icon('film')} <b>Made by AI</b> ${words(made.filter(Boolean).join(', '))}<br>${words(prompt)}</p>`}
    <dl class="facts">
      <dt>Creator</dt><dd>${words(text('creator'))}</dd>
      <dt>Caption</dt><dd>${words(text('caption'))}</dd>
      <dt>Product</dt><dd>${product.map((each, index) => html`${index === 0 ? '' : html`<br>`}${words(each)}`)}</dd>
      <dt>Time</dt><dd>${time === '' ? 'as soon as it is ready' : zone === null ? words(time) : meaning(time, zone, request.now, row.region)}</dd>
    </dl>
  </section>`;
}

function media({ request, view, checked }: ShownDraft, row: DraftRow): readonly Html[] {
  return mediaSources(checked, row)
    .slice(0, mostMedia)
    .map((source, index) => {
      if (isUrl(source)) return html`<li><div>${outside(source)}</div></li>`;
      const path = request.link(draftPath(view.draft.id, `/rows/${row.number}/media/${index}`));
      const isMissing = (row.problems ?? []).some(
        ({ code, value }) => code.startsWith('media_') && value === source,
      );
      if (isMissing) return html`<li><p class="missing">${icon('gone')} ${words(source)}</p></li>`;
      return html`<li>${
        kindOf(source) === 'VIDEO'
          ? html`<video src="${path}" controls preload="metadata" width="90" height="160" aria-label="Video"></video>`
          : html`<img src="${path}" alt="Picture ${index + 1}" width="90" height="160" loading="lazy">`
      }<small>${words(source)}</small></li>`;
    });
}
