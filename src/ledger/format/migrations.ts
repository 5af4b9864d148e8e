/**
 * The formats of the ledger, and the way from each to the next.
 *
 * | format | since | what is new |
 * |---|---|---|
 * | 1 | the beginning | no number is stored |
 * | 2 | 0.2 | `:format` has the number and the id of the ledger; `worked` of a campaign, how long it was at work |
 *
 * To change what is stored, append a migration. What older data lacks and readers take for absent needs none.
 */
import type { Redis } from 'ioredis';
import type { LedgerKeys } from '../keys.ts';

export interface MigrationTools {
  readonly redis: Redis;
  readonly keys: LedgerKeys;
  /** What `keep` stored last, if an earlier process was killed; empty at the beginning. */
  readonly cursor: string;
  /** Stores how far the migration is. Optional: a short one begins anew. @throws when another process has taken over. */
  keep(cursor: string): Promise<void>;
}

export interface Migration {
  /** The format that it leads to: one more than the one before. */
  readonly to: number;
  /**
   * Whether workers of the format before may go on during the migration and after it, because they understand all that is stored and
   * store nothing that newer programs do not. Otherwise the migration begins when the last of them has stopped.
   */
  readonly besideOlder: boolean;
  /** Must be idempotent: after a kill it runs again, from the cursor, and parts of it may run twice. */
  run(tools: MigrationTools): Promise<void>;
}

/** In order, without gaps. */
export const migrations: readonly Migration[] = [{ to: 2, besideOlder: true, run: countTimeAtWork }];

/** Until now, the time of a campaign was that from its import to its end. */
async function countTimeAtWork({ redis, keys }: MigrationTools): Promise<void> {
  for (const id of await redis.zrange(keys.campaigns, '0', '-1')) {
    const campaign = keys.campaign(id);
    const [created, ended] = await redis.hmget(campaign, 'created', 'ended');
    if (created && ended) await redis.hsetnx(campaign, 'worked', String(Number(ended) - Number(created)));
  }
}
