/**
 * The formats of the ledger, and the migration from each to the next.
 *
 * | format | since | what is new |
 * |---|---|---|
 * | 1 | the beginning | no number is stored |
 * | 2 | 0.2 | `:format` has the number and the id of the ledger; `worked` of a campaign, how long it ran |
 *
 * To change stored data, append a migration. A new field that readers treat as optional needs none.
 */
import type { Redis } from 'ioredis';
import type { LedgerKeys } from '../keys.ts';

export interface MigrationTools {
  readonly redis: Redis;
  readonly keys: LedgerKeys;
  /** Last cursor stored by `keep`, possibly of an earlier process that was killed; empty at the beginning. */
  readonly cursor: string;
  /**
   * Stores the progress of the migration. Optional: a short migration starts again.
   * @throws when another process has taken over.
   */
  keep(cursor: string): Promise<void>;
}

export interface Migration {
  /** Target format: one more than that of the previous migration. */
  readonly to: number;
  /**
   * Whether workers of the previous format may go on during and after the migration, because old and new programs understand
   * each other's data. If not, the migration begins when the last of them has stopped.
   */
  readonly besideOlder: boolean;
  /** Must be idempotent: after a kill it runs again from the cursor, so parts of it may run twice. */
  run(tools: MigrationTools): Promise<void>;
}

/** In order, without gaps. */
export const migrations: readonly Migration[] = [{ to: 2, besideOlder: true, run: countTimeAtWork }];

/** Before format 2, the time of a campaign was counted from its import to its end. */
async function countTimeAtWork({ redis, keys }: MigrationTools): Promise<void> {
  for (const id of await redis.zrange(keys.campaigns, '0', '-1')) {
    const campaign = keys.campaign(id);
    const [created, ended] = await redis.hmget(campaign, 'created', 'ended');
    if (created && ended) await redis.hsetnx(campaign, 'worked', String(Number(ended) - Number(created)));
  }
}
