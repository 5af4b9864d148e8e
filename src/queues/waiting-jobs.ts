/** Jobs that wait in a queue: how many there are, and making those run that are due too late. */
import type { Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface QueueLoad {
  readonly active: number;
  readonly waiting: number;
  readonly delayed: number;
  readonly failed: number;
  /** Jobs that ended well in the last minute. */
  readonly doneInMinute: number;
  /** When the oldest of the next waiting jobs came: Unix epoch, milliseconds. A post comes when its files are still to be uploaded. */
  readonly oldestSince: number | undefined;
  readonly isPaused: boolean;
}

const minuteMs = 60_000;

/** @param now Unix epoch, milliseconds. */
export async function readLoad(queue: Queue, now: number): Promise<QueueLoad> {
  const [counts, next, metrics, isPaused] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, nextJobs - 1, true),
    queue.getMetrics('completed', 0, 0),
    queue.isPaused(),
  ]);
  const count = (name: string) => counts[name] ?? 0;
  return {
    active: count('active'),
    waiting: count('waiting') + count('prioritized'),
    delayed: count('delayed'),
    failed: count('failed'),
    doneInMinute: doneInMinute(metrics, now),
    oldestSince: next.length === 0 ? undefined : Math.min(...next.map(waitsSince)),
    isPaused,
  };
}

/** Counts the jobs of each queue: cheap enough for a page that is updated all the time. */
export async function readCounts(
  queues: readonly Queue[],
): Promise<readonly Pick<QueueLoad, 'active' | 'waiting' | 'delayed'>[]> {
  const found = await Promise.all(
    queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized')),
  );
  return found.map(({ active = 0, waiting = 0, delayed = 0, prioritized = 0 }) => {
    return { active, waiting: waiting + prioritized, delayed };
  });
}

/** More than a worker takes at once: jobs that wait for a rate limit are put back in front of others that may not have begun yet. */
const nextJobs = 50;

/** A job that was put back counts from its last run, after its delay. */
function waitsSince({ processedOn, timestamp, delay }: Job): number {
  return (processedOn ?? timestamp) + (delay ?? 0);
}

/** BullMQ writes a point when a job ends in another minute than the last: an idle queue has old points. */
function doneInMinute({ meta, data }: Awaited<ReturnType<Queue['getMetrics']>>, now: number): number {
  const age = now - meta.prevTS;
  if (age < minuteMs) return data[0] ?? meta.count;
  return age < 2 * minuteMs ? meta.count - meta.prevCount : 0;
}

/** Ids of the jobs at the head of a queue, in the order in which they are taken. Jobs that others put back come first. */
export async function readNextJobs(redis: Redis, queue: Queue, most: number): Promise<readonly string[]> {
  const ids = await redis.lrange(queue.toKey('wait'), -most, -1);
  return ids.reverse();
}
