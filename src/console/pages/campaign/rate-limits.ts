/** Rate limits of the calls that a campaign makes: how much of each is in use. */
import { html } from 'hono/html';
import type { Outlook } from '../../../campaigns/progress/reader.ts';
import type { Html } from '../../html.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationTitle } from '../queues/names.ts';
import { shareInUse, usedOf } from '../queues/rates.ts';

/** Shown only while rows are at work, and only for rate limits in use. All campaigns of an account share the rate limits. */
export function rateLimitsInUse({ link }: PageRequest, { isUnderWay, rateLimits, campaign }: Outlook): Html {
  const used = isUnderWay ? rateLimits.filter(({ usedPerSecond }) => usedPerSecond > 0) : [];
  if (used.length === 0) return html`<div id="campaign-rate-limits"></div>`;
  const address = link(`/queues?${new URLSearchParams({ account: campaign.account })}#rate-limits`);
  return html`<section id="campaign-rate-limits" aria-labelledby="in-use">
    <div class="section"><h2 id="in-use">Rate limits in use</h2><p><a href="${address}">All of account ${campaign.account}</a></p></div>
    <table><tbody>${used.map((rateLimit) => {
      const share = shareInUse(rateLimit);
      return html`<tr><th scope="row">${operationTitle(rateLimit.operation)}</th><td class="use">${bar([{ state: 'running', share }], `${Math.round(share)} % in use`, 'thin')}<small>${usedOf(rateLimit)}</small></td></tr>`;
    })}</tbody></table>
  </section>`;
}
