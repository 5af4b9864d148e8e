/** A row beside the publishing records that resemble it, field by field. */
import { html } from 'hono/html';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';
import type { RecordCandidate } from '../../../ledger/states.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';
import { clockWithSeconds, moment } from '../../parts/numbers/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { rowPath } from '../row/address.ts';

/** Times that differ by less count as the same: services round schedules, at most to the minute. */
const roundingMs = 60_000;

export function thumb({ link }: PageRequest, { campaign, key, medium }: ReviewItem): Html | string {
  if (medium?.found.kind !== 'file') return '';
  const path = link(rowPath(campaign.id, key, `/media/${medium.column}/${medium.index}`));
  return medium.found.contentType.startsWith('video/')
    ? html`<video class="thumb" src="${path}" preload="metadata" width="36" height="64" muted aria-label="Media of ${key}"></video>`
    : html`<img class="thumb" src="${path}" alt="Media of ${key}" width="36" height="64" loading="lazy">`;
}

export function comparison(
  request: PageRequest,
  item: ReviewItem,
  candidates: readonly RecordCandidate[],
): Html {
  const { zone, now } = request;
  const row = (name: string, own: Html | string, cell: (candidate: RecordCandidate) => Html) =>
    html`<tr><th scope="row">${name}</th><td>${own}</td>${candidates.map(cell)}</tr>`;
  const scheduled = (at: number | undefined) => (at === undefined ? 'at once' : moment(at, zone, now));
  return html`<div class="scroller" role="group" aria-label="${item.key} beside the records" tabindex="0">
    <table class="compare">
      <thead><tr><td></td><th scope="col">This row</th>${candidates.map((_one, index) => html`<th scope="col">Record ${index + 1}</th>`)}</tr></thead>
      <tbody>
        ${row('Media', thumb(request, item), ({ hasFiles }) => (hasFiles ? same('same file') : untold()))}
        ${row('Caption', words(item.caption), ({ title, isSimilar }) =>
          title === undefined ? untold() : isSimilar ? differs(words(title)) : same(),
        )}
        ${row('Product', words(item.product), ({ productId }) =>
          productId === undefined
            ? untold()
            : productId === item.productId
              ? same()
              : differs(html`<code>${words(productId)}</code>`),
        )}
        ${row('Scheduled', scheduled(item.scheduledAt), ({ scheduledAt }) =>
          scheduledAt === undefined
            ? untold()
            : Math.abs(scheduledAt - (item.scheduledAt ?? 0)) <= roundingMs
              ? same()
              : differs(scheduled(scheduledAt)),
        )}
        ${row('Created', sent(request, item), (candidate) => created(request, item, candidate))}
        ${row('State', '', ({ status }) => (status === undefined ? untold() : html`<td>${words(status.toLowerCase())}</td>`))}
        ${row('Post id', html`<span class="none">unknown</span>`, ({ postId }) => html`<td><code>${words(postId)}</code></td>`)}
      </tbody>
    </table>
  </div>`;
}

function same(what = 'same'): Html {
  return html`<td class="same">${what}</td>`;
}

function differs(what: Html | string): Html {
  return html`<td><span class="differs">${what}</span></td>`;
}

function untold(): Html {
  return html`<td><span class="none">not told</span></td>`;
}

function sent({ zone }: PageRequest, { sentAt }: ReviewItem): string {
  return sentAt === undefined ? 'not known when' : `sent at ${clockWithSeconds(sentAt, zone)}`;
}

function created({ zone }: PageRequest, { sentAt }: ReviewItem, { createdAt }: RecordCandidate): Html {
  if (createdAt === undefined) return untold();
  const at = clockWithSeconds(createdAt, zone);
  if (sentAt === undefined) return html`<td>${at}</td>`;
  const apart = describeDuration(Math.abs(createdAt - sentAt));
  return createdAt < sentAt
    ? differs(`${at}, ${apart} before it was sent`)
    : html`<td>${at}, ${apart} after</td>`;
}
