/** How much a queue has to do. */
import type { Queue } from 'bullmq';

export interface QueueLoad {
  readonly active: number;
  readonly waiting: number;
  /** Jobs that are due at a later time. */
  readonly delayed: number;
  readonly failed: number;
  /** Jobs that ended well in the last minute. */
  readonly doneInMinute: number;
  /** When the oldest waiting job came: Unix epoch, milliseconds. A post comes when its files are still to be uploaded. */
  readonly oldestSince: number | undefined;
  readonly isPaused: boolean;
}

const minuteMs = 60_000;

/** @param now Unix epoch, milliseconds. */
export async function readLoad(queue: Queue, now: number): Promise<QueueLoad> {
  const [counts, [oldest], metrics, isPaused] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
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
    // A job that was put back comes anew, after its delay.
    oldestSince: oldest && (oldest.processedOn ?? oldest.timestamp) + (oldest.delay ?? 0),
    isPaused,
  };
}

/** BullMQ writes a point when a job ends in another minute than the one before: an idle queue has old points. */
function doneInMinute({ meta, data }: Awaited<ReturnType<Queue['getMetrics']>>, now: number): number {
  const age = now - meta.prevTS;
  if (age < minuteMs) return data[0] ?? meta.count;
  return age < 2 * minuteMs ? meta.count - meta.prevCount : 0;
}
