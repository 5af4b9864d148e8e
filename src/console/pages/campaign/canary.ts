/** The notice of a campaign that is held after its canary: the rows to look at, and the cost of the release. */
import { html } from 'hono/html';
import { isAtCanary } from '../../../campaigns/list.ts';
import { planRelease, type ReleasePlan } from '../../../campaigns/progress/release.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { count, moment, number } from '../../parts/numbers/numbers.ts';
import { shownRowStates, wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** Empty unless the campaign is held after its canary. */
export async function canarySection(request: PageRequest, campaign: Campaign): Promise<Html> {
  if (!isAtCanary(campaign)) return html`<div id="campaign-canary"></div>`;
  const plan = await planRelease(request.runtime, campaign, await request.progress.needs.of(campaign));
  const operator = mayChange(request);
  const button = html`<button class="primary">${icon('play')}Release ${count(plan.rows, 'row')}</button>`;
  return html`<div id="campaign-canary" class="notice" data-state="paused" role="status">
    <p>${icon('paused')}<span><b>Held after the canary: ${endedOf(campaign)}.</b>
    <small>${operator ? 'Check them in the service. Then release' : 'An operator can release'} the other ${plan.rows === 1 ? 'row' : number(plan.rows)}: ${takes(plan)}. The campaign does not hold again.</small>
    ${due(request, plan)}</span></p>
    ${operator ? form(request, { path: `/campaigns/${campaign.id}/resume`, body: button }) : ''}
  </div>`;
}

/** The next scheduled time among the held rows, and how many times have passed. */
function due({ zone, now }: PageRequest, { rows, nextAt, late }: ReleasePlan): Html | string {
  const passed = late === 0 ? '' : ` The time of ${count(late, 'row')} has passed.`;
  if (nextAt === undefined) return late === 0 ? '' : html`<small>${passed.trim()}</small>`;
  return html`<small>The next scheduled time ${rows === 1 ? '' : `among the ${number(rows)} `}is <b>${moment(nextAt, zone, now)}</b>: in ${describeDuration(nextAt - now)}.${passed}</small>`;
}

/** `the first 20 rows have ended, all posted`. */
function endedOf({ rows, counts }: Campaign): string {
  const begun = rows - counts.waiting;
  const states = shownRowStates.filter((state) => state !== 'waiting' && counts[state] > 0);
  const one = states.length === 1 && states[0] !== undefined ? `all ${wordOf(states[0])}` : undefined;
  const each = one ?? states.map((state) => `${number(counts[state])} ${wordOf(state)}`).join(', ');
  return `the first ${begun === 1 ? 'row has' : `${number(begun)} rows have`} ended, ${begun === 1 && states[0] ? wordOf(states[0]) : each}`;
}

function takes({ plan, shortestMs }: ReleasePlan): string {
  const time = `at least ${describeDuration(shortestMs)}`;
  if (plan === undefined) return time;
  const calls = Object.values(plan.calls).reduce((sum, many) => sum + many, 0);
  const outputs = plan.aiOutputs === 0 ? 'no AI outputs' : count(plan.aiOutputs, 'AI output');
  return `${count(calls, 'call')}, ${outputs}, ${time}`;
}
