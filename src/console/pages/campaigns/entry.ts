/** One campaign in the list: name and state, rows by state, and its outlook or outcome. */

import { shownCounts } from '../../../campaigns/find.ts';
import { type CampaignOverview, isAtCanary } from '../../../campaigns/list.ts';
import type { Outlook } from '../../../campaigns/progress/reader.ts';
import type { Campaign } from '../../../ledger/campaigns/campaigns.ts';
import type { RowState } from '../../../ledger/states.ts';
import { capitalized, describeDuration } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { count, endsBetween, moment, number, timeLeft } from '../../parts/numbers.ts';
import { countLinks, progressBar, stateBadge, stateOfCampaign } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { titleOf, whyPaused } from '../campaign/causes.ts';
import { heldPoints } from '../campaign/held.ts';

export function entry(request: PageRequest, overview: CampaignOverview): Html {
  const { link, zone, now } = request;
  const { campaign, creators } = overview;
  const { id, name, state, rows, account, createdAt, pauseReason } = campaign;
  const counts = shownCounts(campaign);
  const page = link(`/campaigns/${id}`);
  const address = (rowState: RowState) => `${page}?state=${rowState}#rows`;
  const word = state === 'paused' && pauseReason ? pauseWord(pauseReason.code) : state;
  return html`<li id="campaign-${id}">
    <div>
      <h2><a href="${page}">${words(name)}</a></h2>
      <p>${stateBadge(stateOfCampaign(state), word)}</p>
      <p>${id}, account ${account}, ${count(creators, 'creator')}<br>began ${moment(createdAt, zone, now)}</p>
    </div>
    <div>
      <p><b>${number(counts.posted)}</b> of ${number(rows)} posted</p>
      ${progressBar(counts)}
      ${countLinks(counts, address)}
    </div>
    <div>${outcome(request, overview)}</div>
  </li>`;
}

const toDo = { settle: 'to decide', mend: 'to mend', retry: 'to retry', authorize: 'stopped' } as const;

/** The reason of a pause; empty for a pause by a person. */
function pauseWord(code: string): string {
  return code === 'paused' ? 'paused' : `paused: ${code.replaceAll('_', ' ')}`;
}

function outcome(request: PageRequest, overview: CampaignOverview): Html {
  const { campaign, outlook } = overview;
  if (campaign.state === 'paused') return paused(request, campaign);
  return outlook === undefined ? ended(request, overview) : running(request, outlook);
}

function paused(request: PageRequest, campaign: Campaign): Html {
  const { link } = request;
  const { id, counts, pauseReason } = campaign;
  const begun = campaign.rows - counts.waiting;
  const text = isAtCanary(campaign)
    ? html`${begun === 1 ? 'The first row has' : `The first ${number(begun)} rows have`} ended. <a href="${link(`/campaigns/${id}`)}">Look at them</a>, then release ${counts.waiting === 1 ? 'the other row' : `the other ${number(counts.waiting)}`}.`
    : words(whyPaused(request, pauseReason));
  return html`<p class="lead">Waits for you</p><p>${text}</p>`;
}

function running(request: PageRequest, outlook: Outlook): Html {
  const { now, zone } = request;
  const { pace, campaign } = outlook;
  const [held] = heldPoints(request, outlook);
  const left = campaign.state === 'cancelling' ? 'Being cancelled' : pace === undefined ? '' : timeLeft(pace);
  const facts = pace && [
    endsBetween(pace, now, zone),
    `${count(Math.round(pace.rowsPerMinute), 'row')} a minute`,
  ];
  const said = facts?.filter((fact) => fact !== '').join('. ');
  return html`${left === '' ? '' : html`<p class="lead">${left}</p>`}${said ? html`<p>${capitalized(said)}.</p>` : ''}${held ? html`<p>${held.what}. ${held.more ?? ''}</p>` : ''}`;
}

function ended({ link, zone, now }: PageRequest, { campaign, causes }: CampaignOverview): Html {
  const { id, rows, counts, endedAt, workedMs } = campaign;
  const took = workedMs === undefined ? '' : `Worked for ${describeDuration(workedMs)}. `;
  const [first, ...others] = causes;
  const cause = first
    ? html`<p><a href="${link(`/campaigns/${id}#causes`)}">${number(first.rows)} ${toDo[first.repair]}</a>: ${words(titleOf(first))}${others.length === 0 ? '' : ` (and ${count(others.length, 'other cause')})`}</p>`
    : '';
  const all = counts.posted === rows ? 'All posted.' : '';
  return html`<p class="lead">Ended ${endedAt === undefined ? '' : moment(endedAt, zone, now)}</p><p>${took}${all}</p>${cause}`;
}
