/** The causes of failed rows and rows in review, each with one action. */

import { html } from 'hono/html';
import { type Cause, otherCodes } from '../../../../campaigns/causes/causes.ts';
import type { RepairCost } from '../../../../campaigns/retry/retry-costs.ts';
import type { Campaign } from '../../../../ledger/campaigns/campaigns.ts';
import { stepFacts } from '../../../../manifest/steps.ts';
import type { Html } from '../../../html.ts';
import { mayChange } from '../../../parts/form.ts';
import { icon } from '../../../parts/icons.ts';
import { words } from '../../../parts/language.ts';
import { count, moment, number } from '../../../parts/numbers/numbers.ts';
import { questionLink } from '../../../parts/question.ts';
import type { PageRequest } from '../../../request.ts';
import { creatorPath } from '../../row/address.ts';
import { inZone } from './said.ts';
import { detailOf, titleOf } from './title.ts';

interface CausesSeen {
  readonly campaign: Campaign;
  readonly causes: readonly Cause[];
  /** Costs of a retry, for causes where they are known beforehand. */
  readonly costs: ReadonlyMap<Cause, RepairCost>;
}

export function causesSection(request: PageRequest, { campaign, causes, costs }: CausesSeen): Html {
  if (causes.length === 0) return html`<div id="campaign-causes"></div>`;
  const rows = campaign.counts.failed + campaign.counts.review;
  // The most rows first; causes in review last.
  const sorted = [...causes].sort(
    (one, other) => Number(one.state === 'review') - Number(other.state === 'review'),
  );
  return html`<section id="campaign-causes" aria-labelledby="causes">
    <div class="section"><h2 id="causes">What did not come through</h2><p>${count(rows, 'row')}, ${count(causes.length, 'cause')}. Nothing is sent before you confirm.</p></div>
    <ul class="causes">${sorted.map((cause) => causeItem(request, campaign.id, cause, costs.get(cause)))}</ul>
  </section>`;
}

function causeItem(request: PageRequest, id: string, cause: Cause, cost: RepairCost | undefined): Html {
  const { state, code, step, rows, isEstimate, subjects, since, note } = cause;
  // `otherCodes` sums up all causes beyond the hundredth; no filter finds their rows alone.
  const query = new URLSearchParams(code === otherCodes ? { state } : { state, code, step });
  const { zone, now } = request;
  const when = since === undefined ? '' : `, since ${moment(Date.parse(since), zone, now)}`;
  const about = subjects.length > 3 ? `${subjects.slice(0, 2).join(', ')} and others` : subjects.join(', ');
  const who = about === '' ? '' : `, about ${about}`;
  return html`<li data-state="${state}">
    <p class="many">${icon(state)}<b>${isEstimate ? 'about ' : ''}${number(rows)}</b> <span>${rows === 1 ? 'row' : 'rows'}</span></p>
    <div>
      <h3>${words(titleOf(cause))}</h3>
      <p>${stepFacts[step].title}${when}${words(who)}. ${detailOf(cause)}<code>${code}</code></p>
      ${note === undefined ? '' : html`<p>${words(inZone(request, note))}</p>`}
      <p><a href="${request.link(`/campaigns/${id}?${query}#rows`)}">Show the rows</a></p>
    </div>
    <div class="cure">${cure(request, id, cause, cost)}</div>
  </li>`;
}

function cure(
  request: PageRequest,
  id: string,
  { code, step, repair, rows, subjects, cure: text }: Cause,
  cost: RepairCost | undefined,
): Html {
  const { link } = request;
  const what = text ? html`<p>${words(text)}</p>` : '';
  if (repair === 'settle') {
    const address = link(`/review?campaign=${id}`);
    return mayChange(request)
      ? html`${what}<a class="button" href="${address}">Decide ${count(rows, 'row')}</a>`
      : html`${what}<p>An operator can decide. <a href="${address}">Look at ${count(rows, 'row')}</a></p>`;
  }
  if (repair === 'mend') {
    const sheet = link(
      `/campaigns/${id}/results.xlsx?${new URLSearchParams({ only: 'failed', error: code })}`,
    );
    const again = questionLink(request, `/campaigns/${id}/into`, 'hand the sheet in again', '');
    return html`${what}<a class="button" href="${sheet}" download>${icon('down')}Download ${count(rows, 'row')} to mend</a>${mayChange(request) ? html`<p>Then ${again}.</p>` : ''}`;
  }
  if (!mayChange(request))
    return html`${what}<p>An operator can retry ${rows === 1 ? 'this row' : 'these rows'}.</p>`;
  if (repair === 'authorize') {
    const [only, ...others] = subjects;
    const which = only !== undefined && others.length === 0 ? count(rows, 'row') : 'rows';
    const who = which === 'rows' ? 'the creators' : words(only ?? 'the creator');
    const links = subjects.map((creator) =>
      questionLink(request, creatorPath(id, creator), html`Retry ${which} of ${words(creator)}…`),
    );
    return html`<p>Let ${who} authorize again. Then:</p><span class="actions">${links}</span>${takes(cost)}`;
  }
  const query = new URLSearchParams({ code, step });
  const many = cost?.rows ?? rows;
  if (many === 0) return html`${what}<p>${leftOut(cost)}</p>`;
  return html`${what}${questionLink(request, `/campaigns/${id}/retry?${query}`, `Retry ${count(many, 'row')}…`)}${takes(cost)}`;
}

function takes(cost: RepairCost | undefined): Html | string {
  if (cost === undefined) return '';
  const { calls, aiOutputs } = cost;
  const outputs =
    aiOutputs === 0
      ? 'no AI outputs'
      : `${count(aiOutputs, 'AI output')}, which ${aiOutputs === 1 ? 'costs' : 'cost'} again`;
  return html`<p>At least ${count(calls, 'call')}, ${outputs}. ${leftOut(cost)}</p>`;
}

function leftOut(cost: RepairCost | undefined): string {
  if (cost === undefined || cost.leftOut.length === 0) return 'Leaves out no row.';
  return cost.leftOut.map(({ rows, why }) => `Leaves out ${count(rows, 'row')}: ${why}.`).join(' ');
}
