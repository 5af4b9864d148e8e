/** Workers, and machines whose calls get no answer. */
import { z } from 'zod';
import type { WorkerPresence } from '../../../ledger/presence.ts';
import type { UnreachableService } from '../../../ledger/service/service-reach.ts';
import { type Document, isoTime, isoTimeOf } from '../../runtime/documents.ts';
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';

const workerSchema = z
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

export const workersSchema = z.strictObject({
  workers: z.array(workerSchema),
  redisRefuses: z.string().nullable(),
});

/** A machine whose calls get no answer from the service. */
export const unreachableSchema = z.strictObject({
  host: z.string(),
  reason: z.string(),
  since: isoTime,
  at: isoTime,
});

/** The workers, and how sure that is. */
export interface SeenWorkers {
  /** Workers that are alive, and those that recently went silent. */
  readonly workers: readonly WorkerPresence[];
  /** Why Redis takes no writes. Then heartbeats are missing, so it is unknown which workers are alive. Undefined while they live. */
  readonly redisRefuses: string | undefined;
}

/** Asks whether Redis takes writes only if a worker seems to be missing. */
export async function readWorkers({ ledger }: Pick<Runtime, 'ledger'>): Promise<SeenWorkers> {
  const workers = await ledger.presence.workers();
  if (workers.length > 0 && workers.every(({ isAlive }) => isAlive))
    return { workers, redisRefuses: undefined };
  return { workers, redisRefuses: refusalOf(await ledger.findRefusal())?.why };
}

export function workersDocument({ workers, redisRefuses }: SeenWorkers): Document<typeof workersSchema> {
  return { workers: workers.map(workerDocument), redisRefuses: redisRefuses ?? null };
}

function workerDocument(worker: WorkerPresence): Document<typeof workerSchema> {
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
