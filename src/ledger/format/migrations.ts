/**
 * The formats of the ledger, and the migration from each to the next.
 *
 * | format | since | what is new |
 * |---|---|---|
 * | 1 | the beginning | no number is stored |
 * | 2 | 0.2 | `:format` has the number and the id of the ledger; `worked` of a campaign, how long it ran |
 * | 3 | 0.3 | `:posts:*`, one index of all posts, in place of `:claims` |
 *
 * To change stored data, append a migration. A new field that readers treat as optional needs none.
 */
import type { Redis } from 'ioredis';
import { chunkSize, type LedgerKeys } from '../keys.ts';
import { isOfOtherType } from '../stored-json.ts';
import { shardOf } from '../transitions/publishing.ts';

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
export const migrations: readonly Migration[] = [
  { to: 2, besideOlder: true, run: countTimeAtWork },
  // Older programs would not write the posts of their rows into the index.
  { to: 3, besideOlder: false, run: indexPosts },
];

/** Before format 2, the time of a campaign was counted from its import to its end. */
async function countTimeAtWork({ redis, keys }: MigrationTools): Promise<void> {
  for (const id of await redis.zrange(keys.campaigns, '0', '-1')) {
    const campaign = keys.campaign(id);
    const [created, ended] = await redis.hmget(campaign, 'created', 'ended');
    if (created && ended) await redis.hsetnx(campaign, 'worked', String(Number(ended) - Number(created)));
  }
}

/** Before format 3, only the posts that a search or a person had found were indexed, in `claims`, at first for each account. */
async function indexPosts({ redis, keys, cursor, keep }: MigrationTools): Promise<void> {
  // By number, as the cursor goes: the list is ordered by time, and clocks have gone back.
  const ids = (await redis.zrange(keys.campaigns, '0', '-1')).sort(
    (one, other) => numberOf(one) - numberOf(other),
  );
  const accounts = await Promise.all(ids.map((id) => redis.hget(keys.campaign(id), 'account')));
  const older = [...new Set(accounts)].map((account) => keys.account(account || 'default', 'claims'));
  const claims = [`${keys.prefix}:claims`, ...older];
  const claimed = Object.assign(
    {},
    ...(await Promise.all(claims.map((key) => readable(redis.hgetall(key))))),
  );
  for (const id of ids) {
    if (cursor !== '' && numberOf(id) <= numberOf(cursor)) continue;
    for (const [row, lines] of Object.entries(await readable(redis.hgetall(keys.earlier(id))))) {
      await index(lines.split('\n').map((packed) => [packed, `${id} ${row}`]));
    }
    const rows = Number(await redis.hget(keys.campaign(id), 'rows'));
    for (let chunk = 0; chunk * chunkSize < rows; chunk++) {
      const results = Object.entries(await readable(redis.hgetall(keys.results(id, chunk))));
      await index(results.map(([at, packed]) => [packed, `${id} ${chunk * chunkSize + Number(at)}`]));
    }
    await keep(id);
  }
  await redis.unlink(...claims);

  async function index(posts: readonly (readonly [packed: string, row: string])[]): Promise<void> {
    const pipeline = redis.pipeline();
    for (const [packed, row] of posts) {
      const [postId = ''] = packed.split('\t');
      pipeline.hsetnx(keys.posts(shardOf(postId)), postId, claimed[postId] === row ? row : `${row} a`);
    }
    // A key of a wrong type is told when somebody needs it (`lua/damage.lua`).
    const failed = (await pipeline.exec())?.find(([error]) => error && !isOfOtherType(error));
    if (failed?.[0]) throw failed[0];
  }
}

/** A hash of a wrong type must not keep everybody from the rest of the ledger. */
async function readable(reading: Promise<Record<string, string>>): Promise<Record<string, string>> {
  try {
    return await reading;
  } catch (error) {
    if (!isOfOtherType(error)) throw error;
    return {};
  }
}

/** Number of a campaign. */
function numberOf(id: string): number {
  return Number(id.slice(1));
}
