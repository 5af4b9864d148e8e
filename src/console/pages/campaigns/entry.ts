/** What stands in the list of campaigns: a card for each that runs, one line for each other and for each draft. */

import { parse } from 'node:path';
import { mayDo } from '../../../app/access/roles.ts';
import { type CampaignOverview, isAtCanary } from '../../../app/campaigns/list.ts';
import { deliveredCounts, isAllReady } from '../../../app/campaigns/post-status.ts';
import type { ProgressSummary } from '../../../app/campaigns/progress/reader.ts';
import type { Draft } from '../../../app/drafts/draft.ts';
import type { AllDrafts } from '../../../app/drafts/drafts.ts';
import { draftKeptMs } from '../../../app/drafts/expiry.ts';
import { findCounts, type KeptCounts } from '../../../app/drafts/planned.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { capitalized, describeRange, plural, thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { spark } from '../../parts/figures.ts';
import { dayAndMonth, moment, timeLeft } from '../../parts/numbers.ts';
import { plannedPictures } from '../../parts/picture.ts';
import { film } from '../../parts/post-pictures.ts';
import {
  bar,
  icon,
  iconOf,
  progressBar,
  type ShownState,
  stateOfCampaign,
  wordOf,
} from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { titleOf } from '../campaign/causes.ts';
import { estimateOf, heldPoints, nextPost, rateText, turnText } from '../campaign/progress.ts';

/** A campaign that posts now: how far it is, how long it takes, why, and its last posts. */
export function card(request: PageRequest, overview: CampaignOverview, posted: Html | string): Html {
  const { link, zone, now } = request;
  const { campaign, deliveries, summary, throughput } = overview;
  const { id, name, rows, createdAt } = campaign;
  const counts = deliveredCounts(campaign, deliveries);
  const [shown, word] = stateOfCampaign(campaign, counts);
  const tallies = (['failed', 'review'] as const)
    .filter((each) => counts[each] > 0)
    .map(
      (each) =>
        html`<span data-state="${each}">${icon(each)} <b>${thousands(counts[each])}</b> ${wordOf(each)}</span>`,
    );
  // It may have ended since the page was loaded.
  const [lead, more] = summary ? outlook(request, summary) : [capitalized(word), whenOf(request, overview)];
  const why = summary && campaign.state === 'running' ? whyNotFaster(request, summary) : '';
  return html`<li id="campaign-${id}"><a class="card run" href="${link(`/campaigns/${id}`)}">
    <header><h3>${words(name)}</h3><span data-state="${shown}">${icon(iconOf(shown))}<span class="hidden">${capitalized(word)}</span></span><small class="opt">started ${moment(createdAt, zone, now)}</small></header>
    <div class="big"><p><b>${thousands(campaign.counts.posted)}</b> of ${thousands(rows)} ${sentWord(counts)}</p><p><b>${lead}</b> ${more}</p>${spark(throughput?.perMinute ?? [])}</div>
    ${progressBar(counts, 'thick', summary && isHeld(summary) ? counts.running : 0)}
    <div class="last"><p class="counts">${tallies}${why !== '' && html`<span>${why}</span>`}</p>${posted === '' ? '' : html`${posted}<small>just posted</small>`}</div>
  </a></li>`;
}

/** Whether its rows wait, but for the few in a call: for a rate limit, or for posts of other campaigns. */
function isHeld({ heldBackBy, turn }: ProgressSummary): boolean {
  return heldBackBy.length > 0 || turn !== undefined;
}

/** A post that the service has for later is not posted yet. */
function sentWord({ scheduled, unconfirmed }: ReturnType<typeof deliveredCounts>): string {
  return scheduled + unconfirmed > 0 ? 'posted or scheduled' : 'posted';
}

/** The time left, and at which pace or limit: two figures a minute would contradict each other. Or when its turn is. */
function outlook(
  { zone, now }: PageRequest,
  summary: ProgressSummary,
): readonly [lead: string, more: string] {
  const {
    campaign,
    ended,
    pace,
    turn,
    rateLimits,
    due: { readyAt },
  } = summary;
  if (isAllReady(campaign)) {
    const next = readyAt === undefined ? '' : `Next goes to the service ${moment(readyAt, zone, now)}`;
    if (campaign.unapproved > 0) return [`${plural(campaign.unapproved, 'post')} for approval`, next];
    if (next !== '' || campaign.unpaid > 0) return [next || 'Continues once allowed', ''];
  }
  if (campaign.state === 'cancelling') return ['Being cancelled', ''];
  if (turn) {
    const post = rateLimits.find(({ operation }) => operation === 'createCreatorPost');
    const left = campaign.rows - ended - campaign.asleep;
    const rest = post && (left / (post.rateLimit.perSecond * post.share)) * 1000;
    return [nextPost(turn), rest === undefined ? '' : `then ${describeRange(rest, undefined)}`];
  }
  const [hold] = summary.heldBackBy;
  if (pace === undefined) return [estimateOf(summary), hold ? rateText(hold) : ''];
  return [
    capitalized(timeLeft(pace)),
    hold ? rateText(hold) : `${thousands(Math.round(pace.rowsPerMinute))} a minute`,
  ];
}

/** In one line there is no room for the rate limit, too. */
function outlookLine(request: PageRequest, summary: ProgressSummary): string {
  const [lead, more] = outlook(request, summary);
  const isByRate = summary.heldBackBy.length > 0 && summary.turn === undefined;
  return more === '' || isByRate ? lead : `${lead} · ${more}`;
}

/** What a running campaign waits for besides its rate limit, in one sentence. The whole card is one link, so there is none in it. */
function whyNotFaster(request: PageRequest, summary: ProgressSummary): Html | string {
  if (summary.turn) return turnText(summary, summary.turn);
  const [held] = heldPoints(request, summary);
  return held === undefined || held.state === 'running' ? '' : html`${held.what}`;
}

interface Line {
  readonly id: string;
  readonly state: ShownState;
  readonly word: string;
  readonly name: Html | string;
  /** Undefined for what cannot be opened. */
  readonly address: string | undefined;
  readonly film: Html | string;
  readonly bar: Html | string;
  readonly sum: Html | string;
  readonly when: Html | string;
  readonly action?: readonly [text: string, address: string] | undefined;
}

function line({ id, state, word, name, address, film, bar, sum, when, action }: Line): Html {
  return html`<li id="${id}">
    <span class="posts">${film}</span>
    <h3>${address === undefined ? name : html`<a href="${address}">${name}</a>`}</h3>
    <span class="state" data-state="${state}">${icon(iconOf(state))} ${word}</span>
    <span class="mini">${bar}</span>
    <p class="sum">${sum}</p>
    <p class="none">${when}</p>
    <p class="act">${action && html`<a href="${action[1]}">${action[0]}</a>`}</p>
  </li>`;
}

export function entry(request: PageRequest, overview: CampaignOverview, film: Html | string): Html {
  const { link } = request;
  const { campaign, deliveries, causes, summary } = overview;
  const { id, name } = campaign;
  const address = link(`/campaigns/${id}`);
  const counts = deliveredCounts(campaign, deliveries);
  const [state, usual] = stateOfCampaign(campaign, counts);
  const word = state === 'paused' ? pauseWord(campaign) : usual;
  const many = `See ${plural(causes.length, 'cause')}`;
  const toCauses: Line['action'] = causes.length === 0 ? undefined : [many, `${address}#causes`];
  const toApprove: Line['action'] =
    campaign.unapproved > 0
      ? [`Look at ${plural(campaign.unapproved, 'post')}`, link(`/approvals?campaign=${id}`)]
      : undefined;
  return line({
    id: `campaign-${id}`,
    state,
    word,
    name: words(name),
    address,
    film,
    bar: progressBar(counts, 'thin', summary && isHeld(summary) ? counts.running : 0),
    sum: sumOf(overview),
    when: summary ? outlookLine(request, summary) : whenOf(request, overview),
    action: isAtCanary(campaign)
      ? [`Check ${plural(campaign.begun, 'post')}`, address]
      : (toCauses ?? toApprove),
  });
}

function pauseWord({ pauseReason }: Campaign): string {
  const code = pauseReason?.code ?? 'paused';
  return code === 'paused' || code === 'canary' ? code : 'stopped';
}

/** `1,170 of 1,240 posted, 64 failed, 6 in review`. */
function sumOf({ campaign, deliveries, causes }: CampaignOverview): Html {
  const counts = deliveredCounts(campaign, deliveries);
  const { rows, counts: of, state } = campaign;
  const sent = sentWord(counts);
  const posted =
    of.posted === rows
      ? `all ${thousands(rows)} ${sent}`
      : of.posted === 0
        ? `none of ${thousands(rows)} posted`
        : `${thousands(of.posted)} of ${thousands(rows)} ${sent}`;
  const others = (['failed', 'review'] as const)
    .filter((each) => counts[each] > 0)
    .map((each) => `, ${thousands(counts[each])} ${wordOf(each)}`);
  const [cause, ...more] = causes;
  const why = cause && state === 'paused' && more.length === 0 ? html`: ${words(titleOf(cause))}` : '';
  return html`${posted}${others.join('')}${why}`;
}

/** When it ended, or what comes next. */
function whenOf({ zone, now }: PageRequest, { campaign, deliveries }: CampaignOverview): string {
  const { state, pausedBy, endedAt, createdAt } = campaign;
  const { firstAt, lastAt } = deliveries;
  const at = (ms: number) => moment(ms, zone, now);
  if (state === 'ended' && firstAt !== undefined && lastAt !== undefined)
    return `next post ${dayAndMonth(firstAt, zone, now)}${lastAt === firstAt ? '' : `, last ${dayAndMonth(lastAt, zone, now)}`}`;
  if (state === 'paused' && pausedBy?.did === 'paused') return `paused ${at(pausedBy.at)}`;
  if (state === 'paused' || endedAt === undefined) return `started ${at(createdAt)}`;
  return `ended ${at(endedAt)}`;
}

export async function draftEntry(request: PageRequest, draft: Draft): Promise<Html> {
  const { link } = request;
  const { id, sheet, options, into, changedAt, changedBy } = draft;
  const name = options.name ?? (sheet ? parse(sheet.name).name : 'Without a sheet yet');
  const address = link(`/campaigns/new/${id}`);
  const counts = await findCounts(request.runtime, draft);
  const [found, verb] =
    counts === undefined ? ['not checked yet', 'Continue'] : toDo(counts, into !== undefined);
  return line({
    id: `draft-${id}`,
    state: 'draft',
    word: 'draft',
    name: words(name),
    address,
    film: await draftFilm(request, id),
    bar: counts === undefined || into !== undefined ? '' : draftBar(counts),
    sum: html`${into === undefined ? '' : `to update ${into}, `}${found}`,
    when: html`by ${words(changedBy)} · ${deletedOn(request, changedAt)}`,
    action: mayDo(request, 'edit') ? [verb, address] : undefined,
  });
}

const mostInFilm = 3;

/** Of its first posts with a time. */
async function draftFilm(request: PageRequest, id: string): Promise<Html | string> {
  const plan = await request.drafts.plans.find(id).catch(() => undefined);
  if (plan === undefined) return '';
  const numbers = new Set(plan.posts.slice(0, mostInFilm).map((post) => post.number));
  return film(request, [...(await plannedPictures(request, id, numbers)).values()]);
}

function draftBar({ rows, refused }: KeptCounts): Html {
  // Nothing has failed: it is to be fixed before it starts.
  const parts = [['scheduled', rows - refused] as const, ['warning', refused] as const];
  return bar(parts, rows, `${thousands(rows - refused)} of ${plural(rows, 'row')} ready`, 'thin');
}

/** `2 of 8 rows ready, 6 to fix`, and what to do next. An update sends few of its rows: most are in the campaign already. */
function toDo(
  { rows, refused, blocking }: KeptCounts,
  isUpdate: boolean,
): readonly [found: string, verb: string] {
  if (blocking > 0 && refused === 0)
    return [`${plural(blocking, 'thing')} to fix before rows can be read`, 'Fix'];
  if (refused === 0) return [`${plural(rows, 'row')}, nothing to fix`, 'Look and start'];
  if (isUpdate) return [`${plural(refused, 'row')} to fix`, `Fix ${plural(refused, 'row')}`];
  return [
    `${thousands(rows - refused)} of ${plural(rows, 'row')} ready, ${thousands(refused)} to fix`,
    `Fix ${plural(refused, 'row')}`,
  ];
}

/** @param changedAt Unix epoch, milliseconds. */
function deletedOn({ zone, now }: PageRequest, changedAt: number): string {
  return `deleted on ${dayAndMonth(changedAt + draftKeptMs, zone, now)} unless changed`;
}

export function unreadableEntry(
  request: PageRequest,
  { id, changedAt }: AllDrafts['unreadable'][number],
): Html {
  return line({
    id: `draft-${id}`,
    state: 'failed',
    word: 'draft',
    name: 'A draft that cannot be read',
    address: undefined,
    film: '',
    bar: '',
    sum: html`its record is damaged: add the sheet again. The original is on the server, in <code>drafts/${id}/sheet</code> of the data directory`,
    when: deletedOn(request, changedAt),
  });
}
