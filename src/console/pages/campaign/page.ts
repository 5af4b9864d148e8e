/** `/campaigns/ID`: how far it is and how long it takes, its steps, what failed and what it waits for, and its rows. */
import { freshMs } from '../../../app/campaigns/causes/causes.ts';
import type { Cause } from '../../../app/campaigns/causes/repair.ts';
import { findCampaign } from '../../../app/campaigns/find.ts';
import { deliveredCounts, readDeliveriesOf } from '../../../app/campaigns/post-status.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { presentable } from '../../../manifest/presentable.ts';
import { capitalized, describeDuration, describeRange } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { rateLimitsPath } from '../../parts/address.ts';
import { crumbs, liveStream } from '../../parts/blocks.ts';
import { count, endsBetween, inZoneOf, moment, number, timeLeft } from '../../parts/numbers.ts';
import {
  icon,
  iconOf,
  progressBar,
  queuedWord,
  type ShownRowState,
  shownRowStates,
  wordOf,
} from '../../parts/state.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { actionRoutes } from './actions.ts';
import { causesSection } from './causes.ts';
import { canarySection, head, leftOutNote } from './head.ts';
import { heldSection, nextPost, rateLimitsInUse, rateText, throughputSection, turnText } from './progress.ts';
import { positionsOf, rowsReader } from './row-lines.ts';
import { changedParts, readRows, rowsSection } from './rows.ts';
import { lane, tightOf } from './steps.ts';
import { intoRoutes } from './update.ts';

export const campaignRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns/:id', role: 'viewer', handle: showCampaignPage },
  { method: 'get', path: '/campaigns/:id/events', role: 'viewer', handle: streamCampaignPage },
  ...actionRoutes,
  ...intoRoutes,
];

/** @param readCauses reads the causes of a campaign, which takes long if many rows failed. */
async function look(
  request: PageRequest,
  found: Promise<Campaign>,
  readCauses: (campaign: Campaign) => Promise<readonly Cause[]>,
) {
  const { params, runtime, progress: reader } = request;
  const id = params.id ?? '';
  // What needs only the id is read with the campaign: each step of a page waits for Redis.
  const [now, creators, deliveries] = await Promise.all([
    found,
    runtime.ledger.campaigns.creatorCount(id),
    readDeliveriesOf(runtime, { id }),
  ]);
  // All figures of the page are of one reading.
  const { counts, steps } = await reader.figures(now);
  const campaign = { ...now, counts };
  const shown = deliveredCounts(campaign, deliveries);
  const withCosts = async (causes: readonly Cause[]) => ({
    causes,
    costs: await request.costs.of(runtime, campaign, causes),
  });
  const [{ causes, costs }, progress, throughput] = await Promise.all([
    readCauses(campaign).then(withCosts),
    reader.summary(campaign),
    reader.throughput(campaign),
  ]);
  return { campaign, causes, costs, creators, deliveries, progress, shown, steps, throughput };
}

type CampaignView = Awaited<ReturnType<typeof look>>;

async function showCampaignPage(request: PageRequest): Promise<Page> {
  const { runtime, params } = request;
  const id = params.id ?? '';
  // Read before the rows, on the same connection: a change between the two is then counted as new.
  const changed = runtime.ledger.changed.lastAt(id);
  const found = findCampaign(runtime, id);
  const [since, rows, seen] = await Promise.all([
    changed,
    readRows(request),
    look(request, found, (of) => request.progress.causes.of(of, freshMs)),
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
      <div class="two sides">${parts['campaign-causes']}<div>${parts['campaign-throughput']}${parts['campaign-held']}${parts['campaign-rate-limits']}</div></div>
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

function liveParts(request: PageRequest, seen: CampaignView): LiveParts {
  return {
    'campaign-head': head(request, seen),
    'campaign-counts': counts(request, seen),
    'campaign-steps': lane(request, seen.campaign, seen.steps, tightOf(seen.progress, seen.steps)),
    'campaign-throughput': throughputSection(request, seen.throughput),
    'campaign-held': heldSection(request, seen.progress),
    'campaign-rate-limits': rateLimitsInUse(request, seen.progress),
    'campaign-causes': causesSection(request, seen.campaign, seen.causes, seen.costs),
  };
}

function titleOf({ campaign, progress }: CampaignView): string {
  const { name, rows, counts } = campaign;
  const shown = presentable(name);
  return progress.isUnderWay ? `${number(counts.posted)} of ${number(rows)}, ${shown}` : shown;
}

/** Shown even while there is none, so that nothing moves when the first comes. */
const always: readonly ShownRowState[] = ['running', 'review', 'failed', 'waiting'];

function counts(request: PageRequest, seen: CampaignView): Html {
  const { campaign, shown, progress, steps } = seen;
  const { counts, rows, state, id } = campaign;
  const isOver = state === 'ended';
  const states = shownRowStates.filter(
    (each) =>
      shown[each] > 0 || (each === 'posted' && counts.posted === 0) || (!isOver && always.includes(each)),
  );
  const queued = tightOf(progress, steps)?.queued ?? 0;
  const item = (each: ShownRowState, many: number, word = wordOf(each)) =>
    html`<a href="${request.link(`/campaigns/${id}?state=${each}#rows`)}" data-state="${each}"${many === 0 && html` class="zero"`}>${icon(iconOf(each))} <b>${number(many)}</b> ${word}</a> `;
  const items = states.map((each) =>
    each === 'running' && queued > 0
      ? html`${item(each, queued, queuedWord)}${shown.running > queued ? item(each, shown.running - queued) : ''}`
      : item(each, shown[each]),
  );
  const [lead, more] = outlook(request, seen);
  return html`<div id="campaign-counts" data-title="${titleOf(seen)}">
    <div class="hero">
      <p class="figure">${number(counts.posted)}<small> of ${number(rows)} ${shown.scheduled + shown.unconfirmed > 0 ? 'accepted' : 'posted'}</small></p>
      <p class="eta"><b>${lead}</b> ${more}</p>
    </div>
    ${progressBar(shown, 'thick', queued)}
    <p class="counts">${items}</p>
    ${aheadLine(request, seen)}
  </div>`;
}

/** The posts that lie ahead: the service has them, so nothing here takes them back. */
function aheadLine(
  { now, zone, link }: PageRequest,
  { campaign, shown, deliveries: { firstAt, lastAt } }: CampaignView,
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

/** How long it takes and why, when its turn is, or when it ended. */
function outlook(request: PageRequest, seen: CampaignView): readonly [lead: string, more: Html | string] {
  const { now, zone, link } = request;
  const { campaign, progress, deliveries } = seen;
  const { state, endedAt, cancelledAt, workedMs, counts } = campaign;
  const at = (ms: number) => moment(ms, zone, now);
  if (state === 'cancelling') return ['Being cancelled', ''];
  if (state === 'paused')
    return ['Paused', `${count(counts.waiting + counts.running, 'row')} not posted yet`];
  if (state === 'ended') {
    const took = workedMs === undefined ? '' : `worked for ${describeDuration(workedMs)}`;
    const { firstAt, lastAt } = deliveries;
    if (cancelledAt !== undefined)
      return [
        `Cancelled ${at(cancelledAt)}`,
        counts.cancelled === 0 ? '' : `${count(counts.cancelled, 'row')} will not be posted`,
      ];
    if (firstAt !== undefined)
      return [
        `Next post ${at(firstAt)}`,
        lastAt === undefined || lastAt === firstAt ? '' : `last ${at(lastAt)}`,
      ];
    return [endedAt === undefined ? 'Ended' : `Ended ${at(endedAt)}`, took];
  }
  const { pace, turn, heldBackBy } = progress;
  if (turn) return [nextPost(turn), turnText(progress, turn)];
  const [hold] = heldBackBy;
  const why = hold && html`<a href="${link(rateLimitsPath)}">${rateText(hold)}</a>`;
  if (pace === undefined) return [estimateOf(progress), why ?? 'Too few rows have ended.'];
  const ends = endsBetween(pace, now, zone);
  const facts = [html`${count(Math.round(pace.rowsPerMinute), 'row')} a minute`, why ?? '', ends].filter(
    (fact) => fact !== '',
  );
  return [
    capitalized(timeLeft(pace)),
    html`${facts.map((fact, index) => html`${index > 0 ? ' · ' : ''}${fact}`)}`,
  ];
}

/** Without a pace, only what the rate limit of posts allows is known. */
function estimateOf({ campaign, ended, heldBackBy }: CampaignView['progress']): string {
  const hold = heldBackBy.find(({ operation }) => operation === 'createCreatorPost');
  if (hold === undefined) return 'No estimate yet';
  const left = campaign.rows - ended - campaign.asleep;
  return `${capitalized(describeRange((left / hold.perSecond) * 1000, undefined))} left`;
}
