import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { describe, expect, it, type TestContext } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { socketIn, startLedgerRedis } from '../support/redis/redis-server.ts';
import { writeMedia } from '../support/sheets/media.ts';

/** A ledger in format 1; `make.ts` beside it tells what it holds. */
const fixture = new URL('../fixtures/ledger-1/ledger.aof.gz', import.meta.url);

interface OlderLedger {
  readonly scene: Scene;
  readonly redis: Redis;
  run(...args: readonly string[]): ReturnType<Scene['run']>;
  /** Status by key, as the sheet of a campaign has it. */
  statuses(id: string): Promise<Readonly<Record<string, string>>>;
}

/** A Redis with the data of an older version, whose media are in the scene's folder. */
async function openOlderLedger(test: TestContext): Promise<OlderLedger> {
  const folder = temporaryFolder(test);
  writeFileSync(join(folder, 'appendonly.aof'), gunzipSync(readFileSync(fixture)));
  const { url } = await startLedgerRedis(test, folder);
  const redis = new Redis({ path: socketIn(folder) });
  test.onTestFinished(() => redis.disconnect());
  // The deadline of its generation is long past. Its showcases had products that those of this sandbox lack.
  const scene = await openScene(test, { sandbox: { strict: false }, env: { REDIS_URL: url } });
  writeMedia(scene.folder, ['a.mp4', 'd.mp4', 'e.mp4', ...[6, 8, 9, 10, 11, 12].map((key) => `${key}.mp4`)]);
  for (const id of ['c2', 'c4']) await redis.hset(`{campaigns}:c:${id}`, 'mediaRoot', scene.folder);
  const run = (...args: readonly string[]) => scene.run(args);
  return {
    scene,
    redis,
    run,
    async statuses(id) {
      expect((await run('report', id, '--out', `${id}.csv`)).code).toBe(0);
      return Object.fromEntries(scene.results(`${id}.csv`).rows.map(({ key, status }) => [key, status]));
    },
  };
}

/** Ids in the index of all posts. */
async function indexedPosts(redis: Redis): Promise<readonly string[]> {
  const shards = await redis.keys('{campaigns}:posts:*');
  return (await Promise.all(shards.map((shard) => redis.hkeys(shard)))).flat();
}

describe('a ledger of an older version', { timeout: 120_000 }, () => {
  it('is converted when it is opened, with all its campaigns', async (test) => {
    const { redis, run } = await openOlderLedger(test);
    const listed = await run('list', '--json');
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain('converted to format 3');
    const { campaigns } = JSON.parse(listed.stdout);
    expect(campaigns).toMatchObject([
      { id: 'c4', state: 'running', counts: { waiting: 3, running: 4, posted: 3, failed: 1, review: 1 } },
      { id: 'c3', state: 'ended', counts: { cancelled: 2 } },
      { id: 'c2', state: 'paused', counts: { posted: 1, waiting: 2 } },
      { id: 'c1', state: 'ended', counts: { posted: 2 }, workedMs: expect.any(Number) },
    ]);
    expect(await redis.hgetall('{campaigns}:format')).toMatchObject({ version: '3' });
    expect(await indexedPosts(redis)).toHaveLength(6);
    expect((await run('list')).stderr).not.toContain('converted');
  });

  it('is worked off to its end: what is known is kept, what is of unknown outcome goes to review', async (test) => {
    const { run, statuses, scene } = await openOlderLedger(test);
    expect((await run('resume', 'c2')).code).toBe(0);
    const ended = await run('run');
    expect(ended.code).toBe(3);
    expect(await statuses('c1')).toEqual({ a: 'posted', b: 'posted' });
    expect(await statuses('c2')).toEqual({ a: 'posted', d: 'posted', e: 'posted' });
    expect(await statuses('c3')).toEqual({ f: 'cancelled', g: 'cancelled' });
    const rows = await statuses('c4');
    expect(rows).toMatchObject({ 1: 'posted', 2: 'posted', 3: 'posted', 4: 'failed', 5: 'review' });
    // Their calls were under way: 6 its post, 7 the polling of a generation that this sandbox does not know.
    expect(rows).toMatchObject({ 6: 'review', 7: 'review' });
    expect(rows).toMatchObject({ 8: 'posted', 10: 'posted', 11: 'posted', 12: 'posted' });
    const titles = scene.sandbox
      .effects()
      .posts.map(({ title }) => title)
      .sort();
    expect(titles).toEqual(['Caption 10', 'Caption 11', 'Caption 12', 'Caption 8', 'Caption d', 'Caption e']);
  });

  it('is refused once a newer version has converted it: exit 2, and what to do', async (test) => {
    const { redis, run } = await openOlderLedger(test);
    await redis.hset('{campaigns}:format', 'version', '99');
    const refused = await run('run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('format 99');
    expect(refused.stderr).toContain('Use that version');
    expect((await run('stop')).code).toBe(0);
  });
});
