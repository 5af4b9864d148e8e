/** Shows rate limits, and changes them while campaigns run. A change reaches waiting queues at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { LastChanges } from '../../ledger/access/audit.ts';
import { nearest } from '../../manifest/edit-distance.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeRate } from '../../manifest/wording.ts';
import type { Queues } from '../../queues/queues.ts';
import type { CallRate, RateLimitStatus } from '../../queues/rate-limit-book.ts';
import { rateKnownMs } from '../../queues/rate-limits.ts';
import {
  type LimitedOperation,
  operations,
  referencedOperations,
} from '../../service/contract/operations.ts';
import type { Document } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

const rateLimitSchema = z.strictObject({ perSecond: z.number(), burst: z.int() });

export const rateLimitsSchema = z
  .strictObject({
    rateLimits: z.array(
      z.strictObject({
        operation: z.string(),
        ...rateLimitSchema.shape,
        changed: z.boolean(),
        settings: rateLimitSchema,
        effectivePerSecond: z.number(),
        pausedMs: z.number(),
        throttledForMs: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RateLimits' });

const limitedOperations: readonly LimitedOperation[] = [
  ...(Object.keys(operations) as (keyof typeof operations)[]),
  ...referencedOperations,
];

export interface ShownRateLimit extends RateLimitStatus {
  readonly configured: CallRate;
}

/** The operations that the settings make possible. */
export function usableOperations({ settings }: Pick<Runtime, 'settings'>): readonly LimitedOperation[] {
  return limitedOperations.filter((name) => {
    const referenced = referencedOperations.find((each) => each === name);
    return referenced === undefined || settings.api[referenced] !== null;
  });
}

/** @param wanted default: all operations. */
export async function readRateLimits(
  { rateLimits }: Pick<Runtime, 'rateLimits'>,
  wanted: readonly string[] = limitedOperations,
): Promise<readonly ShownRateLimit[]> {
  const statuses = await rateLimits.read(wanted);
  return statuses.map((status) => ({ ...status, configured: rateLimits.configured(status.operation) }));
}

/** @throws {UseCaseError} `operation_unknown`, with the nearest name. */
export function requireOperation(name: string): void {
  if (limitedOperations.some((known) => known === name)) return;
  const byLowerCase = new Map(limitedOperations.map((known) => [known.toLowerCase(), known]));
  const guess = byLowerCase.get(nearest(name.toLowerCase(), byLowerCase.keys()) ?? '');
  throw new UseCaseError('operation_unknown', `there is no operation "${name}"`, {
    fix: guess ? `Did you mean ${guess}?` : `Operations: ${limitedOperations.join(', ')}`,
  });
}

type ChangeRuntime = Pick<Runtime, 'ledger' | 'queues' | 'rateLimits'>;

/**
 * For all processes, until it is reset. @param by name of the person. @throws {UseCaseError} `operation_unknown`, with the nearest name.
 * @param rateLimit.burst calls at once. Default: one second of the rate, because the old burst would delay a lowered rate or limit a
 * raised one.
 */
export async function changeRateLimit(
  { ledger, queues, rateLimits }: ChangeRuntime,
  operation: string,
  { perSecond, burst }: { readonly perSecond: number; readonly burst?: number | undefined },
  by: string,
): Promise<CallRate> {
  requireOperation(operation);
  const rateLimit = { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
  const before = await rateLimits.current(operation);
  await rateLimits.change(operation, rateLimit);
  await ledger.lastChanges.record(changeOf(operation, { by, from: before, to: rateLimit }));
  await wake(queues);
  return rateLimit;
}

/** @param operation undefined for all. @returns those whose rate limit had been changed. @throws {UseCaseError} `operation_unknown`. */
export async function resetRateLimits(
  { ledger, queues, rateLimits }: ChangeRuntime,
  operation: string | undefined,
  by: string,
): Promise<readonly string[]> {
  if (operation !== undefined) requireOperation(operation);
  const before = await rateLimits.reset(operation);
  for (const [name, from] of before)
    await ledger.lastChanges.record(changeOf(name, { by, from, to: rateLimits.configured(name) }));
  if (before.size > 0) await wake(queues);
  return [...before.keys()];
}

function changeOf(
  operation: string,
  { by, from, to }: { readonly by: string; readonly from: CallRate; readonly to: CallRate },
): Parameters<LastChanges['record']>[0] {
  return {
    subject: { kind: 'rateLimit', operation },
    by,
    from: describeRate(from.perSecond),
    to: describeRate(to.perSecond),
    why: '',
  };
}

/** Wakes twice: a process that has just read the old rate may snooze its queue after the first time. */
async function wake(queues: Queues): Promise<void> {
  await queues.wake();
  await wait(rateKnownMs);
  await queues.wake();
}

export function rateLimitsDocument(rateLimits: readonly ShownRateLimit[]): Document<typeof rateLimitsSchema> {
  return {
    rateLimits: rateLimits.map(
      ({ operation, rateLimit, configured, isChanged, share, pausedMs, throttledForMs }) => ({
        operation,
        ...rateLimit,
        changed: isChanged,
        settings: configured,
        effectivePerSecond: rateLimit.perSecond * share,
        pausedMs,
        throttledForMs: throttledForMs ?? null,
      }),
    ),
  };
}
