/** Why Redis takes no writes, in words for people. */
import type { Redis } from 'ioredis';
import { UnreadableRecordError } from '../../ledger/stored-json.ts';
import { parseInfo } from '../../platform/redis/durability.ts';
import { stopPrivateRedis as stop } from '../../platform/redis/private/server.ts';
import { describeDamage, isDamage, isRedisFailure, refusalCode } from '../../platform/redis/refusal.ts';
import { readDataDir } from './configuration.ts';

export { isOutage } from '../../platform/redis/refusal.ts';

export interface Refusal {
  /** Why Redis refuses writes: `its memory is full`. */
  readonly why: string;
  readonly fix: string;
}

const passes = 'It usually passes within a minute. If it persists, see the log of Redis.';

const refusals: Readonly<Record<string, Refusal>> = {
  OOM: { why: 'its memory is full', fix: 'Give Redis more memory: raise its setting maxmemory.' },
  MISCONF: { why: 'it cannot save to its disk', fix: 'Free space on the disk of Redis, and see its log.' },
  READONLY: {
    why: 'it has become a replica',
    fix: 'The runner looks for the master. If it finds none, check REDIS_URL.',
  },
  NOREPLICAS: { why: 'too few replicas follow it', fix: 'Bring the replicas of Redis back.' },
};

/** Describes a refusal. @returns undefined for an error that neither is a refusal nor was caused by one. */
export function refusalOf(error: unknown): Refusal | undefined {
  const code = refusalCode(error);
  if (code !== undefined) return refusals[code] ?? { why: `it is not ready (${code})`, fix: passes };
  return error instanceof Error && error.cause !== undefined ? refusalOf(error.cause) : undefined;
}

/** `takes no writes: its memory is full`. @param error of a refused write. */
export function describeRefusal(error: unknown): string {
  return `takes no writes: ${refusalOf(error)?.why ?? String(error)}`;
}

/** Redis was lost, refused a write, or has data that another program changed. @returns undefined for any other error. */
export function redisTroubleOf(
  error: unknown,
): { readonly message: string; readonly fix: string } | undefined {
  const refusal = refusalOf(error);
  if (refusal) return { message: `Redis takes no writes: ${refusal.why}`, fix: refusal.fix };
  if (error instanceof UnreadableRecordError || isDamage(error)) {
    return {
      message: `data in Redis is damaged: ${describeDamage(error)}`,
      fix: 'Find out which program writes there, and give the runner its own Redis. Restore the key from a backup.',
    };
  }
  if (!isLost(error)) return undefined;
  return { message: 'the connection to Redis was lost', fix: 'Check that Redis runs and can be reached.' };
}

/** An answer of Redis that is no refusal is a defect of ours. */
function isLost(error: unknown): boolean {
  return isRedisFailure(error) && !(error instanceof Error && error.name === 'ReplyError');
}

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

/** Ends the private Redis of `DATA_DIR`; its data stays. @returns whether one was running, and which processes used it. */
export async function stopPrivateRedis() {
  const dataDir = readDataDir();
  return { dataDir, ...(await stop(dataDir)) };
}
