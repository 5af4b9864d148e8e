/** `/campaigns/ID`: progress, what holds the campaign back, what failed, and its rows. */
import { causesOf } from '../../../campaigns/causes/causes.ts';
import { deliveredCounts, readDeliveriesOf } from '../../../campaigns/deliveries.ts';
import type { Cause } from '../../../campaigns/documents/campaign.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { presentable } from '../../../manifest/presentable.ts';
import { capitalized } from '../../../runtime/wording.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { rateLimitsPath } from '../../parts/address.ts';
import { crumbs, liveStream } from '../../parts/blocks.ts';
import { count, endsBetween, inZoneOf, moment, number, timeLeft } from '../../parts/numbers.ts';
import { icon, iconOf, progressBar, type ShownRowState, shownRowStates, wordOf } from '../../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { describeRate, operationWord } from '../queues/rate-limits.ts';
import { actionRoutes } from './actions.ts';
import { causesSection } from './causes.ts';
import { canarySection, head, leftOutNote } from './head.ts';
import { heldSection, lane, rateLimitsInUse, throughputSection } from './progress.ts';
import { changedParts, positionsOf, readRows, rowsReader, rowsSection } from './rows.ts';
import { decisionsRoutes } from './sheet/decisions.ts';
import { intoRoutes } from './sheet/into.ts';

export const campaignRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns/:id', role: 'viewer', handle: showCampaignPage },
  { method: 'get', path: '/campaigns/:id/events', role: 'viewer', handle: streamCampaignPage },
  ...actionRoutes,
  ...intoRoutes,
  ...decisionsRoutes,
];

/** @param readCauses reads the causes of a campaign, which takes long if many rows failed. */
async function look(
  request: PageRequest,
  found: Promise<Campaign>,
  readCauses: (campaign: Campaign) => Promise<readonly Cause[]>,
) {
  const counted = request.runtime.ledger.campaigns.creatorCount(request.params.id ?? '');
  const [now, creators] = await Promise.all([found, counted]);
  // All figures of the page are of one reading.
  const [{ counts, steps }, deliveries] = await Promise.all([
    request.progress.figures(now),
    readDeliveriesOf(request.runtime, now),
  ]);
  const campaign = { ...now, counts };
  const shown = deliveredCounts(campaign, deliveries);
  const withCosts = async (causes: readonly Cause[]) => ({
    causes,
    costs: await request.costs.of(request.runtime, campaign, causes),
  });
  const [{ causes, costs }, progress, throughput] = await Promise.all([
    readCauses(campaign).then(withCosts),
    request.progress.summary(campaign),
    request.progress.throughput(campaign),
  ]);
  return { campaign, causes, costs, creators, deliveries, progress, shown, steps, throughput };
}

type Seen = Awaited<ReturnType<typeof look>>;

async function showCampaignPage(request: PageRequest): Promise<Page> {
  const { runtime, params } = request;
  const id = params.id ?? '';
  // Read before the rows, on the same connection: a change between the two is then counted as new.
  const changed = runtime.ledger.changed.lastAt(id);
  const found = findCampaign(runtime, id);
  const [since, rows, seen] = await Promise.all([
    changed,
    readRows(request),
    look(request, found, (of) => causesOf(runtime.ledger, of)),
  ]);
  const { campaign } = seen;
  const at = inZoneOf(request, campaign);
  const parts = liveParts(at, seen);
  return {
    kind: 'page',
    hasPlots: true,
    title: titleOf(seen),
    section: '/campaigns',
    zone: at.zone,
    stream: `/campaigns/${campaign.id}/events?${new URLSearchParams({ since: String(since), at: String(request.now), shown: positionsOf(rows) })}`,
    main: html`
      ${crumbs(request, [['/campaigns', 'Campaigns']], campaign.id)}
      ${parts['campaign-head']}
      ${await leftOutNote(at, campaign)}
      ${await canarySection(at, campaign)}
      ${parts['campaign-counts']}
      ${parts['campaign-steps']}
      <div class="two">${parts['campaign-throughput']}<div>${parts['campaign-held']}${parts['campaign-rate-limits']}</div></div>
      ${parts['campaign-causes']}
      ${rowsSection(at, seen, rows)}`,
  };
}

function streamCampaignPage(request: PageRequest): Stream {
  const { params, query } = request;
  const time = (name: string) => Math.min(Math.max(0, Number(query.get(name)) || 0), request.now);
  const [since, loadedAt] = [time('since'), time('at')];
  let kept: { readonly of: string; readonly part: Html } | undefined;
  // The cost of a release is read from the rows, so only again when their number has changed.
  const canary = async (at: PageRequest, campaign: Campaign) => {
    const of = `${campaign.state} ${campaign.counts.waiting}`;
    if (kept?.of !== of) kept = { of, part: await canarySection(at, campaign) };
    return kept.part;
  };
  const read = async (at: PageRequest) => {
    const found = findCampaign(at.runtime, params.id ?? '');
    const seen = await look(at, found, (of) => at.progress.causes.of(of));
    return { ...liveParts(at, seen), 'campaign-canary': await canary(at, seen.campaign) };
  };
  const readListed = rowsReader(request, query.get('shown') ?? '');
  const readOwn = async () => {
    const [changed, listed] = await Promise.all([changedParts(request, since, loadedAt), readListed()]);
    return { ...changed, ...listed };
  };
  return liveStream(request, `campaign ${params.id}`, read, readOwn);
}

function liveParts(request: PageRequest, seen: Seen): LiveParts {
  return {
    'campaign-head': head(request, seen),
    'campaign-counts': counts(request, seen),
    'campaign-steps': lane(request, seen.campaign, seen.steps),
    'campaign-throughput': throughputSection(request, seen.throughput),
    'campaign-held': heldSection(request, seen.progress),
    'campaign-rate-limits': rateLimitsInUse(request, seen.progress),
    'campaign-causes': causesSection(request, seen.campaign, seen.causes, seen.costs),
  };
}

function titleOf({ campaign, progress }: Seen): string {
  const { name, rows, counts } = campaign;
  const shown = presentable(name);
  return progress.isUnderWay ? `${number(counts.posted)} of ${number(rows)}, ${shown}` : shown;
}

function counts(request: PageRequest, seen: Seen): Html {
  const { campaign, shown } = seen;
  const always = ['running', 'review', 'failed', 'waiting'];
  const isAlways = (state: ShownRowState) =>
    always.includes(state) || (state === 'posted' && campaign.counts.posted === 0);
  const states = shownRowStates.filter((state) => isAlways(state) || shown[state] > 0);
  return html`<div id="campaign-counts" data-title="${titleOf(seen)}">
    <ul class="tally">
      ${states.map(
        (state) =>
          html`<li><a href="${request.link(`/campaigns/${campaign.id}?state=${state}#rows`)}" data-state="${state}">${icon(iconOf(state))} ${capitalized(wordOf(state))} <b>${number(shown[state])}</b></a></li>`,
      )}
    </ul>
    ${progressBar(shown)}
    ${aheadLine(request, seen)}
    ${paceLine(request, seen)}
  </div>`;
}

/** The posts that lie ahead: the service has them, so nothing here takes them back. */
function aheadLine(
  { now, zone, link }: PageRequest,
  { campaign, shown, deliveries: { firstAt, lastAt } }: Seen,
): Html | string {
  const { scheduled, unconfirmed } = shown;
  const file = (of: ShownRowState) => link(`/campaigns/${campaign.id}/results.xlsx?only=${of}`);
  const times =
    firstAt === undefined || lastAt === undefined
      ? ''
      : firstAt === lastAt
        ? `, on ${moment(firstAt, zone, now)}`
        : `, from ${moment(firstAt, zone, now)} to ${moment(lastAt, zone, now)}`;
  return html`${
    scheduled === 0
      ? ''
      : html`<p class="note after">The service publishes ${count(scheduled, 'accepted post')}${times}. To withdraw one, delete it in the service: cancelling here does not. <a href="${file('scheduled')}" download>Sheet of ${scheduled === 1 ? 'it' : 'them'}, with post ids</a></p>`
  }${
    unconfirmed === 0
      ? ''
      : html`<p class="note after">The time of ${count(unconfirmed, 'post')} has passed, and no publishing record confirms ${unconfirmed === 1 ? 'it' : 'them'} yet. <a href="${file('unconfirmed')}" download>Sheet of ${unconfirmed === 1 ? 'it' : 'them'}, with post ids</a></p>`
  }`;
}

function paceLine({ now, zone, link }: PageRequest, { progress }: Seen): Html | string {
  const { pace, heldBackBy, isUnderWay, campaign } = progress;
  if (!isUnderWay || pace === undefined) return '';
  const ends = endsBetween(pace, now, zone);
  const [hold] = campaign.state === 'running' ? heldBackBy : [];
  const address = link(rateLimitsPath(campaign.account));
  const held =
    hold === undefined
      ? ''
      : html` <span><a href="${address}"><b>Rate-limited: ${operationWord(hold.operation)}</b></a>, ${describeRate(hold.perSecond)}</span>`;
  return html`<p class="pace-line"><span><b>${timeLeft(pace)}</b>${ends === '' ? '' : `, ${ends}`}</span> <span><b>${count(Math.round(pace.rowsPerMinute), 'row')} a minute</b></span>${held}</p>`;
}
