/** What stands in the list of campaigns: the card of things that wait for a person, drafts, and one entry for each campaign. */
import { deliveredCounts } from '../../../campaigns/deliveries.ts';
import { type CampaignOverview, isAtCanary, type Waiting } from '../../../campaigns/list.ts';
import type { ProgressSummary } from '../../../campaigns/progress/reader.ts';
import type { Draft } from '../../../drafts/draft.ts';
import type { AllDrafts } from '../../../drafts/drafts.ts';
import { draftKeptMs } from '../../../drafts/expiry.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { capitalized, describeDuration } from '../../../runtime/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { type Point, point } from '../../parts/blocks.ts';
import { count, dayAndMonth, endsBetween, moment, number, timeLeft } from '../../parts/numbers.ts';
import {
  countLinks,
  progressBar,
  type ShownRowState,
  stateBadge,
  stateOfCampaign,
} from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { titleOf, whyPaused } from '../campaign/causes.ts';
import { heldPoints } from '../campaign/progress.ts';

export function entry(request: PageRequest, overview: CampaignOverview): Html {
  const { link, zone, now } = request;
  const { campaign, creators, deliveries } = overview;
  const { id, name, state, rows, account, createdAt, pauseReason } = campaign;
  const counts = deliveredCounts(campaign, deliveries);
  const sent = counts.scheduled + counts.unconfirmed > 0 ? 'accepted' : 'posted';
  const page = link(`/campaigns/${id}`);
  const address = (rowState: ShownRowState) => `${page}?state=${rowState}#rows`;
  const [shown, usual] = stateOfCampaign(campaign, now);
  const word = state === 'paused' && pauseReason ? pauseWord(pauseReason.code) : usual;
  return html`<li id="campaign-${id}">
    <div>
      <h2><a href="${page}">${words(name)}</a></h2>
      <p>${stateBadge(shown, word)}</p>
      <p>${id}, account ${account}, ${count(creators, 'creator')}<br>began ${moment(createdAt, zone, now)}</p>
    </div>
    <div>
      <p><b>${number(campaign.counts.posted)}</b> of ${number(rows)} ${sent}</p>
      ${progressBar(counts)}
      ${countLinks(counts, address)}
    </div>
    <div>${outcome(request, overview)}</div>
  </li>`;
}

const toDo = { settle: 'to decide', mend: 'to fix', retry: 'to retry', authorize: 'stopped' } as const;

/** The reason of a pause; empty for a pause by a person. */
function pauseWord(code: string): string {
  return code === 'paused' ? 'paused' : `paused: ${code.replaceAll('_', ' ')}`;
}

function outcome(request: PageRequest, overview: CampaignOverview): Html {
  const { campaign, summary } = overview;
  if (campaign.state === 'paused') return pausedCampaign(request, campaign);
  return summary === undefined ? ended(request, overview) : running(request, summary);
}

function pausedCampaign(request: PageRequest, campaign: Campaign): Html {
  const { link } = request;
  const { id, counts, pauseReason } = campaign;
  const begun = campaign.rows - counts.waiting;
  const text = isAtCanary(campaign)
    ? html`${campaign.canaryOf !== undefined ? `The canary (${campaign.canaryOf}) has` : begun === 1 ? 'The first row has' : `The first ${number(begun)} rows have`} ended. <a href="${link(`/campaigns/${id}`)}">Look at them</a>, then release ${counts.waiting === 1 ? 'the other row' : `the other ${number(counts.waiting)}`}.`
    : words(whyPaused(request, pauseReason));
  return html`<p class="lead">Waiting for you</p><p>${text}</p>`;
}

function running(request: PageRequest, summary: ProgressSummary): Html {
  const { now, zone } = request;
  const { pace, campaign } = summary;
  const [held] = heldPoints(request, summary);
  const left = campaign.state === 'cancelling' ? 'Being cancelled' : pace === undefined ? '' : timeLeft(pace);
  const facts = pace && [
    endsBetween(pace, now, zone),
    `${count(Math.round(pace.rowsPerMinute), 'row')} a minute`,
  ];
  const said = facts?.filter((fact) => fact !== '').join('. ');
  return html`${left === '' ? '' : html`<p class="lead">${left}</p>`}${said ? html`<p>${capitalized(said)}.</p>` : ''}${held ? html`<p>${held.what}. ${held.more ?? ''}</p>` : ''}`;
}

function ended({ link, zone, now }: PageRequest, { campaign, deliveries, causes }: CampaignOverview): Html {
  const { id, rows, counts, endedAt, workedMs } = campaign;
  const took = workedMs === undefined ? '' : `Worked for ${describeDuration(workedMs)}. `;
  const [first, ...others] = causes;
  const cause = first
    ? html`<p><a href="${link(`/campaigns/${id}#causes`)}">${number(first.rows)} ${toDo[first.repair]}</a>: ${words(titleOf(first))}${others.length === 0 ? '' : ` (and ${count(others.length, 'other cause')})`}</p>`
    : '';
  const isLive = deliveries.scheduled + deliveries.unconfirmed === 0;
  const all = counts.posted === rows ? `All ${isLive ? 'posted' : 'accepted'}.` : '';
  const { firstAt, lastAt } = deliveries;
  const ahead =
    firstAt === undefined || lastAt === undefined
      ? html`Ended ${endedAt === undefined ? '' : moment(endedAt, zone, now)}`
      : html`Next post ${moment(firstAt, zone, now)}${lastAt === firstAt ? '' : html`, last ${moment(lastAt, zone, now)}`}`;
  return html`<p class="lead">${ahead}</p><p>${took}${all}</p>${cause}`;
}

const pausedShown = 6;

export function waitingSection(request: PageRequest, waiting: Waiting): Html | string {
  const points = [
    ...review(request, waiting.inReview),
    ...authorize(request, waiting.stopped),
    ...paused(request, waiting.paused),
  ];
  if (points.length === 0) return '';
  return html`<section class="card" aria-labelledby="waits">
    <h2 id="waits">Waiting for a person</h2>
    <ul class="points across">${points.map(point)}</ul>
  </section>`;
}

function review({ link }: PageRequest, campaigns: Waiting['inReview']): readonly Point[] {
  const rows = campaigns.reduce((sum, { counts }) => sum + counts.review, 0);
  if (rows === 0) return [];
  return [
    {
      state: 'review',
      what: html`<a href="${link('/review')}">${count(rows, 'row')} to decide</a>`,
      more: html`${namesOf(campaigns)}: outcome unknown, ${rows === 1 ? 'it' : 'they'} may already exist`,
    },
  ];
}

function authorize({ link }: PageRequest, stopped: Waiting['stopped']): readonly Point[] {
  const [first] = stopped;
  if (first === undefined) return [];
  const creators = [...new Set(stopped.flatMap((one) => one.creators))];
  const rows = stopped.reduce((sum, one) => sum + one.rows, 0);
  return [
    {
      state: 'failed',
      what: html`<a href="${link(`/campaigns/${first.campaign.id}#causes`)}">${count(creators.length, 'creator')} to authorize again</a>`,
      more: html`${words(creators.slice(0, 3).join(', '))}${creators.length > 3 ? ` and ${number(creators.length - 3)} more` : ''}: ${count(rows, 'row')} stopped`,
    },
  ];
}

function paused(request: PageRequest, campaigns: Waiting['paused']): readonly Point[] {
  const { link } = request;
  const points = campaigns.slice(0, pausedShown).map((campaign): Point => {
    const { id, name, counts, pauseReason } = campaign;
    const more = isAtCanary(campaign)
      ? html`${words(name)}: ${number(counts.posted)} posted`
      : html`${words(whyPaused(request, pauseReason))}`;
    const what = isAtCanary(campaign) ? '1 canary to look at' : html`${words(name)} is paused`;
    return { state: 'paused', what: html`<a href="${link(`/campaigns/${id}`)}">${what}</a>`, more };
  });
  const left = campaigns.length - points.length;
  if (left === 0) return points;
  const all = html`<a href="${link('/campaigns?state=paused')}">${number(left)} more paused</a>`;
  return [...points, { state: 'paused', what: all }];
}

function namesOf(campaigns: readonly Campaign[]): Html {
  const [first, ...others] = campaigns;
  return html`${words(first?.name ?? '')}${others.length === 0 ? '' : ` and ${number(others.length)} more`}`;
}

const draftsShown = 12;

export function draftsSection(request: PageRequest, { drafts, unreadable }: AllDrafts): Html | string {
  const open = drafts.filter(({ campaign }) => campaign === undefined);
  if (open.length + unreadable.length === 0) return '';
  const shown = request.query.get('drafts') === 'all' ? open.length : draftsShown;
  const more = open.length - shown;
  return html`<section class="card" aria-labelledby="drafts">
    <h2 id="drafts">Drafts</h2>
    <ul class="points across">${open.slice(0, shown).map((draft) => item(request, draft))}${unreadable.map((draft) => unreadableItem(request, draft))}</ul>
    ${more > 0 ? html`<p class="note">${number(more)} older ones are not shown. <a href="${request.link('/campaigns?drafts=all')}">Show all</a></p>` : ''}
  </section>`;
}

function item({ link, zone, now }: PageRequest, { id, sheet, options, into, changedAt, owner }: Draft): Html {
  const name = options.name ?? sheet?.name ?? 'Without a sheet yet';
  const what = into === undefined ? '' : ` into ${into}`;
  return point({
    state: 'waiting',
    what: html`<a href="${link(`/campaigns/new/${id}`)}">${words(name)}${what}</a>`,
    more: html`of ${words(owner)}, changed ${moment(changedAt, zone, now)}, kept until ${dayAndMonth(changedAt + draftKeptMs, zone, now)}`,
  });
}

function unreadableItem(
  { zone, now }: PageRequest,
  { id, changedAt }: AllDrafts['unreadable'][number],
): Html {
  return point({
    state: 'failed',
    what: html`A draft that cannot be read`,
    more: html`its record is damaged; the original sheet is on the server, in <code>drafts/${id}/sheet</code> of the data directory. Kept until ${dayAndMonth(changedAt + draftKeptMs, zone, now)}`,
  });
}
