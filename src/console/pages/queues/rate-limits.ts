/** Rate limits: how often each call may be made, how much of it is in use, and a form to change it. */

import { mayDo } from '../../../app/access/roles.ts';
import type { ShownRateLimit } from '../../../app/campaigns/rate-limits.ts';
import { ofSteps, stepFacts } from '../../../manifest/steps.ts';
import { describeDuration, plural } from '../../../manifest/wording.ts';
import type { QueueName } from '../../../queues/queues.ts';
import type { RateLimitStatus } from '../../../queues/rate-limit-book.ts';
import { operationFacts } from '../../../service/contract/operations.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { form, options } from '../../parts/form.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

export function rateLimitsSection(request: PageRequest, rateLimits: readonly ShownRateLimit[]): Html {
  const sorted = [...rateLimits].sort(
    (one, other) => operationOrder.indexOf(one.operation) - operationOrder.indexOf(other.operation),
  );
  const idle = sorted.filter((each) => !isInUse(each));
  return html`<section aria-labelledby="rate-limits">
    <div class="section"><h2 id="rate-limits">Rate limits</h2></div>
    <p class="note">How often each call may be made, by all workers together. A change takes effect within 2 seconds, and lasts until it is reset. ${mayDo(request, 'run') ? '' : 'An operator can change a limit.'}</p>
    ${limits(request, sorted.filter(isInUse))}
    ${idle.length > 0 && html`<details class="after"><summary>${plural(idle.length, 'limit')} not in use</summary>${limits(request, idle)}</details>`}
  </section>`;
}

/** What operators look for: the limit of posts, those that were changed, and those that calls use. */
function isInUse(shown: ShownRateLimit): boolean {
  const { operation, isChanged, usedPerSecond, share, pausedMs } = shown;
  return operation === 'createCreatorPost' || isChanged || usedPerSecond > 0 || share < 1 || pausedMs > 0;
}

function limits(request: PageRequest, shown: readonly ShownRateLimit[]): Html {
  return html`<ul class="card lines">${shown.map((rateLimit) => line(request, rateLimit))}</ul>`;
}

/** The live parts of the table. The forms between them are left as they are. */
export function liveRateLimits(rateLimits: readonly ShownRateLimit[]): LiveParts {
  return Object.fromEntries(
    rateLimits.flatMap((rateLimit) => [
      [`use-${rateLimit.operation}`, use(rateLimit)],
      [`now-${rateLimit.operation}`, effect(rateLimit)],
    ]),
  );
}

function line(request: PageRequest, shown: ShownRateLimit): Html {
  const { operation, rateLimit, configured, isChanged } = shown;
  const title = operationTitle(operation);
  const reset = html` <button class="plain" form="b-${operation}" name="reset" value="1" formnovalidate aria-label="Reset ${title}">Reset</button>`;
  return html`<li>
    <div class="use${shown.usedPerSecond === 0 && ' idle'}"><b title="${operation}">${title}</b>${use(shown)}${effect(shown)}</div>
    <div>${mayDo(request, 'run') ? html`<details class="limit"><summary>${describeRate(rateLimit.perSecond)} <span>Change…<span class="hidden"> ${title}</span></span></summary>${limitForm(request, shown)}</details>` : describeRate(rateLimit.perSecond)}${isChanged && html`<small>${describeRate(configured.perSecond)} in the settings ${mayDo(request, 'run') && reset}</small>`}</div></li>`;
}

function use(shown: ShownRateLimit): Html {
  return html`<div id="use-${shown.operation}">${useBar(shown)}</div>`;
}

function limitForm(request: PageRequest, { operation, rateLimit }: ShownRateLimit): Html {
  const unit = unitOf(rateLimit.perSecond);
  const title = operationTitle(operation);
  return form(request, {
    path: `/queues/rate-limits/${operation}`,
    id: `b-${operation}`,
    className: 'rate',
    body: html`<input type="number" name="rate" value="${inUnit(rateLimit.perSecond, unit)}" min="0.1" step="any" required aria-label="Rate of ${title}"> a <select name="per" aria-label="Unit of ${title}">${options(perUnit, unit.short)}</select> <button>Change limit</button>`,
  });
}

/** The effect of recent 429s on the rate limit, and whether calls had to wait lately. */
function effect({ operation, rateLimit, share, pausedMs, throttledForMs, shortMsAgo }: ShownRateLimit): Html {
  const waits = shortMsAgo !== undefined && shortMsAgo < recentMs;
  const parts = [
    ...(pausedMs > 0 ? [`429 (too many requests): pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`after a 429: at ${describeRate(rateLimit.perSecond * share)}`] : []),
    ...(throttledForMs === undefined ? [] : [`only 429s for ${describeDuration(throttledForMs)}`]),
    ...(waits ? ['calls waited for their turn'] : []),
  ];
  return html`<small id="now-${operation}">${parts.join(', ')}</small>`;
}

/** A queue that is out of permits tries again after about half a minute; calls that waited in this time count as recent. */
const recentMs = 35_000;

const units = [
  { unit: 'second', short: 's', perSecond: 1 },
  { unit: 'minute', short: 'min', perSecond: 1 / 60 },
  { unit: 'hour', short: 'h', perSecond: 1 / 3600 },
] as const;

const perUnit = units.map(({ unit, short }) => [short, unit] as const);

/** The smallest unit in which a rate is at least one call. */
function unitOf(perSecond: number) {
  return units.find((each) => perSecond / each.perSecond >= 0.9995) ?? units[2];
}

/** Calls per unit, with one decimal at most. */
function inUnit(perSecond: number, unit: (typeof units)[number]): string {
  const calls = perSecond / unit.perSecond;
  return String(Number(calls.toFixed(calls < 100 ? 1 : 0)));
}

/** `20 a minute`. */
export function describeRate(perSecond: number): string {
  const unit = unitOf(perSecond);
  return `${inUnit(perSecond, unit)} ${unit.unit === 'hour' ? 'an' : 'a'} ${unit.unit}`;
}

type Use = Pick<RateLimitStatus, 'rateLimit' | 'usedPerSecond'>;

/** How much of a rate limit is in use: a bar, and `18 of 20 a minute`. Before it was lowered, more calls may have been made than it allows. */
export function useBar({ rateLimit: { perSecond }, usedPerSecond }: Use): Html {
  const percent = Math.round(Math.min(100, (usedPerSecond / perSecond) * 100));
  const limit = describeRate(perSecond);
  const said =
    usedPerSecond > perSecond
      ? `${plural(Math.round(usedPerSecond * 60), 'call')} in the last minute, the limit is ${limit}`
      : `${inUnit(usedPerSecond, unitOf(perSecond))} of ${limit}`;
  return html`${bar([['running', Math.min(usedPerSecond, perSecond)]], perSecond, `${percent}% in use`, 'thin')}<small>${said}</small>`;
}

/** In the order of the page: first the queues that a row goes through. */
export const queueTitles: Readonly<Record<QueueName, string>> = {
  ...ofSteps((step) => stepFacts[step].title),
  scrape: 'Videos',
  campaign: 'Admission',
  notify: 'Notifications',
};

export function operationTitle(operation: string): string {
  return new Map(Object.entries(operationFacts)).get(operation)?.title ?? operation;
}

/** Name within a sentence: `posts`. `AI generations` keeps its capitals. */
export function operationWord(operation: string): string {
  const title = operationTitle(operation);
  return /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
}

/** Operations that rows wait for come first. */
export const operationOrder = Object.keys(operationFacts);

export function queueTitle(name: string): string {
  return new Map<string, string>(Object.entries(queueTitles)).get(name) ?? name;
}
