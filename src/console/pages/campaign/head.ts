/** The head of a campaign: its state and its buttons. */
import { html } from 'hono/html';
import { isAtCanary } from '../../../campaigns/overview.ts';
import type { Campaign, PausedBy, PauseReason } from '../../../ledger/campaigns/campaigns.ts';
import { presentable } from '../../../manifest/presentable.ts';
import { capitalized } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import { form, mayChange } from '../../parts/form.ts';
import { icon } from '../../parts/icons.ts';
import { words } from '../../parts/language.ts';
import { count, moment, number, offset } from '../../parts/numbers/numbers.ts';
import { notice } from '../../parts/points.ts';
import { questionLink } from '../../parts/question.ts';
import { stateOfCampaign, stateTag } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { whyPaused } from './causes/said.ts';

/** @param creators number of creators in the sheet. */
export function head(request: PageRequest, campaign: Campaign, creators: number): Html {
  const { name, rows, account, source, createdAt, canary, state, pauseReason, pausedBy, released } = campaign;
  const { now, zone } = request;
  const whose = [`${count(rows, 'row')} for ${count(creators, 'creator')}`, `account ${account}`].join(' · ');
  const when = [
    `begun ${moment(createdAt, zone, now)}`,
    ...(canary === null
      ? []
      : [`canary of ${number(canary)}${released ? ` ${didAt(request, released)}` : ''}`]),
    ...(pausedBy?.did === 'resumed' && state === 'running' ? [didAt(request, pausedBy)] : []),
    ...(zone === request.usualZone ? [] : [`times in ${zone} (${offset(now, zone)})`]),
  ].join(' · ');
  const held =
    state === 'paused' && pauseReason && !isAtCanary(campaign)
      ? notice({ state: 'paused', text: whyHeld(request, campaign, pauseReason) }, goOn(request, campaign))
      : '';
  return html`<div id="campaign-head">
    <div class="head">
      <div>
        <h1>${words(name)} ${stateTag(stateOfCampaign(state), capitalized(state))}</h1>
        <p class="about">${whose} · sheet ${words(source.split('/').at(-1) ?? source)} · ${when}</p>
      </div>
      <div class="actions">${actions(request, campaign)}</div>
    </div>
    ${held}
  </div>`;
}

/** Who paused it, or the reason. */
function whyHeld(request: PageRequest, { pausedBy }: Campaign, reason: PauseReason): string {
  const { zone, now } = request;
  if (reason.code !== 'paused' || pausedBy?.did !== 'paused') return whyPaused(request, reason);
  return `Paused by ${presentable(pausedBy.by)}, ${moment(pausedBy.at, zone, now)}.`;
}

/** `released 14:53 by ops-1`. */
function didAt({ zone, now }: PageRequest, { did, at, by }: PausedBy): string {
  return `${did} ${moment(at, zone, now)} by ${presentable(by)}`;
}

/** An ended campaign is cancelled for its rows in review: they can no longer be sent then. */
function isCancellable({ state, cancelledAt, counts }: Campaign): boolean {
  if (state === 'ended') return cancelledAt === undefined && counts.review > 0;
  return state !== 'cancelling';
}

function actions(request: PageRequest, campaign: Campaign): Html {
  const { id, state } = campaign;
  const pause = form(request, {
    path: `/campaigns/${id}/pause`,
    body: html`<button>${icon('hold')}Pause</button>`,
  });
  const cancel = questionLink(request, `/campaigns/${id}/cancel`, 'Cancel campaign…', 'button danger');
  const into = questionLink(request, `/campaigns/${id}/into`, 'Hand in a mended sheet…');
  return html`${mayChange(request) && state === 'running' ? pause : ''}${results(request, campaign)}${mayChange(request) && campaign.cancelledAt === undefined ? into : ''}${mayChange(request) && isCancellable(campaign) ? cancel : ''}`;
}

function results({ link }: PageRequest, { id, rows, counts }: Campaign): Html {
  const file = (name: string) => link(`/campaigns/${id}/${name}`);
  const toMend = counts.failed + counts.review;
  return html`<details class="menu">
    <summary class="button">${icon('down')}Results</summary>
    <ul>
      <li><a href="${file('results.xlsx')}" download>Excel, ${count(rows, 'row')}</a></li>
      <li><a href="${file('results.csv')}" download>CSV, ${count(rows, 'row')}</a></li>
      ${toMend === 0 ? '' : html`<li><a href="${file('results.xlsx?only=failed,review')}" download>Excel, only the ${number(toMend)} to mend</a></li>`}
    </ul>
  </details>`;
}

function goOn(request: PageRequest, { id }: Campaign): Html | string {
  if (!mayChange(request)) return html`<p>An operator can resume it.</p>`;
  return form(request, {
    path: `/campaigns/${id}/resume`,
    body: html`<button>${icon('play')}Go on</button>`,
  });
}
