/** The progress of a campaign, its workers, and what limits all campaigns: rate limits and queues. */
import { z } from 'zod';
import type { WorkerPresence } from '../../../ledger/presence.ts';
import type { UnreachableService } from '../../../ledger/service/service-reach.ts';
import { queueNames } from '../../../queues/queues.ts';
import { type Document, isoTimeOf } from '../../runtime/documents.ts';
import { stepName } from './campaign.ts';

const isoTime = z.iso.datetime();
export const queueName = z.enum(queueNames);

export const workerSchema = z
  .strictObject({
    id: z.string(),
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    queues: z.array(z.string()),
    since: isoTime,
    seenMsAgo: z.number(),
    isAlive: z.boolean(),
    /** It takes no jobs, because its clock is ahead of that of Redis by so many milliseconds (negative: behind). */
    clockAheadMs: z.int().nullable(),
  })
  .meta({ id: 'Worker' });

/** Why Redis takes no writes. Then heartbeats are missing, so it is unknown which workers are alive. Null while workers live. */
export const redisRefuses = z.string().nullable();

/** `done` and `failed` count this campaign; the others count jobs of the queue, which all campaigns share. */
const stepProgress = z.strictObject({
  done: z.int(),
  active: z.int(),
  waiting: z.int(),
  /** Jobs scheduled for a later time. */
  delayed: z.int(),
  /** Rows that failed or are in review at this step; an estimate when there are very many. */
  failed: z.int(),
});

/** A machine whose calls get no answer from the service. */
export const unreachableSchema = z.strictObject({
  host: z.string(),
  reason: z.string(),
  since: isoTime,
  at: isoTime,
});

export const progressSchema = z
  .strictObject({
    ended: z.int(),
    asleep: z.int(),
    steps: z.record(stepName, stepProgress),
    rowsPerMinute: z.number().nullable(),
    remainingMs: z.strictObject({ least: z.number(), most: z.number().nullable() }).nullable(),
    heldBackBy: z.array(
      z.strictObject({
        operation: z.string(),
        /** Calls per second allowed at present. */
        perSecond: z.number(),
        /** Milliseconds until its pause after a 429 is over; 0 for none. */
        pausedMs: z.number(),
        /** Whether it is reduced after a 429. */
        isThrottled: z.boolean(),
      }),
    ),
    unreachable: z.array(unreachableSchema),
    pausedQueues: z.array(queueName),
    workers: z.array(workerSchema),
    redisRefuses,
    /** Why the campaign does not go on, in words. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'Progress' });

export function workerDocument(worker: WorkerPresence): Document<typeof workerSchema> {
  const { id, host, pid, version, queues, since, seenMsAgo, isAlive, clockAheadMs = null } = worker;
  return { id, host, pid, version, queues, seenMsAgo, isAlive, clockAheadMs, since: isoTimeOf(since) };
}

export function unreachableDocument({
  since,
  at,
  ...machine
}: UnreachableService): Document<typeof unreachableSchema> {
  return { ...machine, since: isoTimeOf(since), at: isoTimeOf(at) };
}

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
