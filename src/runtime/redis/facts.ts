/** Facts from Redis about itself, for metrics. */
import type { Redis } from 'ioredis';
import { parseInfo } from '../../redis/durability.ts';

export interface RedisFacts {
  readonly usedBytes: number;
  /** 0: no bound. */
  readonly maxBytes: number;
  readonly clients: number;
  /** Whether the last write of the append-only file succeeded. */
  readonly isDiskWell: boolean;
}

export async function readRedisFacts(redis: Redis): Promise<RedisFacts> {
  const facts = parseInfo(await redis.info());
  const number = (name: string) => Number(facts.get(name) ?? 0) || 0;
  return {
    usedBytes: number('used_memory'),
    maxBytes: number('maxmemory'),
    clients: number('connected_clients'),
    isDiskWell: (facts.get('aof_last_write_status') ?? 'ok') === 'ok',
  };
}
