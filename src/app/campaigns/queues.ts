/** Queues: their workload, and pausing them for all campaigns. Their workers, and machines whose calls get no answer. */
import { z } from 'zod';
import { missingAfterMs, type WorkerPresence } from '../../ledger/presence.ts';
import type { UnreachableService } from '../../ledger/service/service-reach.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { periodicJobNames, periodicQueue } from '../../queues/campaign-jobs.ts';
import { type QueueName, queueNames } from '../../queues/queues.ts';
import { type QueueLoad, readLoad } from '../../queues/waiting-jobs.ts';
import { type Document, isoTime, isoTimeOf, isoTimeOrNull } from '../runtime/documents.ts';
import { refusalOf } from '../runtime/redis.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const queueName = z.enum(queueNames);

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
    oldestSince: isoTime.nullable(),
    isPaused: z.boolean(),
  })
  .meta({ id: 'Queue' });

export interface QueueStatus extends QueueLoad {
  readonly name: QueueName;
}

type QueueRuntime = Pick<Runtime, 'queues' | 'ledger' | 'now'>;

/** All queues, in the order in which a row passes them. */
export async function readQueues({ queues, now }: QueueRuntime): Promise<readonly QueueStatus[]> {
  return Promise.all(
    queueNames.map(async (name) => ({ name, ...(await readLoad(await queues.queue(name), now())) })),
  );
}

/** Whether a worker takes jobs of every queue. Notifications do not count, because only workers with receivers take them. */
export function servesAllQueues({ queues }: Pick<WorkerPresence, 'queues'>): boolean {
  return queueNames.every((name) => name === 'notify' || queues.includes(name));
}

/** @throws {UseCaseError} `queue_unknown`. */
export function requireQueue(name: string): QueueName {
  const known = queueNames.find((each) => each === name);
  if (known !== undefined) return known;
  throw new UseCaseError('queue_unknown', `there is no queue "${name}"`, {
    fix: `Queues: ${queueNames.join(', ')}`,
  });
}

/** Pauses or resumes a queue. Running jobs finish. @returns whether it was not so already. */
export async function setQueuePaused(
  { queues, ledger }: QueueRuntime,
  name: QueueName,
  isPaused: boolean,
  { by, why = '' }: { readonly by: string; readonly why?: string | undefined },
): Promise<boolean> {
  const queue = await queues.queue(name);
  if ((await queue.isPaused()) === isPaused) return false;
  if (isPaused) await queue.pause();
  else await queue.resume();
  const [from, to] = isPaused ? ['running', 'paused'] : ['paused', 'running'];
  await ledger.lastChanges.record({ subject: { kind: 'queue', queue: name }, by, from, to, why });
  return true;
}

/** Until a first run has told the period. Milliseconds. */
const usualPeriodMs = 15_000;

/**
 * Those that workers with a right clock would run now. @param paused queues that a person paused.
 * @returns `forMs`: milliseconds since its last run, or since the start of the oldest worker that would run it. `isMissing`: it has
 * not run for three periods.
 */
export async function readPeriodicJobs(
  { ledger }: Pick<Runtime, 'ledger'>,
  workers: readonly WorkerPresence[],
  paused: readonly QueueName[],
) {
  const { now, runs } = await ledger.periodic.last(periodicJobNames);
  const able = workers.filter(({ isAlive, clockAheadMs }) => isAlive && clockAheadMs === undefined);
  return periodicJobNames.flatMap((name, index) => {
    const takers = able.filter(({ periodic = [] }) => periodic.includes(name));
    if (takers.length === 0 || paused.includes(periodicQueue(name))) return [];
    const since = takers.reduce((least, worker) => Math.min(least, worker.since), now);
    const { at = 0, everyMs = usualPeriodMs } = runs[index] ?? {};
    const forMs = Math.max(0, now - Math.max(since, at <= now ? at : 0));
    return [{ name, forMs, isMissing: forMs > missingAfterMs(everyMs) }];
  });
}

export function queueDocument({ oldestSince, ...queue }: QueueStatus): Document<typeof queueSchema> {
  return { ...queue, oldestSince: isoTimeOrNull(oldestSince) };
}

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

export function unreachableDocument(service: UnreachableService): Document<typeof unreachableSchema> {
  const { since, at, ...machine } = service;
  return { ...machine, since: isoTimeOf(since), at: isoTimeOf(at) };
}
