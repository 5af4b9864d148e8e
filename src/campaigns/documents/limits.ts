/** The limits of all campaigns: rate limits and queues. */
import { z } from 'zod';
import { type Document, isoTimeOrNull } from '../../runtime/documents.ts';
import type { QueueStatus } from '../queues.ts';
import type { ShownRateLimit } from '../rate-limits.ts';
import { queueName } from './progress.ts';

const rateLimitSchema = z.strictObject({ perSecond: z.number(), burst: z.int() });

export const rateLimitsSchema = z
  .strictObject({
    account: z.string(),
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

export const queueSchema = z
  .strictObject({
    name: queueName,
    active: z.int(),
    waiting: z.int(),
    /** Jobs that are due at a later time. */
    delayed: z.int(),
    failed: z.int(),
    doneInMinute: z.int(),
    /** When the oldest waiting job came. */
    oldestSince: z.iso.datetime().nullable(),
    isPaused: z.boolean(),
  })
  .meta({ id: 'Queue' });

export function rateLimitsDocument(
  account: string,
  rateLimits: readonly ShownRateLimit[],
): Document<typeof rateLimitsSchema> {
  return {
    account,
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

export function queueDocument({ oldestSince, ...queue }: QueueStatus): Document<typeof queueSchema> {
  return { ...queue, oldestSince: isoTimeOrNull(oldestSince) };
}
