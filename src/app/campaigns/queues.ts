/** Queues: their workload, and pausing them for all campaigns. */
import { z } from 'zod';
import { missingAfterMs, type WorkerPresence } from '../../ledger/presence.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { periodicJobNames, periodicQueue } from '../../queues/campaign-jobs.ts';
import { type QueueName, queueNames } from '../../queues/queues.ts';
import { type QueueLoad, readLoad } from '../../queues/waiting-jobs.ts';
import { type Document, isoTime, isoTimeOrNull } from '../runtime/documents.ts';
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

export interface Changer {
  readonly by: string;
  readonly why?: string | undefined;
}

/** Pauses or resumes a queue. Running jobs finish. @returns whether it was not so already. */
export async function setQueuePaused(
  { queues, ledger }: QueueRuntime,
  name: QueueName,
  isPaused: boolean,
  { by, why = '' }: Changer,
): Promise<boolean> {
  const queue = await queues.queue(name);
  if ((await queue.isPaused()) === isPaused) return false;
  if (isPaused) await queue.pause();
  else await queue.resume();
  const [from, to] = isPaused ? ['running', 'paused'] : ['paused', 'running'];
  await ledger.lastChanges.record({ subject: { kind: 'queue', queue: name }, by, from, to, why });
  return true;
}

export interface PeriodicStatus {
  readonly name: string;
  /** Milliseconds since its last run, or since the start of the oldest worker that would run it. */
  readonly forMs: number;
  /** It has not run for three periods. */
  readonly isMissing: boolean;
}

/** Until a first run has told the period. Milliseconds. */
const usualPeriodMs = 15_000;

/** Those that workers with a right clock would run now. @param paused queues that a person paused. */
export async function readPeriodicJobs(
  { ledger }: Pick<Runtime, 'ledger'>,
  workers: readonly WorkerPresence[],
  paused: readonly QueueName[],
): Promise<readonly PeriodicStatus[]> {
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
