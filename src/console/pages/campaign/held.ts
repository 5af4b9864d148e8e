/** The section of things that hold a campaign back, and what to do about them. */

import type { Hold, Outlook } from '../../../campaigns/progress/reader.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import { startWorker } from '../../hints.ts';
import { type Html, html } from '../../html.ts';
import { rateLimitsPath } from '../../parts/address.ts';
import { type Point, point, section } from '../../parts/blocks.ts';
import { clockWithSeconds, count } from '../../parts/numbers.ts';
import type { PageRequest } from '../../request.ts';
import { describeRate, operationTitle, operationWord, queueTitle, useBar } from '../queues/rate-limits.ts';

export function heldSection(request: PageRequest, outlook: Outlook): Html {
  // Nothing holds back an ended campaign; its causes tell what failed.
  const points = outlook.campaign.state === 'ended' ? [] : heldPoints(request, outlook);
  if (points.length === 0) return html`<div id="campaign-held"></div>`;
  const list = html`<ul class="points">${points.map(point)}</ul>`;
  return section({ part: 'campaign-held', id: 'held', title: 'Held back by' }, list);
}

/** The most urgent first. Workers, queues, the service and rate limits hold back only a campaign that runs. */
export function heldPoints(request: PageRequest, outlook: Outlook): readonly Point[] {
  const { campaign, heldBackBy, unreachable, pausedQueues } = outlook;
  const { link, zone } = request;
  const whileRunning = (): readonly Point[] => [
    ...workers(request, outlook),
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
        what: html`<b>No answers from ${host}</b>`,
        more: `Since ${clockWithSeconds(since, zone)}: ${reason}`,
      }),
    ),
    ...heldBackBy.map((hold) => rateLimit(request, campaign.account, hold)),
  ];
  return [
    ...(campaign.state === 'running' ? whileRunning() : []),
    ...silent(request, outlook),
    ...rows(request, outlook),
  ];
}

function workers({ link }: PageRequest, { campaign, workers, redisRefuses }: Outlook): readonly Point[] {
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

function rateLimit(
  { link }: PageRequest,
  account: string,
  { operation, perSecond, pausedMs, isThrottled }: Hold,
): Point {
  const title = operationTitle(operation);
  const address = link(rateLimitsPath(account));
  if (pausedMs > 0) {
    const what = html`<b>429 (too many requests): ${title} pauses for ${describeDuration(pausedMs)}</b>`;
    const more = html`Then it goes on at ${describeRate(perSecond)}. <a href="${address}">Rate limits</a>`;
    return { state: 'warning', what, more };
  }
  const after = isThrottled ? ' after a 429' : '';
  return {
    state: 'running',
    what: html`<b>The rate limit of ${operationWord(operation)}, ${describeRate(perSecond)}${after}</b>`,
    more: html`<a href="${address}">Change it</a>`,
  };
}

function silent({ link, now, zone }: PageRequest, { workers, redisRefuses }: Outlook): readonly Point[] {
  if (redisRefuses !== undefined) return [];
  return workers
    .filter(({ isAlive }) => !isAlive)
    .map(({ host, pid, seenMsAgo }) => ({
      state: 'warning',
      what: html`<b>Worker ${host}:${pid} is silent</b>`,
      more: html`Since ${clockWithSeconds(now - seenMsAgo, zone)}. <a href="${link('/queues#workers')}">Workers</a>`,
    }));
}

function rows({ link }: PageRequest, { campaign }: Outlook): readonly Point[] {
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
    points.push({ state: 'waiting', what: html`<b>${count(asleep, 'row')} asleep</b>`, more });
  }
  return points;
}

/** Shown only while rows are at work, and only for rate limits in use. All campaigns of an account share the rate limits. */
export function rateLimitsInUse({ link }: PageRequest, { isUnderWay, rateLimits, campaign }: Outlook): Html {
  const used = isUnderWay ? rateLimits.filter(({ usedPerSecond }) => usedPerSecond > 0) : [];
  if (used.length === 0) return html`<div id="campaign-rate-limits"></div>`;
  const address = link(rateLimitsPath(campaign.account));
  return html`<section id="campaign-rate-limits" aria-labelledby="in-use">
    <div class="section"><h2 id="in-use">Rate limits in use</h2><p><a href="${address}">All of account ${campaign.account}</a></p></div>
    <table><tbody>${used.map((rateLimit) => html`<tr><th scope="row">${operationTitle(rateLimit.operation)}</th><td class="use">${useBar(rateLimit)}</td></tr>`)}</tbody></table>
  </section>`;
}
