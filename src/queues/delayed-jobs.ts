/** Delayed jobs of any queue. */
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface Overslept {
  /** Unix epoch, milliseconds: they are due after it. */
  readonly after: number;
  /** So many are woken at once; any of them, if there are more. */
  readonly most: number;
  /** If there are no more than these, none is woken. */
  readonly expected: number;
}

/** Makes delayed jobs run now that are due too late, without those of schedules. @returns how many. */
export async function wakeAfter(
  redis: Redis,
  queue: Queue,
  { after, most, expected }: Overslept,
): Promise<number> {
  const key = queue.toKey('delayed');
  // BullMQ's scores: the time, and twelve bits for the order.
  const from = after * 0x1000;
  const found = await redis.zcount(key, from, '+inf');
  if (found <= expected) return 0;
  const first = Math.floor(Math.random() * Math.max(1, found - most + 1));
  const ids = await redis.zrangebyscore(key, from, '+inf', 'LIMIT', first, most);
  let woken = 0;
  for (const id of ids.filter((each) => !each.startsWith('repeat:'))) {
    const job = await queue.getJob(id);
    // Another process may have been quicker.
    const isWoken = await job?.promote().then(
      () => true,
      () => false,
    );
    if (isWoken) woken += 1;
  }
  return woken;
}
