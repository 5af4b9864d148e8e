/** A copy of the data under a prefix, to be put back later: what an operator does with a backup, without a restart of Redis. */
import type { Redis } from 'ioredis';

/** Copies all keys. @returns a function that replaces the data by the copy. */
export async function copyOf(redis: Redis, prefix: string): Promise<() => Promise<void>> {
  const keys = await redis.keys(`${prefix}:*`);
  const copies = await Promise.all(
    keys.map(async (key) => ({ key, bytes: await redis.dumpBuffer(key), ms: await redis.pttl(key) })),
  );
  return async () => {
    const now = await redis.keys(`${prefix}:*`);
    // At once: processes that run would write between the two.
    const replacement = redis.multi().del(...now, `${prefix}:none`);
    for (const { key, bytes, ms } of copies)
      if (bytes) replacement.restore(key, Math.max(0, ms), bytes, 'REPLACE');
    for (const [error] of (await replacement.exec()) ?? []) if (error) throw error;
  };
}

/** Removes all keys, as FLUSHALL does. */
export async function flush(redis: Redis, prefix: string): Promise<void> {
  const keys = await redis.keys(`${prefix}:*`);
  if (keys.length > 0) await redis.del(...keys);
}
