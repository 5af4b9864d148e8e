/** Rate limits: how often each call may be made, how much of it is in use, and a form to change it. */
import { html } from 'hono/html';
import type { ShownRateLimit } from '../../../campaigns/rate-limits.ts';
import { describeDuration } from '../../../runtime/wording.ts';
import type { Html } from '../../html.ts';
import type { LiveParts } from '../../live/hub.ts';
import { form, mayChange } from '../../parts/form.ts';
import { bar } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { operationOrder, operationTitle } from './names.ts';
import { describeRate, rateOf, rateUnits, shareInUse, usedOf } from './rates.ts';

export interface RateLimitsSeen {
  readonly account: string;
  readonly accounts: readonly string[];
  readonly rateLimits: readonly ShownRateLimit[];
}

export function rateLimitsSection(
  request: PageRequest,
  { account, accounts, rateLimits }: RateLimitsSeen,
): Html {
  const { link } = request;
  const tab = (name: string) => {
    const current = name === account ? html` aria-current="page"` : '';
    return html`<a href="${link(`/queues?${new URLSearchParams({ account: name })}#rate-limits`)}"${current}>Account ${name}</a>`;
  };
  const sorted = [...rateLimits].sort(
    (one, other) => operationOrder.indexOf(one.operation) - operationOrder.indexOf(other.operation),
  );
  return html`<section aria-labelledby="rate-limits">
    <div class="section"><h2 id="rate-limits">Rate limits</h2>
      ${accounts.length < 2 ? '' : html`<nav class="tabs" aria-label="Account">${accounts.map(tab)}</nav>`}</div>
    <p class="note">How often each call may be made, by all workers together. A change takes effect within 2 seconds, and lasts until it is reset. ${mayChange(request) ? '' : 'An operator can change it.'}</p>
    <div class="scroller" role="group" aria-labelledby="rate-limits" tabindex="0">
    <table class="middle">
      <thead><tr><th scope="col">Call</th><th scope="col">In use now</th><th scope="col">Limit</th><th scope="col" class="n">In the settings</th><th scope="col">Now</th></tr></thead>
      <tbody>${sorted.map((rateLimit) => line(request, account, rateLimit))}</tbody>
    </table>
    </div>
  </section>`;
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

function line(request: PageRequest, account: string, shown: ShownRateLimit): Html {
  const { operation, rateLimit, configured, isChanged } = shown;
  const title = operationTitle(operation);
  const reset = html` <button class="plain" form="b-${operation}" name="reset" value="1" formnovalidate aria-label="Reset ${title}">Reset</button>`;
  return html`<tr>
    <th scope="row">${title}<small><code>${operation}</code></small></th>
    <td class="use">${use(shown)}</td>
    <td>${mayChange(request) ? limitForm(request, account, shown) : describeRate(rateLimit.perSecond)}</td>
    <td class="n">${describeRate(configured.perSecond)}${isChanged && mayChange(request) ? reset : ''}</td>
    <td class="why">${effect(shown)}</td>
  </tr>`;
}

function use(shown: ShownRateLimit): Html {
  const share = shareInUse(shown);
  return html`<div id="use-${shown.operation}">${bar([{ state: 'running', share }], `${Math.round(share)} % in use`, 'thin')}<small>${usedOf(shown)}</small></div>`;
}

function limitForm(request: PageRequest, account: string, { operation, rateLimit }: ShownRateLimit): Html {
  const { calls, unit: shown } = rateOf(rateLimit.perSecond);
  const title = operationTitle(operation);
  const options = rateUnits.map(
    ({ unit, short }) =>
      html`<option value="${short}"${unit === shown ? html` selected` : ''}>${unit}</option>`,
  );
  return form(request, {
    path: `/queues/rate-limits/${operation}`,
    id: `b-${operation}`,
    className: 'rate',
    body: html`<input type="hidden" name="account" value="${account}"><input type="number" name="rate" value="${calls}" min="0.1" step="any" required aria-label="Rate of ${title}"> a <select name="per" aria-label="Unit of ${title}">${options}</select> <button>Set</button>`,
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

/** A queue that is out of rate limit tries again after about half a minute; calls that waited in this time count as recent. */
const recentMs = 35_000;
