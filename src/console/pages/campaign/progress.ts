/** How a campaign gets on: what holds it back, whose turn it is, its rate limits in use, and its throughput. */

import type { HeldTime, Throughput } from '../../../app/campaigns/progress/pace.ts';
import type { Hold, ProgressSummary, Turn } from '../../../app/campaigns/progress/reader.ts';
import { capitalized, describeDuration, describeRange, sentence } from '../../../manifest/wording.ts';
import { startWorker } from '../../hints.ts';
import { type Html, html, words } from '../../html.ts';
import { rateLimitsPath } from '../../parts/address.ts';
import { type Point, point, section } from '../../parts/blocks.ts';
import { plot } from '../../parts/figures.ts';
import { clockWithSeconds, count, moment, number } from '../../parts/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate, operationTitle, operationWord, queueTitle, useBar } from '../queues/rate-limits.ts';

export function heldSection(request: PageRequest, summary: ProgressSummary): Html {
  // Nothing holds back an ended campaign; its causes tell what failed.
  const points = summary.campaign.state === 'ended' ? [] : heldPoints(request, summary);
  if (points.length === 0) return html`<div id="campaign-held"></div>`;
  const list = html`<ul class="points">${points.map(point)}</ul>`;
  return section({ part: 'campaign-held', id: 'held', title: 'What rows wait for' }, list);
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
        more: sentence(capitalized(reason)),
      }),
    ),
    ...heldBackBy.map((hold) => rateLimit(request, hold)),
  ];
  return [
    ...(campaign.state === 'running' ? whileRunning() : []),
    ...silent(request, summary),
    ...rows(request, summary),
  ];
}

function workers(
  { link }: PageRequest,
  { campaign, workers, redisRefuses }: ProgressSummary,
): readonly Point[] {
  if (redisRefuses !== undefined) {
    // Heartbeats are missing then, so nobody knows which workers live.
    const more = 'Nothing is sent until it does. It is unknown which workers are alive.';
    return [{ state: 'failed', what: html`<b>Redis takes no writes: ${redisRefuses}</b>`, more }];
  }
  if (workers.some(({ isAlive }) => isAlive)) return [];
  const left = campaign.counts.waiting + campaign.counts.running;
  const more = html`${count(left, 'row')} ${left === 1 ? 'waits' : 'wait'}. ${startWorker} <a href="${link('/queues#workers')}">Workers</a>`;
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

/** What a campaign uses up, in one sentence. */
export function rateText({ operation, perSecond, pausedMs }: Hold): string {
  const word = operationWord(operation);
  if (pausedMs > 0)
    return `${operationTitle(operation)} pauses for ${describeDuration(pausedMs)} after a 429 (too many requests)`;
  return `Uses the full rate limit of ${word}, ${describeRate(perSecond)}`;
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
      more: html`Since ${clockWithSeconds(now - seenMsAgo, zone)}. <a href="${link('/queues#workers')}">Workers</a>`,
    }));
}

function rows({ link }: PageRequest, { campaign }: ProgressSummary): readonly Point[] {
  const { id, asleep, counts } = campaign;
  const points: Point[] = [];
  if (counts.review > 0) {
    const more = html`A person must decide. <a href="${link(`/review?campaign=${id}`)}">Decide</a>`;
    points.push({ state: 'review', what: html`<b>${count(counts.review, 'row')} in review</b>`, more });
  }
  if (asleep > 0) {
    const more =
      asleep === 1
        ? 'Until its generation is due (ai_exec_at). It does not count in the time left.'
        : 'Until their generation is due (ai_exec_at). They do not count in the time left.';
    points.push({ state: 'waiting', what: html`<b>${count(asleep, 'row')} waiting</b>`, more });
  }
  return points;
}

/** Shown only while rows are at work, and only for rate limits in use. All campaigns share the rate limits. */
export function rateLimitsInUse({ link }: PageRequest, { isUnderWay, rateLimits }: ProgressSummary): Html {
  const used = isUnderWay ? rateLimits.filter(({ usedPerSecond }) => usedPerSecond > 0) : [];
  if (used.length === 0) return html`<div id="campaign-rate-limits"></div>`;
  const address = link(rateLimitsPath);
  return html`<section id="campaign-rate-limits" aria-labelledby="in-use">
    <div class="section"><h2 id="in-use">Rate limits in use</h2><p><a href="${address}">All rate limits</a></p></div>
    <table><tbody>${used.map((rateLimit) => html`<tr><th scope="row">${operationTitle(rateLimit.operation)}</th><td class="use">${useBar(rateLimit)}</td></tr>`)}</tbody></table>
  </section>`;
}

/** Fewer points make no useful plot. */
const fewestPoints = 3;
const timesNamed = 3;
/** Positions of the time labels, as shares of the width. */
const labels = [0, 1 / 3, 2 / 3, 1];

export function throughputSection({ zone, now }: PageRequest, throughput: Throughput): Html {
  const { perMinute, partMinutes, rateLimit, held } = throughput;
  const times = throughput.times.map((time) => Date.parse(time) / 1000);
  if (times.length < fewestPoints) return html`<div id="campaign-throughput"></div>`;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const rate = (value: number) => String(Number(value.toFixed(1)));
  const most = Math.max(...perMinute);
  const latest = rate(perMinute.at(-1) ?? 0);
  const at = (ms: number) => moment(ms, zone, now);
  const named = held
    .slice(-timesNamed)
    .map(({ from, to, why }) =>
      to === null
        ? `since ${at(Date.parse(from))}: ${reasonOf(why)}`
        : `${at(Date.parse(from))} to ${at(Date.parse(to))}: ${reasonOf(why)}`,
    );
  const more = held.length > named.length ? [`${number(held.length - named.length)} before`] : [];
  const span = `from ${at(first * 1000)} to ${at(last * 1000)}`;
  return section(
    {
      part: 'campaign-throughput',
      id: 'throughput',
      title: 'Posted a minute',
      note: html`<b>${latest}</b> lately`,
    },
    plot({
      kind: 'line',
      series: {
        label: `posted a minute, lately ${latest}${partMinutes > 1 ? `, over ${partMinutes} minutes each` : ''}`,
        times,
        values: perMinute,
      },
      labels: labels.map((part) => at((first + (last - first) * part) * 1000)),
      limit:
        rateLimit <= most * 4
          ? { label: `rate limit of posts, ${rate(rateLimit)}`, value: rateLimit }
          : undefined,
      bands: {
        times: held.map(
          ({ from, to }) => [Date.parse(from) / 1000, (to === null ? now : Date.parse(to)) / 1000] as const,
        ),
        label: [...more, ...named].join('. '),
      },
      sentence: `Rows posted a minute ${span}: at most ${rate(most)}, lately ${latest}${named.length === 0 ? '' : `; held ${named.join('; ')}`}`,
      zone,
    }),
  );
}

function reasonOf(why: HeldTime['why']): string {
  if (why.kind === 'silent') return 'no answers from the service';
  if (why.kind === 'throttled') return `429, too many requests (${operationWord(why.operation)})`;
  if (why.code === 'canary') return 'paused after the canary';
  return why.code === 'paused' ? 'paused by a person' : `paused, ${why.code.replaceAll('_', ' ')}`;
}
