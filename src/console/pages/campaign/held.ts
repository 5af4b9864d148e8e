/** The section of things that hold a campaign back, and what to do about them. */
import { html } from 'hono/html';
import type { Hold, Outlook } from '../../../campaigns/progress/reader.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import { startWorker } from '../../hints.ts';
import type { Html } from '../../html.ts';
import { clockWithSeconds, count } from '../../parts/numbers/numbers.ts';
import { type Point, point } from '../../parts/points.ts';
import type { PageRequest } from '../../request.ts';
import { operationTitle, operationWord, queueTitle } from '../queues/names.ts';
import { describeRate } from '../queues/rates.ts';

export function heldSection(request: PageRequest, outlook: Outlook): Html {
  // Nothing holds back an ended campaign; its causes tell what failed.
  const points = outlook.campaign.state === 'ended' ? [] : heldPoints(request, outlook);
  if (points.length === 0) return html`<div id="campaign-held"></div>`;
  return html`<section id="campaign-held" aria-labelledby="held">
    <div class="section"><h2 id="held">Held back by</h2></div>
    <ul class="points">${points.map(point)}</ul>
  </section>`;
}

/** The most urgent first. Rate limits, queues and the service hold back only a campaign that runs. */
export function heldPoints(request: PageRequest, outlook: Outlook): readonly Point[] {
  const { campaign, heldBackBy, unreachable } = outlook;
  const isRunning = campaign.state === 'running';
  return [
    ...(isRunning ? workers(request, outlook) : []),
    ...(isRunning ? queues(request, outlook) : []),
    ...(isRunning
      ? unreachable.map(({ host, reason, since }): Point => {
          const from = clockWithSeconds(since, request.zone);
          return {
            state: 'warning',
            what: html`<b>No answers from ${host}</b>`,
            more: `Since ${from}: ${reason}`,
          };
        })
      : []),
    ...(isRunning ? heldBackBy.map((hold) => rateLimit(request, campaign.account, hold)) : []),
    ...silent(request, outlook),
    ...rows(request, outlook),
  ];
}

function workers({ link }: PageRequest, { campaign, workers, redisRefuses }: Outlook): readonly Point[] {
  if (redisRefuses !== undefined) return [refusing(redisRefuses)];
  if (workers.some(({ isAlive }) => isAlive)) return [];
  const left = campaign.counts.waiting + campaign.counts.running;
  const more = html`${count(left, 'row')} ${left === 1 ? 'waits' : 'wait'}. ${startWorker} <a href="${link('/queues#workers')}">Workers</a>`;
  return [{ state: 'failed', what: html`<b>No worker is alive</b>`, more }];
}

/** Heartbeats are missing then, so nobody knows which workers live. */
function refusing(why: string): Point {
  return {
    state: 'failed',
    what: html`<b>Redis takes no writes: ${why}</b>`,
    more: 'Nothing is sent until it does. It is unknown which workers are alive.',
  };
}

function queues({ link }: PageRequest, { pausedQueues }: Outlook): readonly Point[] {
  return pausedQueues.map((name) => ({
    state: 'paused',
    what: html`<b>Queue ${queueTitle(name)} is paused, for all campaigns</b>`,
    more: html`<a href="${link('/queues#queues')}">Resume it</a>`,
  }));
}

function rateLimit(
  { link }: PageRequest,
  account: string,
  { operation, perSecond, pausedMs, isThrottled }: Hold,
): Point {
  const title = operationTitle(operation);
  const address = link(`/queues?${new URLSearchParams({ account })}#rate-limits`);
  const change = html`<a href="${address}">Change it</a>`;
  if (pausedMs > 0) {
    const what = html`<b>429 (too many requests): ${title} pauses for ${describeDuration(pausedMs)}</b>`;
    return {
      state: 'warning',
      what,
      more: html`Then it goes on at ${describeRate(perSecond)}. <a href="${address}">Rate limits</a>`,
    };
  }
  const after = isThrottled ? ' after a 429' : '';
  return {
    state: 'running',
    what: html`<b>The rate limit of ${operationWord(operation)}, ${describeRate(perSecond)}${after}</b>`,
    more: change,
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
  return [
    ...(counts.review === 0
      ? []
      : [
          {
            state: 'review' as const,
            what: html`<b>${count(counts.review, 'row')} in review</b>`,
            more: html`A person must decide. <a href="${link(`/review?campaign=${id}`)}">Decide</a>`,
          },
        ]),
    ...(asleep === 0
      ? []
      : [
          {
            state: 'waiting' as const,
            what: html`<b>${count(asleep, 'row')} asleep</b>`,
            more:
              asleep === 1
                ? 'Until its generation is due (ai_exec_at). It does not count in the time left.'
                : 'Until their generation is due (ai_exec_at). They do not count in the time left.',
          },
        ]),
  ];
}
