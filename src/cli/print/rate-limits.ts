/** The rate limits of an account, as a table and as JSON. */

import { rateLimitsDocument } from '../../campaigns/documents/limits.ts';
import type { ShownRateLimit } from '../../campaigns/rate-limits.ts';
import { describeDuration, describeRate } from '../../runtime/wording.ts';
import { type Output, table } from './output.ts';

export function printRateLimits(
  output: Output,
  account: string,
  rateLimits: readonly ShownRateLimit[],
): void {
  output.document('rate-limits', rateLimitsDocument(account, rateLimits));
  const rows = rateLimits.map(rowOf);
  for (const line of table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], rows)) output.print(line);
}

function rowOf(status: ShownRateLimit): readonly string[] {
  const { operation, rateLimit, configured, isChanged } = status;
  const from = isChanged ? `changed, was ${describeRate(configured.perSecond)}` : 'settings';
  return [operation, describeRate(rateLimit.perSecond), String(rateLimit.burst), from, effectText(status)];
}

/** How recent 429s limit a rate limit; empty without any. */
function effectText({ rateLimit, share, pausedMs, throttledForMs }: ShownRateLimit): string {
  const parts = [
    ...(pausedMs > 0 ? [`pauses for ${describeDuration(pausedMs)}`] : []),
    ...(share < 1 ? [`${describeRate(rateLimit.perSecond * share)} after a 429`] : []),
    ...(throttledForMs === undefined ? [] : [`only 429s for ${describeDuration(throttledForMs)}`]),
  ];
  return parts.join(', ');
}
