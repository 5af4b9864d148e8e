/** The form to decide about a row in review, on the row's page. */
import { html } from 'hono/html';
import { describeReview } from '../../../campaigns/decisions/review-item.ts';
import { canLook } from '../../../campaigns/records.ts';
import type { ReadRow } from '../../../campaigns/rows/show-row.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import type { PageRequest } from '../../request.ts';
import { choices, facts } from '../review/card.ts';

/** Empty unless the row is in review. */
export async function decideSection(
  request: PageRequest,
  { campaign, row }: ReadRow,
): Promise<Html | string> {
  if (row.state !== 'review') return '';
  const [item] = await describeReview(request.runtime, campaign, [row.position]);
  if (item === undefined) return '';
  const head = html`<div class="section"><h2 id="decide">Is the ${item.about} there?</h2></div>${facts(request, item)}`;
  if (!mayChange(request)) {
    return html`<section class="card doubt" aria-labelledby="decide">${head}${choices(request, item, {})}</section>`;
  }
  const twice =
    item.about === 'post'
      ? html`the post will be there twice, and the followers of ${words(item.creator)} see both`
      : 'the output is paid for twice';
  const place = html`<input type="hidden" name="row-campaign" value="${campaign.id}"><input type="hidden" name="row-key" value="${row.key}">`;
  const body = html`${place}
    ${choices(request, item, { alone: true })}
    <div class="notice" data-state="review"><p>${icon('warning')}<span>Check in the service first. If you say that it is not there and it is, ${twice}.</span></p></div>
    <p class="actions"><button class="primary" hx-post="${request.link('/review')}" hx-target="#question" hx-swap="innerHTML">See what it does…</button></p>`;
  const look =
    item.about === 'post' && canLook(request.runtime)
      ? form(request, {
          path: '/review/look',
          body: html`${place}<input type="hidden" name="row" value="${campaign.id}.${row.position}"><button>${icon('again')}Look in the records now</button>`,
        })
      : '';
  return html`<section class="card doubt" aria-labelledby="decide">${head}${form(request, { path: '/review', body })}${look}</section>`;
}
