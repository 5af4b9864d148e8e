/** Budgets of the calls that a campaign makes: how much of each is in use. */
import { html } from 'hono/html';
import type { Outlook } from '../../../campaigns/progress/reader.ts';
import type { Html } from '../../html.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationTitle } from '../queues/names.ts';
import { shareInUse, usedOf } from '../queues/rates.ts';

/** Shown only while rows are at work, and only for budgets in use. All campaigns of an account share the budgets. */
export function budgetsInUse({ link }: PageRequest, { isUnderWay, budgets, campaign }: Outlook): Html {
  const used = isUnderWay ? budgets.filter(({ usedPerSecond }) => usedPerSecond > 0) : [];
  if (used.length === 0) return html`<div id="campaign-budgets"></div>`;
  const address = link(`/queues?${new URLSearchParams({ account: campaign.account })}#budgets`);
  return html`<section id="campaign-budgets" aria-labelledby="in-use">
    <div class="section"><h2 id="in-use">Budgets in use</h2><p><a href="${address}">All of account ${campaign.account}</a></p></div>
    <table><tbody>${used.map((budget) => {
      const share = shareInUse(budget);
      return html`<tr><th scope="row">${operationTitle(budget.operation)}</th><td class="use">${bar([{ state: 'running', share }], `${Math.round(share)} % in use`, 'thin')}<small>${usedOf(budget)}</small></td></tr>`;
    })}</tbody></table>
  </section>`;
}
