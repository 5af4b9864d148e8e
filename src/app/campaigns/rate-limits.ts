/** Shows rate limits, and changes them while campaigns run. A change reaches waiting queues at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { LastChanges } from '../../ledger/access/audit.ts';
import { nearest } from '../../manifest/edit-distance.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeRate } from '../../manifest/wording.ts';
import type { Queues } from '../../queues/queues.ts';
import type { RateLimit, RateLimitBook, RateLimitStatus } from '../../queues/rate-limit-book.ts';
import { rateKnownMs } from '../../queues/rate-limits.ts';
import {
  type LimitedOperation,
  operations,
  referencedOperations,
} from '../../service/contract/operations.ts';
import type { Document } from '../runtime/documents.ts';
import { systemUser } from '../runtime/machine.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { openRateLimitBook } from '../runtime/service/rate-limit-book.ts';

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

export type RateLimitRuntime = Pick<Runtime, 'environment' | 'settings' | 'ledger' | 'queues'> & {
  readonly redis: Pick<Runtime['redis'], 'connect'>;
};

/** A rate limit beside that of the settings. */
export interface ShownRateLimit extends RateLimitStatus {
  readonly configured: RateLimit;
}

/** The rate limits of all operations that the settings make possible. */
export async function readUsableRateLimits(runtime: RateLimitRuntime): Promise<readonly ShownRateLimit[]> {
  const isUsable = (name: LimitedOperation) => {
    const referenced = referencedOperations.find((each) => each === name);
    return referenced === undefined || runtime.settings.api[referenced] !== null;
  };
  return readShown(openRateLimitBook(runtime), limitedOperations.filter(isUsable));
}

/** The rate limits of all operations, or of one. */
export async function readRateLimits(
  runtime: RateLimitRuntime,
  { operation }: { readonly operation?: string | undefined } = {},
): Promise<readonly ShownRateLimit[]> {
  const wanted = limitedOperations.filter((name) => operation === undefined || name === operation);
  return readShown(openRateLimitBook(runtime), wanted);
}

async function readShown(
  book: RateLimitBook,
  operations: readonly LimitedOperation[],
): Promise<readonly ShownRateLimit[]> {
  const statuses = await book.read(operations);
  return statuses.map((status) => ({ ...status, configured: book.configured(status.operation) }));
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

export interface RateLimitChangeOptions {
  /** Name of the person, as pages show it; default: the user of this process. */
  readonly by?: string | undefined;
}

export interface NewRateLimit {
  readonly perSecond: number;
  /** Calls at once. Default: one second of the rate, because the old burst would delay a lowered rate or limit a raised one. */
  readonly burst?: number | undefined;
}

/** For all processes, until it is reset. @throws {UseCaseError} `operation_unknown`, with the nearest name. */
export async function changeRateLimit(
  runtime: RateLimitRuntime,
  operation: string,
  { perSecond, burst }: NewRateLimit,
  { by = systemUser() }: RateLimitChangeOptions = {},
): Promise<RateLimit> {
  requireOperation(operation);
  const book = openRateLimitBook(runtime);
  const { queues } = runtime;
  const changes = runtime.ledger.lastChanges;
  const rateLimit = { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
  const before = await book.current(operation);
  await book.change(operation, rateLimit);
  await changes.record(changeOf(operation, { by, from: before, to: rateLimit }));
  await wake(queues);
  return rateLimit;
}

/** @param options.operation default: all. @returns those whose rate limit had been changed. @throws {UseCaseError} `operation_unknown`. */
export async function resetRateLimits(
  runtime: RateLimitRuntime,
  { by = systemUser(), operation }: RateLimitChangeOptions & { readonly operation?: string | undefined } = {},
): Promise<readonly string[]> {
  if (operation !== undefined) requireOperation(operation);
  const book = openRateLimitBook(runtime);
  const { queues } = runtime;
  const changes = runtime.ledger.lastChanges;
  const before = await book.changed();
  const gone = await book.reset(operation);
  for (const name of gone) {
    const { rate = 0, per = 1000, burst = 1 } = before[name] ?? {};
    const from = { perSecond: (rate * 1000) / per, burst };
    await changes.record(changeOf(name, { by, from, to: book.configured(name) }));
  }
  if (gone.length > 0) await wake(queues);
  return gone;
}

function changeOf(
  operation: string,
  { by, from, to }: { readonly by: string; readonly from: RateLimit; readonly to: RateLimit },
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
