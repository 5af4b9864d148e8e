/** How a campaign gets on: what holds it back, whose turn it is, and its throughput. */

import { mayDo } from '../../../app/access/roles.ts';
import { describeDue, isAllReady } from '../../../app/campaigns/post-status.ts';
import type { HeldTime, Throughput } from '../../../app/campaigns/progress/pace.ts';
import type { Hold, ProgressSummary, Turn } from '../../../app/campaigns/progress/reader.ts';
import {
  asSentence,
  capitalized,
  describeDuration,
  describeRange,
  plural,
} from '../../../manifest/wording.ts';
import { startWorker } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { type Point, point } from '../../parts/blocks.ts';
import { stepPlot } from '../../parts/figures.ts';
import { rateLimitsPath } from '../../parts/list.ts';
import { clockWithSeconds, moment } from '../../parts/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate, operationTitle, operationWord, queueTitle } from '../queues/rate-limits.ts';
import { inZone } from './causes.ts';

/** What people can do something about. The rate limit in use stands at its step, rows in review among the causes. */
export function heldList(request: PageRequest, summary: ProgressSummary): Html {
  // Nothing holds back an ended campaign; its causes tell what failed.
  const points = summary.campaign.state === 'ended' ? [] : heldPoints(request, summary);
  const others = points.filter(({ state }) => state !== 'running');
  return html`<ul id="campaign-held" class="points">${others.map(point)}</ul>`;
}

/** The most urgent first. Workers, queues, the service and rate limits hold back only a campaign that runs. */
export function heldPoints(request: PageRequest, summary: ProgressSummary): readonly Point[] {
  const { campaign, heldBackBy, unreachable, pausedQueues } = summary;
  const { link, zone } = request;
  const whileRunning = (): readonly Point[] => [
    ...workers(request, summary),
    ...pausedQueues.map(
      (name): Point => ({
        state: 'paused',
        what: html`<b>Queue ${queueTitle(name)} is paused, for all campaigns</b>`,
        more: html`<a href="${link('/queues#queues')}">Resume it</a>`,
      }),
    ),
    ...unreachable.map(
      ({ host, reason, since }): Point => ({
        state: 'warning',
        what: html`<b>The service has not answered ${host} since ${clockWithSeconds(since, zone)}</b>`,
        more: asSentence(reason),
      }),
    ),
    ...heldBackBy.map((hold) => rateLimit(request, hold)),
  ];
  return [
    ...(campaign.state === 'running' ? whileRunning() : []),
    ...silent(request, summary),
    ...asleepRows(summary),
  ];
}

function workers(request: PageRequest, { workers, redisRefuses, due }: ProgressSummary): readonly Point[] {
  if (redisRefuses !== undefined) {
    // Heartbeats are missing then, so nobody knows which workers live.
    const more = 'Nothing is sent until it does. It is unknown which workers are alive.';
    return [{ state: 'failed', what: html`<b>Redis takes no writes: ${redisRefuses}</b>`, more }];
  }
  const rows = describeDue(due);
  if (rows === '' || workers.some(({ isAlive }) => isAlive)) return [];
  const more = html`${inZone(request, asSentence(rows))} ${startWorker} <a href="${request.link('/queues#workers')}">Workers</a>`;
  return [{ state: 'failed', what: html`<b>No worker is alive</b>`, more }];
}

function rateLimit({ link }: PageRequest, { operation, perSecond, pausedMs, isThrottled }: Hold): Point {
  const title = operationTitle(operation);
  const address = link(rateLimitsPath);
  if (pausedMs > 0) {
    const what = html`<b>429 (too many requests): ${title} pauses for ${describeDuration(pausedMs)}</b>`;
    const more = html`Then it continues at ${describeRate(perSecond)}. <a href="${address}">Rate limits</a>`;
    return { state: 'warning', what, more };
  }
  const after = isThrottled ? ' after a 429' : '';
  return {
    state: 'running',
    what: html`<b>The rate limit of ${operationWord(operation)}, ${describeRate(perSecond)}${after}</b>`,
    more: html`<a href="${address}">Change it</a>`,
  };
}

/** The rate limit that a campaign waits for, in one sentence. Several may share it. */
export function rateText({ operation, perSecond }: Hold): string {
  return `Waits for the rate limit of ${operationWord(operation)}, ${describeRate(perSecond)}`;
}

/** Without a pace, only what the rate limit of posts allows is known. */
export function estimateOf({ campaign, ended, heldBackBy }: ProgressSummary): string {
  const hold = heldBackBy.find(({ operation }) => operation === 'createCreatorPost');
  if (hold === undefined) return 'Starting';
  const left = campaign.rows - ended - campaign.asleep;
  return `${capitalized(describeRange((left / hold.perSecond) * 1000, undefined))} left`;
}

/** `Next post in 12 to 40 min`. */
export function nextPost({ least, most }: Turn): string {
  return `Next post in ${describeRange(least, most)}`;
}

export function turnText({ rateLimits }: ProgressSummary, { behind }: Turn): Html {
  const names = behind.map(({ name }, index) => html`${index > 0 ? ', ' : ''}<b>${words(name)}</b>`);
  const post = rateLimits.find(({ operation }) => operation === 'createCreatorPost');
  const rate = post === undefined ? '' : `, ${describeRate(post.rateLimit.perSecond * post.share)}`;
  return html`${names} ${behind.length === 1 ? 'goes' : 'go'} first: they share the rate limit of posts${rate}`;
}

function silent(
  { link, now, zone }: PageRequest,
  { workers, redisRefuses }: ProgressSummary,
): readonly Point[] {
  if (redisRefuses !== undefined) return [];
  return workers
    .filter(({ isAlive }) => !isAlive)
    .map(({ host, pid, seenMsAgo }) => ({
      state: 'warning',
      what: html`<b>Worker ${host}:${pid} is silent</b>`,
      more: html`Since ${clockWithSeconds(now - seenMsAgo, zone)}: an operator should check that machine. <a href="${link('/queues#workers')}">Workers</a>`,
    }));
}

function asleepRows({ campaign: { asleep } }: ProgressSummary): readonly Point[] {
  const points: Point[] = [];
  if (asleep > 0) {
    const more =
      asleep === 1
        ? 'Until its generation is due (ai_exec_at). The time left does not include it.'
        : 'Until their generation is due (ai_exec_at). The time left does not include them.';
    points.push({ state: 'waiting', what: html`<b>${plural(asleep, 'row')} waiting</b>`, more });
  }
  return points;
}

/** Fewer intervals make no useful plot. */
const fewestPoints = 3;
const timesNamed = 3;

/** Its place is kept from the first second, so that nothing moves when the plot comes. */
export function throughputFigure(
  request: PageRequest,
  { campaign, isUnderWay }: ProgressSummary,
  { times, perMinute, partMinutes, rateLimit, held }: Throughput,
): Html {
  const { zone, now, link } = request;
  const most = Math.max(0, ...perMinute);
  const hasPlot = times.length >= fewestPoints;
  // Posts that wait for their day or an approval have no pace.
  if (isAllReady(campaign) || (!hasPlot && !isUnderWay))
    return html`<figure id="campaign-throughput" hidden></figure>`;
  const at = (ms: number) => moment(ms, zone, now);
  const span = (from: string, to: string | null) =>
    to === null ? `since ${at(Date.parse(from))}` : `${at(Date.parse(from))} to ${at(Date.parse(to))}`;
  // One that ended in its minute would read `08:26 to 08:26`.
  const long = held.filter(({ from, to }) => to === null || at(Date.parse(from)) !== at(Date.parse(to)));
  const named = long.slice(-timesNamed).map(({ from, to, why }) => `${span(from, to)}: ${reasonOf(why)}`);
  const more = long.length > named.length ? [`${plural(long.length - named.length, 'time')} before`] : [];
  const limit = mayDo(request, 'run') ? 'Change the rate limit…' : 'Rate limits';
  const latest = perMinute.length === 0 ? '' : rate(perMinute.at(-1) ?? 0);
  const [first = now] = times.map((time) => Date.parse(time));
  const until = isUnderWay ? now : Date.parse(times.at(-1) ?? '') + partMinutes * 60_000;
  const plot = stepPlot({
    times: times.map((time) => Date.parse(time)),
    values: perMinute,
    until,
    limit: rateLimit <= most * 4 ? rateLimit : undefined,
    bands: held.map(({ from, to }) => [Date.parse(from), to === null ? now : Date.parse(to)]),
    sentence: `Rows posted a minute from ${at(first)} to ${at(until)}: peak ${rate(most)}, lately ${latest}${named.length === 0 ? '' : `; interrupted ${named.join('; ')}`}`,
  });
  return html`<figure id="campaign-throughput">
    <figcaption>Posted a minute <b>${isUnderWay ? latest : ''}</b>${isUnderWay ? html` <a href="${link(rateLimitsPath)}">${limit}</a>` : ''}</figcaption>
    ${hasPlot ? plot : html`<p class="soon note">The curve begins after ${fewestPoints} minutes.</p>`}
    <p class="ends" aria-hidden="true"><span>${at(first)}</span><span>${isUnderWay ? 'now' : at(until)}</span></p>
    ${named.length === 0 ? '' : html`<p class="note">Interrupted ${[...more, ...named].join('; ')}.</p>`}
  </figure>`;
}

function rate(value: number): string {
  return String(Number(value.toFixed(1)));
}

function reasonOf(why: HeldTime['why']): string {
  if (why.kind === 'silent') return 'no answers from the service';
  if (why.kind === 'throttled') return `429, too many requests (${operationWord(why.operation)})`;
  if (why.code === 'canary') return 'paused after the canary';
  return why.code === 'paused' ? 'paused by a person' : `paused, ${why.code.replaceAll('_', ' ')}`;
}
