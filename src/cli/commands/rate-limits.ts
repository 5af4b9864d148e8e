/** `campaigns rate-limits`: shows rate limits, and changes them while campaigns run. */

import {
  changeRateLimit,
  rateLimitsDocument,
  readRateLimits,
  requireOperation,
  resetRateLimits,
  type ShownRateLimit,
} from '../../app/campaigns/rate-limits.ts';
import { limitOperations } from '../../app/operations/limits.ts';
import { commandLine } from '../../app/runtime/command-line.ts';
import { describeDuration, describeRate, parseRate } from '../../manifest/wording.ts';
import { CommandError } from '../exit.ts';
import { type Define, refuseBeside, wholeNumber } from '../flags/common.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

export const rateLimits: Define = (command) =>
  command
    .argument('[name]', 'operation to show or change, or `reset` to use the settings again')
    .argument('[rate]', '20, 20/s or 300/min; after `reset`: the operation')
    .option(
      '--burst <calls>',
      'allow this many calls in a burst (default: the calls of one second)',
      readBurst,
    )
    .notes(`
A change is kept in Redis. It overrides the settings until it is reset, in every process within two seconds.
A rate without a unit is per second. The burst is at least 1.

Examples:
  campaigns rate-limits
  campaigns rate-limits createCreatorPost
  campaigns rate-limits createCreatorPost 300/min
  campaigns rate-limits reset createCreatorPost`)
    .action(showOrChange);

const readBurst = wholeNumber('It must be a whole number from 1 to 1000000.', 1, 1_000_000);

async function showOrChange(
  operation: string | undefined,
  rate: string | undefined,
  { burst, ...flags }: CommonOptions & { readonly burst?: number },
): Promise<void> {
  const change = readChange(operation, rate, burst);
  await using session = await openSession(flags, { writes: change !== undefined });
  const { runtime, output } = session;
  const done = await change?.(session);
  if (done !== undefined) output.say(done);
  const wanted = change === undefined && operation !== undefined ? [operation] : undefined;
  const shown = await readRateLimits(runtime, wanted);
  output.document('rate-limits', rateLimitsDocument(shown));
  output.table(['OPERATION', 'RATE', 'AT ONCE', 'FROM', 'NOW'], shown.map(rowOf));
}

/** Makes a change. @returns what was changed, in words. */
type Change = (session: Session) => Promise<string>;

/**
 * Parses `[OPERATION [RATE] | reset [OPERATION]]`. @returns undefined if rate limits are only to be shown.
 * @throws {CommandError} for a wrong rate, or a burst without one. @throws {UseCaseError} `operation_unknown`.
 */
function readChange(
  name: string | undefined,
  value: string | undefined,
  burst: number | undefined,
): Change | undefined {
  if (name === 'reset') {
    if (value !== undefined) requireOperation(value);
    refuseBeside({ burst }, ['burst'], 'reset', 'A reset also resets the burst to the settings.');
    return async ({ runtime, person, record }) => {
      const gone = await resetRateLimits(runtime, value, person);
      if (gone.length === 0) return 'Nothing to reset.';
      const operation = gone.join(', ');
      const document = rateLimitsDocument(await readRateLimits(runtime));
      await record(limitOperations.resetRateLimit, { operation }, document);
      return `Reset to the settings: ${operation}`;
    };
  }
  if (name !== undefined) requireOperation(name);
  if (value === undefined && burst === undefined) return undefined;
  const perSecond = parseRate(value ?? '');
  if (name === undefined || perSecond === undefined) {
    throw new CommandError(value === undefined ? 'the rate is missing' : `"${value}" is not a rate`, {
      fix: `Write it as 20/s, 300/min or 1000/h:\n  ${commandLine('rate-limits', { outside: [name ?? 'createCreatorPost', '20/s'] })}`,
    });
  }
  return async ({ runtime, person, record }) => {
    const rateLimit = await changeRateLimit(runtime, name, { perSecond, burst }, person);
    const document = rateLimitsDocument(await readRateLimits(runtime));
    await record(limitOperations.changeRateLimit, { operation: name, perSecond }, document);
    return `${name}: ${describeRate(perSecond)}, in bursts of up to ${rateLimit.burst}, in all processes until it is reset.`;
  };
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
