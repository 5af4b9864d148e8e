/** Queues in a namespace of their own; they end with the test. */
import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { Queues } from '../../src/queues/queues.ts';
import { redisNamespace } from './redis/redis.ts';

export function openQueues(): { readonly queues: Queues; readonly redis: Redis; readonly prefix: string } {
  const { redis, prefix } = redisNamespace();
  const queues = new Queues({ connection: redis, prefix, attempts: 3 });
  onTestFinished(() => queues.close());
  return { queues, redis, prefix };
}
