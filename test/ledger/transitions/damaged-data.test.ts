import { describe, expect, it } from 'vitest';
import { shardOf } from '../../../src/ledger/transitions/publishing.ts';
import { type TestLedger, testLedger } from '../../support/ledger.ts';

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
  const start = (row: number) => test.ledger.steps.start({ ...call(row), account: 'a', creatorId: 'c' });
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

  it('lets the answers of the others be recorded', async () => {
    const { redis, start, finish, work, campaign, ...test } = await running(3);
    await Promise.all([start(0), start(1), start(2)]);
    await redis.set(work(1), 'not a hash');
    await settled([finish(0), finish(1), finish(2)]);
    // The answer that came for the damaged row is not lost either.
    expect(await statesOf(test, campaign, 3)).toEqual(['posted', 'posted', 'posted']);
  });

  it('lets a post be recorded whose index is damaged', async () => {
    const { redis, ledger, start, finish, campaign, ...test } = await running(1);
    await start(0);
    await redis.set(ledger.keys.posts(shardOf('post-0')), 'no index');
    await finish(0);
    expect(await statesOf({ ledger, ...test }, campaign, 1)).toEqual(['posted']);
    expect([...(await ledger.publishing.owners(['post-0'])).keys()]).toEqual(['post-0']);
  });

  it('keeps the permission to send that its neighbour got', async () => {
    const { redis, ledger, campaign, start, work } = await running(2);
    await redis.set(work(1), 'not a hash');
    const [, damaged] = await Promise.allSettled([start(0), start(1)]);
    expect(damaged).toMatchObject({ reason: { message: expect.stringMatching(/^WRONGTYPE/) } });
    expect(await ledger.rows.progress(campaign, 0)).toMatchObject({ unknownEffect: 'post' });
  });
});

describe('the end of a row whose data is damaged', () => {
  it('is a review, with an unknown outcome in the place of its lost journal, and nothing is deleted', async () => {
    const { redis, ledger, campaign, work } = await running(2);
    await redis.set(work(1), 'not a hash');
    await ledger.damage.end(campaign, [{ row: 1, revision: 0 }], 'WRONGTYPE of all things');
    const [, row] = await ledger.rows.outcomes(campaign, 0);
    expect(row).toMatchObject({
      state: 'review',
      error: {
        code: 'data_damaged',
        step: 'post',
        message: expect.stringContaining('WRONGTYPE of all things'),
      },
      progress: { unknownEffect: 'post' },
    });
    expect(await redis.get(`${work(1)}:damaged`)).toBe('not a hash');
    expect([...(await ledger.damage.movedAside(campaign)).keys()]).toEqual([`${work(1)}:damaged`]);
    expect((await ledger.campaigns.find(campaign))?.counts).toMatchObject({ running: 1, review: 1 });
  });

  it.for([
    'errors',
    'review',
    'histories',
    'changed',
    'earlier',
    'redo',
    'pauses',
    'pace',
    'adding',
    'groups',
  ])('works with a campaign whose key %s is of a wrong type', async (name) => {
    const { redis, ledger, campaign } = await running(1);
    const key = `${ledger.keys.campaign(campaign)}:${name}`;
    await redis.del(key);
    await redis.set(key, 'not as it was');
    await ledger.damage.end(campaign, [{ row: 0, revision: 0 }], 'broken');
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      state: 'ended',
      counts: { review: 1, running: 0 },
    });
    expect(await redis.get(`${key}:damaged`)).toBe('not as it was');
  });

  it('counts the rows again when a counter is no number', async () => {
    const { redis, ledger, campaign } = await running(3);
    await redis.hset(ledger.keys.campaign(campaign), 'running', 'many');
    await ledger.damage.end(campaign, [{ row: 0, revision: 0 }], 'broken');
    expect((await ledger.campaigns.find(campaign))?.counts).toMatchObject({
      running: 2,
      review: 1,
      waiting: 0,
    });
  });

  it('leaves rows alone that have ended or are in another revision', async () => {
    const { redis, ledger, campaign, start, finish } = await running(2);
    await start(0);
    await finish(0);
    const rows = [
      { row: 0, revision: 0 },
      { row: 1, revision: 1 },
    ];
    await ledger.damage.end(campaign, rows, 'broken');
    expect(await statesOf({ ledger }, campaign, 2)).toEqual(['posted', 'running']);
    expect(await redis.exists(ledger.keys.aside(campaign))).toBe(0);
  });

  it('can be decided once its call must be over, also when the data was damaged in review', async () => {
    const { redis, ledger, campaign, clock, start, work } = await running(2);
    await redis.set(work(0), 'not a hash');
    await start(1);
    const rows = [0, 1].map((row) => ({ row, revision: 0 }));
    await ledger.damage.end(campaign, rows, 'broken');
    await redis.del(work(1));
    await redis.set(work(1), 'not a hash');
    const decide = (row: number) =>
      ledger.decisions.decide({ campaign, row, revision: 0 }, 'post', { kind: 'again', fields: [] });
    expect([await decide(0), await decide(1)]).toMatchObject([{ kind: 'early' }, { kind: 'early' }]);
    clock.now += 600_000;
    const decided = { kind: 'decided', state: 'waiting' };
    expect([await decide(0), await decide(1)]).toEqual([decided, decided]);
  });

  it('goes with its campaign', async () => {
    const { redis, ledger, campaign, work } = await running(1);
    await redis.set(work(0), 'not a hash');
    await ledger.damage.end(campaign, [{ row: 0, revision: 0 }], 'broken');
    await ledger.deletion.tombstone(campaign, { force: true });
    for (const remains of await ledger.deletion.remains()) await ledger.deletion.remove(remains);
    expect(await redis.exists(`${work(0)}:damaged`, ledger.keys.aside(campaign))).toBe(0);
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

  it('moves a row once when a number that it is counted with is damaged', async () => {
    const { redis, ledger, campaign } = await running(2);
    await redis.hset(ledger.keys.campaign(campaign), 'worked', 'long');
    await ledger.cancellation.begin(campaign);
    await ledger.cancellation.cancelRows(campaign, 0, 2);
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      state: 'ended',
      counts: { cancelled: 2, running: 0 },
    });
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

  it('releases decided rows beside an entry of another program', async () => {
    const { redis, ledger, ...test } = testLedger();
    const campaign = await test.campaign(2);
    await redis.zadd(ledger.keys.held(campaign), 0, 'not a row', 1, '1');
    expect(await ledger.admission.releaseHeld(campaign)).toBe(2);
    expect(await ledger.admission.rowsToRedo(campaign, 10)).toEqual([1]);
  });
});
