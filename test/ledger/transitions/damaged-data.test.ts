import { describe, expect, it } from 'vitest';
import { shardOf } from '../../../src/ledger/transitions/publishing.ts';
import { defineScript } from '../../../src/platform/redis/script.ts';
import { type TestLedger, testLedger } from '../../support/ledger.ts';

const updateRows = new URL('../../../src/ledger/lua/imports/update-rows.lua', import.meta.url);

const posted = (postId: string, at: number) => ({
  verdict: 'posted' as const,
  result: { postId, postStatus: '', fileIds: [], at },
  assets: [],
});

/** A campaign of admitted rows, and the start and end of their posts. */
async function running(rows: number) {
  const test = testLedger();
  const campaign = await test.campaign(rows);
  await test.admit(
    campaign,
    Array.from({ length: rows }, (_, row) => row),
  );
  const step = (row: number) => ({ campaign, row, revision: 0, jobId: `job-${row}` });
  const call = (row: number) => ({ ...step(row), effect: 'post' as const, token: `token-${row}` });
  const start = (row: number) => test.ledger.steps.start({ ...call(row), creatorId: 'c' });
  const finish = (row: number) =>
    test.ledger.steps.finish({ ...call(row), step: 'post', end: posted(`post-${row}`, test.clock.now) });
  const work = (row: number) => test.ledger.keys.progress(campaign, row);
  return { ...test, campaign, start, finish, work };
}

const settled = (calls: readonly Promise<unknown>[]) =>
  Promise.allSettled(calls).then((all) => all.map(({ status }) => status));

async function statesOf({ ledger }: Pick<TestLedger, 'ledger'>, campaign: string, rows: number) {
  return (await ledger.rows.statuses(campaign, 0, rows)).map(({ state }) => state);
}

describe('a damaged row in a batch', () => {
  it('lets the other steps of the batch begin', async () => {
    const { redis, start, work } = await running(3);
    await redis.set(work(1), 'not a hash');
    expect(await settled([start(0), start(1), start(2)])).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('lets the answers of the others be recorded, and stays without its own', async () => {
    const { redis, start, finish, work, campaign, ...test } = await running(3);
    await Promise.all([start(0), start(1), start(2)]);
    await redis.del(work(1));
    await redis.set(work(1), 'not a hash');
    expect(await settled([finish(0), finish(1), finish(2)])).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await statesOf(test, campaign, 3)).toEqual(['posted', 'running', 'posted']);
  });

  it('keeps its journal entry if the index of posts is damaged, so that it is not sent again', async () => {
    const { redis, ledger, start, finish, campaign } = await running(1);
    await start(0);
    await redis.set(ledger.keys.posts(shardOf('post-0')), 'no index');
    await expect(finish(0)).rejects.toThrow(/WRONGTYPE.*posts:/);
    expect(await ledger.rows.progress(campaign, 0)).toMatchObject({ unknownEffect: 'post' });
  });

  it.for(['ready', 'unapproved'] as const)(
    'still runs if the set %s of its gate is damaged',
    async (name) => {
      const { redis, ledger, campaign, ...test } = await running(1);
      await redis.set(ledger.keys.index(campaign, name), 'no set');
      const end = { verdict: 'ready' as const, gate: { name, at: test.clock.now }, fields: [] };
      const ended = ledger.steps.finish({ campaign, row: 0, revision: 0, jobId: 'job-0', step: 'post', end });
      await expect(ended).rejects.toThrow(`:${name}`);
      expect(await statesOf({ ledger }, campaign, 1)).toEqual(['running']);
    },
  );

  it('keeps the permission to send that its neighbour got', async () => {
    const { redis, ledger, campaign, start, work } = await running(2);
    await redis.set(work(1), 'not a hash');
    const [, damaged] = await Promise.allSettled([start(0), start(1)]);
    expect(damaged).toMatchObject({
      reason: { message: expect.stringMatching(/^WRONGTYPE.*\(.*:work:1\)/) },
    });
    expect(await ledger.rows.progress(campaign, 0)).toMatchObject({ unknownEffect: 'post' });
  });
});

describe('the end of a row whose data is damaged', () => {
  it('is a review that names the key, and nothing is changed in it', async () => {
    const { redis, ledger, campaign, work } = await running(2);
    await redis.set(work(1), 'not a hash');
    await ledger.steps.endDamaged(campaign, [{ row: 1, revision: 0 }], `WRONGTYPE (${work(1)})`);
    const [, row] = await ledger.rows.outcomes(campaign, 0);
    expect(row).toMatchObject({
      state: 'review',
      error: { code: 'data_damaged', step: 'post', message: expect.stringContaining(work(1)) },
    });
    expect(await redis.get(work(1))).toBe('not a hash');
    expect((await ledger.campaigns.find(campaign))?.counts).toMatchObject({ running: 1, review: 1 });
  });

  it.for(['errors', 'review', 'redo', 'adding', 'groups', 'earlier'])(
    'is refused with the name of the key if %s of its campaign is of a wrong type',
    async (name) => {
      const { redis, ledger, campaign } = await running(1);
      const key = `${ledger.keys.campaign(campaign)}:${name}`;
      await redis.del(key);
      await redis.set(key, 'not as it was');
      expect(await ledger.campaigns.damagedKeys([campaign])).toEqual([key]);
      const ending = ledger.steps.endDamaged(campaign, [{ row: 0, revision: 0 }], 'broken');
      await expect(ending).rejects.toThrow(`WRONGTYPE ${key} holds something else`);
      expect(await statesOf({ ledger }, campaign, 1)).toEqual(['running']);
    },
  );

  it('is refused if a counter is no number: the campaign cannot be read', async () => {
    const { redis, ledger, campaign } = await running(1);
    await redis.hset(ledger.keys.campaign(campaign), 'running', 'many');
    const ending = ledger.steps.endDamaged(campaign, [{ row: 0, revision: 0 }], 'broken');
    await expect(ending).rejects.toThrow(`(${ledger.keys.campaign(campaign)})`);
    await expect(ledger.campaigns.find(campaign)).rejects.toThrow(ledger.keys.campaign(campaign));
  });

  it('leaves rows alone that have ended or are in another revision', async () => {
    const { ledger, campaign, start, finish } = await running(2);
    await start(0);
    await finish(0);
    const rows = [
      { row: 0, revision: 0 },
      { row: 1, revision: 1 },
    ];
    await ledger.steps.endDamaged(campaign, rows, 'broken');
    expect(await statesOf({ ledger }, campaign, 2)).toEqual(['posted', 'running']);
  });

  it('can be decided once somebody has removed the key', async () => {
    const { redis, ledger, campaign, work } = await running(1);
    await redis.set(work(0), 'not a hash');
    await ledger.steps.endDamaged(campaign, [{ row: 0, revision: 0 }], 'broken');
    const decide = () =>
      ledger.decisions.decide({ campaign, row: 0, revision: 0 }, undefined, { kind: 'again', fields: [] });
    await expect(decide()).rejects.toThrow(`(${work(0)})`);
    await redis.del(work(0));
    expect(await decide()).toEqual({ kind: 'decided', state: 'waiting' });
  });

  it('is told although the campaign stops after too many failures', async () => {
    const { redis, ledger, ...test } = testLedger();
    const campaign = await test.campaign(1, { stopAfter: 50 });
    await test.admit(campaign, [0]);
    await redis.set(ledger.keys.progress(campaign, 0), 'not a hash');
    await ledger.steps.endDamaged(campaign, [{ row: 0, revision: 0 }], 'broken');
    expect(await ledger.campaigns.find(campaign)).toMatchObject({ state: 'ended', counts: { review: 1 } });
  });
});

describe('a script that goes through rows', () => {
  it('cancels the others, and sends the damaged row to review', async () => {
    const { redis, ledger, campaign, work } = await running(3);
    await redis.set(work(1), 'not a hash');
    await ledger.cancellation.begin(campaign);
    expect(await ledger.cancellation.cancelRows(campaign, 0, 3)).toMatchObject({ cancelled: 2, review: 1 });
    expect(await ledger.campaigns.find(campaign)).toMatchObject({ state: 'ended' });
  });

  it('retries the others, and sends the damaged row to review', async () => {
    const { redis, ledger, campaign, work } = await running(2);
    const error = { step: 'upload' as const, code: 'media_missing', message: 'no', at: 1 };
    for (const row of [0, 1]) {
      const ref = { campaign, row, revision: 0, jobId: 'job' };
      await ledger.steps.finish({ ...ref, step: 'upload', end: { verdict: 'failed', error } });
    }
    await redis.del(work(1));
    await redis.set(work(1), 'not a hash');
    expect(
      await ledger.rows.redo(
        campaign,
        [0, 1].map((row) => ({ row, revision: 0 })),
      ),
    ).toEqual({
      rows: [{ row: 0, revision: 0 }],
      held: 0,
    });
    expect(await statesOf({ ledger }, campaign, 2)).toEqual(['waiting', 'review']);
  });

  it('admits the others, and sends the damaged row to review', async () => {
    const test = testLedger();
    const campaign = await test.campaign(3);
    await test.redis.set(test.ledger.keys.progress(campaign, 1), 'not a hash');
    const fields = [['file:0', '7'] as const];
    const rows = [0, 1, 2].map((row) => ({ row, revision: 0, atOnce: true, fields }));
    const admitted = await test.ledger.admission.admit({ campaign, number: 0, cursor: 3, groups: [], rows });
    expect([...(admitted?.rows ?? [])]).toEqual([0, 2]);
    expect(await statesOf(test, campaign, 3)).toEqual(['running', 'review', 'running']);
  });

  it('changes nothing in an import if a key of the campaign is of a wrong type', async () => {
    const { redis, ledger, ...test } = testLedger();
    const campaign = await test.campaign(1);
    await redis.set(ledger.keys.index(campaign, 'redo'), 'not a list');
    const before = await redis.dump(ledger.keys.states(campaign));
    const args = [campaign, '', (await ledger.campaigns.sheetVersion(campaign)) ?? '', 'change', '0', ''];
    const update = defineScript(redis, ledger.keys.prefix, updateRows);
    await expect(update([...args, '1', '0', '', '', '1', '0', '0', ''])).rejects.toThrow(/WRONGTYPE .*:redo/);
    expect(await redis.dump(ledger.keys.states(campaign))).toEqual(before);
  });
});
