/** Entries of others under our names, in a Redis that is shared: they end no command, and stop no worker. */
import type { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { parseRowProgress } from '../../src/ledger/rows/row-progress.ts';
import { rescue } from '../../src/processors/rescue/rescuer.ts';
import { openRunner } from '../support/in-process.ts';
import { testLedger } from '../support/ledger.ts';
import { openOperator } from '../support/processes/operator.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const oddTexts = ['no JSON', '', 'null', '[]', '{"host":7}', `{"host":"${'x'.repeat(300)}"}`];

/** Puts odd entries wherever the ledger lists something. */
async function plant(redis: Redis, prefix: string): Promise<void> {
  const key = (name: string) => `${prefix}:${name}`;
  for (const [index, text] of oddTexts.entries()) {
    await redis.zadd(key('workers'), Date.now(), `evil${index}`);
    await redis.set(key(`worker:evil${index}`), text);
    await redis.hset(key('unreachable'), `evil${index}`, text);
    await redis.hset(key('breakers'), `evil${index}`, text);
    await redis.hset(key('buried'), `evil${index}`, text);
    await redis.hset(key('rate-limits'), `evil${index}`, text);
  }
  await redis.zadd(key('workers'), Date.now(), 'hash');
  await redis.hset(key('worker:hash'), 'field', 'value');
  for (const [index, text] of [...oddTexts, '{'].entries()) {
    await redis.zadd(key('videos'), index + 1, `evil${index}`);
    await redis.hset(key(`v:evil${index}`), { f: text, m: text, e: text, s: text });
    await redis.hset(key('users'), `evil${index}`, text);
    await redis.hset(key('tokens'), `evil${index}`, text);
    await redis.zadd(key('scrapes'), 1000 + index, `${1000 + index}`);
    await redis.hset(key(`scrape:${1000 + index}`), { state: 'ended', reason: text });
    await redis.zadd(key('outbox:due'), 0, `evil${index}`);
    await redis.hset(key(`outbox:e:evil${index}`), { event: 'scrape.failed', run: '1', at: text });
  }
  await redis.zadd(key('outbox:due'), 0, 'type', 0, 'counts');
  await redis.set(key('outbox:e:type'), 'no hash');
  await redis.hset(key('outbox:e:counts'), {
    event: 'scrape.failed',
    run: '1',
    at: 1,
    counts: '{',
    codes: '7',
  });
  await redis.zadd(key('videos'), 100, 'type', 101, 'missing');
  await redis.set(key('v:type'), 'no hash');
  // Campaigns: one that is not there, one of another type, and some that are not as the ledger writes them.
  await redis.zadd(key('campaigns'), 1, 'missing', 2, 'text', 3, 'header', 4, 'map', 5, 'state');
  await redis.set(key('c:text'), 'no hash');
  await redis.hset(key('c:header'), { id: 'header', state: 'running', header: '{', rows: 'many' });
  await redis.hset(key('c:map'), { id: 'map', state: 'running', map: '[[1]]' });
  await redis.hset(key('c:state'), { id: 'state', state: 'evil' });
}

/** Puts odd entries into the records of a campaign. */
async function spoil(redis: Redis, campaign: string): Promise<void> {
  await redis.hset(`${campaign}:groups`, '99', 'no JSON', '98', '{"rows":[{}]}');
  await redis.hset(`${campaign}:creators`, 'evil', '[]');
  await redis.hset(`${campaign}:errors`, '0', '{"step":"evil"}');
  await redis.hset(`${campaign}:assets`, '0', '[7]');
  await redis.hset(campaign, 'paused', 'no JSON');
}

describe('commands', () => {
  const played = playOnce(async (owner) => {
    const scene = await openScene(owner, { redis: 'private' });
    await scene.run(['run', scene.manifest([videoRow('one')])]);
    const { redis } = await openOperator(owner, scene);
    await plant(redis, '{campaigns}');
    await spoil(redis, '{campaigns}:c:c1');
    const second = scene.manifest([videoRow('two')], 'second.csv');
    const run = await scene.run(['run', second, '--json']);
    return { scene, run };
  });

  test.each([
    ['list'],
    ['show', 'c1'],
    ['report', 'c1', '--out', '-'],
    ['run'],
    ['users', 'list'],
    ['users', 'remove', 'evil0', '--yes'],
    ['videos', 'list'],
    ['videos', 'report'],
    ['videos', 'schedule'],
    ['videos', 'export', '--out', 'videos.csv'],
  ])('%s ends as usual', async (...args) => {
    const ended = await played().scene.run(args);
    expect(ended.stderr).not.toContain('defect');
    expect(ended).toMatchObject({ code: 0 });
  });

  test('doctor names the keys of campaigns that hold something else', async () => {
    const { stdout } = await played().scene.run(['doctor', '--json']);
    const findings: { text: string; verdict: string }[] = JSON.parse(stdout).findings;
    const problems = findings.filter(({ verdict }) => verdict === 'problem').map(({ text }) => text);
    const named = ['state', 'map', 'header', 'text'].map(
      (id) => `the key {campaigns}:c:${id} in Redis holds something else`,
    );
    expect(problems).toEqual(named);
    expect(findings.length).toBeGreaterThan(5);
  });

  test('a campaign is worked off', () => {
    const { code, stdout } = played().run;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).counts.posted).toBe(1);
  });

  test('the list has what can be read', async () => {
    const { stdout } = await played().scene.run(['list', '--json']);
    const ids = JSON.parse(stdout).campaigns.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['c2', 'c1']);
  });

  test.each(['text', 'header'])('show %s says what is wrong', async (id) => {
    const ended = await played().scene.run(['show', id]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain(
      `cannot be read: the key {campaigns}:c:${id} in Redis holds something else`,
    );
  });
});

test('the rescuer goes on: rows of a good campaign are repaired', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('one')]);
  await plant(runner.redis, runner.prefix);
  await spoil(runner.redis, `${runner.prefix}:c:${id}`);
  await rescue(runner.context);
  // It has added the admission that is missing.
  await runner.start();
  expect((await runner.ended(id)).counts.posted).toBe(1);
});

test('jobs of others in the queues stop no worker', async () => {
  const runner = await openRunner();
  const post = `${runner.prefix}:post`;
  for (const [index, data] of ['no JSON', 'null', '{}', '{"c":"evil","r":0,"v":0}'].entries()) {
    await runner.redis.hset(`${post}:evil${index}`, { name: 'post', data, opts: '{}', timestamp: '1' });
    await runner.redis.lpush(`${post}:wait`, `evil${index}`);
  }
  await runner.redis.lpush(`${post}:wait`, 'missing');
  await runner.start();
  const id = await runner.importOrUpdate([videoRow('one'), videoRow('two')]);
  expect((await runner.ended(id)).counts.posted).toBe(2);
});

test('events that nobody can read are dropped, and the others are told', async () => {
  const { ledger, redis, prefix } = testLedger();
  await plant(redis, prefix);
  const due = await ledger.outbox.due(100);
  expect(due.map(({ id }) => id)).toEqual(['counts']);
  expect(await redis.zrange(ledger.keys.outbox('due'), '0', '-1')).toEqual(['counts']);
});

test('users and tokens that nobody can read keep nobody out, and let nobody in', async () => {
  const { ledger, redis, prefix } = testLedger();
  const { users, tokens } = ledger.access;
  const anna = { name: 'anna', id: 'i', stamp: 's', role: 'admin', password: 'p' } as const;
  await users.add(anna);
  await plant(redis, prefix);
  await tokens.add('digest', { ...anna, createdAt: 1 }, { prefix: 'abc', most: 20 });
  expect((await users.list()).map(({ name }) => name)).toEqual(['anna']);
  expect((await tokens.list()).map(({ user }) => user)).toEqual(['anna']);
  expect(await users.remove('anna', false)).toBe('last');
  expect(await tokens.remove('anna', 'abc')).toBe(true);
  expect(await users.remove('anna', true)).toBe('done');
});

test('a worker that nobody can read is none', async () => {
  const { ledger, redis, prefix } = testLedger();
  await ledger.presence.announce({ host: 'hall', pid: 7, version: '1', queues: ['post'], since: 1 }).beat();
  await plant(redis, prefix);
  expect((await ledger.presence.workers()).map(({ host }) => host)).toEqual(['hall']);
});

test('a format that is no number is named', async () => {
  const { ledger, redis } = testLedger();
  await redis.hset(ledger.keys.format, 'version', 'evil');
  await expect(ledger.format.open()).rejects.toThrow(/format that is no number/);
});

test('a generation that cannot be read does not seem never to have been made', () => {
  const { generations, cover, assets } = parseRowProgress(['gen1', '{', 'cover', '7', 'assets', '{}']);
  expect(generations.get(1)).toEqual({ scheduleId: '', taskIds: [], outputs: 0, since: 0 });
  expect(cover).toBeUndefined();
  expect(assets).toEqual([]);
});
