import { describe, expect, it } from 'vitest';
import { secondThoughtsMs } from '../../../src/ledger/transitions/decisions.ts';
import { retryNow, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const result = { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7', '8'], at: 1000 };
const error = { step: 'post' as const, code: 'publishing_failed', message: 'not taken', at: 1 };
const generation = { scheduleId: 's1', taskIds: ['t1'], outputs: 2, since: 5 };
const cover = { fileId: '9', uri: 'uri-9' };
const progress = [
  ['file:0', '7'],
  ['file:1', '8'],
  ['assets', '["https://a/1","https://a/2"]'],
  ['gen2', JSON.stringify(generation)],
  ['cover', JSON.stringify(cover)],
] as const;

/** Posts a row that runs, as the post step does. */
async function post({ ledger }: TestLedger, campaign: string, postId = 'p1', revision = 0) {
  const ref = { campaign, row: 0, revision };
  await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: postId });
  const attempt = { step: 'post', jobId: 'job', effect: 'post', token: postId } as const;
  const assets = ['https://a/1', 'https://a/2'];
  return ledger.steps.finish({
    ...ref,
    ...attempt,
    end: { verdict: 'posted', result: { ...result, postId }, assets },
  });
}

/** A campaign of one posted row that had all kinds of progress. */
async function postedRow(options?: { readonly stopAfter?: number }) {
  const test = testLedger();
  const campaign = await test.campaign(1, options);
  await test.admit(campaign, [0]);
  const ref = { campaign, row: 0, revision: 0 };
  await test.ledger.steps.finish({
    ...ref,
    step: 'upload',
    jobId: 'job',
    end: { verdict: 'ok', fields: progress },
  });
  await post(test, campaign);
  const fail = (before = result) =>
    test.ledger.failedPosts.fail(campaign, [{ row: 0, before, postStatus: 'FAILED', error }]);
  const outcome = async () => (await test.ledger.rows.outcomes(campaign, 0))[0];
  const earlier = async () => (await test.ledger.failedPosts.all(campaign)).get(0) ?? [];
  /** As after a look into the records that found the post failed. */
  const look = async () => test.ledger.failedPosts.noteLooks(campaign, new Map([[0, await earlier()]]));
  const retry = async () => {
    await look();
    return retryNow(test.ledger, campaign, [0]);
  };
  /** Lets a held row go, and admits it. */
  const admit = async () => {
    test.clock.now += secondThoughtsMs;
    await test.ledger.admission.releaseHeld(campaign);
    await test.admit(campaign, [0]);
  };
  return { ...test, test, campaign, fail, outcome, earlier, look, retry, admit };
}

describe('a row whose post was not published', () => {
  it('is failed, with its post and the error, in counters and index', async () => {
    const { ledger, campaign, fail, outcome } = await postedRow();
    const before = await ledger.campaigns.find(campaign);
    expect(await fail()).toHaveLength(1);
    expect(await outcome()).toMatchObject({
      state: 'failed',
      result: { postId: 'p1', postStatus: 'FAILED' },
      error,
    });
    expect(await ledger.rows.inState(campaign, 'failed')).toEqual([0]);
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      counts: { posted: 0, failed: 1 },
      done: { post: 0 },
      state: 'ended',
      endedAt: before?.endedAt,
    });
  });

  it('has its progress again, so that only the post is repeated', async () => {
    const { ledger, redis, campaign, fail } = await postedRow();
    expect(await redis.exists(ledger.keys.progress(campaign, 0))).toBe(0);
    await fail();
    const { files, assets, generations, generationEnded, ...rest } = await ledger.rows.progress(campaign, 0);
    expect([...files]).toEqual([
      [0, '7'],
      [1, '8'],
    ]);
    expect(assets).toEqual(['https://a/1', 'https://a/2']);
    expect(generations.get(2)).toMatchObject({ scheduleId: 's1' });
    expect(generationEnded).toBe(2);
    expect(rest).toMatchObject({ cover, unknownEffect: undefined });
  });

  it('does not fail when its result has changed in the meantime', async () => {
    const { fail, outcome } = await postedRow();
    expect(await fail({ ...result, postStatus: 'PUBLISHED' })).toEqual([]);
    expect(await outcome()).toMatchObject({ state: 'posted' });
  });

  it('fails once, also when two processes see it', async () => {
    const { ledger, campaign, fail } = await postedRow();
    expect((await Promise.all([fail(), fail()])).flat()).toHaveLength(1);
    expect(await ledger.campaigns.find(campaign)).toMatchObject({ counts: { posted: 0, failed: 1 } });
  });

  it('of a reconciled row leaves no unknown outcome behind', async () => {
    const { ledger, redis, campaign, fail } = await postedRow();
    // As reconcile-post leaves it.
    const work = ledger.keys.progress(campaign, 0);
    await redis.hset(work, 'journal:post', 'unknown t 1', 'file:0', '7');
    await redis.pexpire(work, 100_000);
    await fail();
    expect(await redis.ttl(work)).toBe(-1);
    expect(await ledger.rows.progress(campaign, 0)).toMatchObject({ unknownEffect: undefined });
  });

  it('does not count for stop-after', async () => {
    const { ledger, redis, campaign, fail } = await postedRow({ stopAfter: 1 });
    await redis.hset(ledger.keys.campaign(campaign), { judged: 30, state: 'running' });
    await fail();
    expect(await redis.hmget(ledger.keys.campaign(campaign), 'judged', 'missed')).toEqual(['30', '0']);
  });
});

describe('an earlier post', () => {
  it('stays with its row after that is posted anew', async () => {
    const { ledger, test, campaign, fail, outcome, retry, admit } = await postedRow();
    await fail();
    await retry();
    await admit();
    await post(test, campaign, 'p2', 1);
    expect(await outcome()).toMatchObject({ state: 'posted', result: { postId: 'p2' } });
    expect([...(await ledger.publishing.owners(['p1', 'p2']))]).toEqual([
      ['p1', { campaign, row: 0 }],
      ['p2', { campaign, row: 0 }],
    ]);
    await fail({ ...result, postId: 'p2' });
    expect((await ledger.failedPosts.all(campaign)).get(0)?.map(({ postId }) => postId)).toEqual([
      'p1',
      'p2',
    ]);
  });

  it('is not taken again from an answer that comes late', async () => {
    const { test, campaign, fail, outcome } = await postedRow();
    await fail();
    expect(await post(test, campaign)).toBe('stale');
    expect(await outcome()).toMatchObject({ state: 'failed' });
  });

  it('that is no longer failed makes its row posted once more', async () => {
    const { ledger, campaign, fail, outcome } = await postedRow();
    await fail();
    const earlier = (await ledger.failedPosts.all(campaign)).get(0) ?? [];
    const published = { ...result, postStatus: 'PUBLISHED' };
    const ref = { campaign, row: 0, revision: 0 };
    expect(await ledger.failedPosts.postAgain(ref, earlier, published)).toBe('ok');
    expect(await outcome()).toMatchObject({ state: 'posted', result: published, error: undefined });
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      counts: { posted: 1, failed: 0 },
      done: { post: 1 },
    });
    expect(await ledger.failedPosts.all(campaign)).toEqual(new Map());
    expect(await ledger.failedPosts.postAgain(ref, earlier, published)).toBe('stale');
    // It may fail again, with all its progress.
    await fail(published);
    expect(await ledger.rows.progress(campaign, 0)).toMatchObject({ cover, generationEnded: 2 });
  });

  it('does not make a row posted that is being sent again', async () => {
    const { ledger, campaign, fail, retry } = await postedRow();
    await fail();
    const earlier = (await ledger.failedPosts.all(campaign)).get(0) ?? [];
    await retry();
    const ref = { campaign, row: 0, revision: 0 };
    expect(await ledger.failedPosts.postAgain(ref, earlier, result)).toBe('stale');
  });

  it('keeps its row from being revived by the job that failed it: nobody has read its record again', async () => {
    const { ledger, campaign, fail, retry, admit } = await postedRow();
    await fail();
    await retry();
    await admit();
    const ref = { campaign, row: 0, revision: 1 };
    const attempt = { effect: 'post', token: 'refused' } as const;
    const end = { verdict: 'failed', error } as const;
    await ledger.steps.start({ ...stepStart(ref), ...attempt });
    await ledger.steps.finish({ ...ref, ...attempt, step: 'post', jobId: 'job', end });
    const again = await ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 'again' });
    expect(again).toEqual({ kind: 'ended', state: 'failed' });
  });

  it('keeps its row from being revived by a showcase job', async () => {
    const { ledger, campaign, fail, retry, admit } = await postedRow();
    await fail();
    await retry();
    await admit();
    const row = { row: 0, revision: 1, productId: 'p-1' };
    const job = { campaign, jobId: 'job', account: 'default' };
    await ledger.showcase.finish({ ...job, added: [], ready: [], failed: [{ ...row, error }] });
    const group = { creator: 'anna', rows: [row] };
    expect(await ledger.showcase.start({ ...job, creatorId: 'creator', group })).toEqual({ kind: 'ended' });
  });
});

describe('a failed row that had a post', () => {
  it('is not sent back while nobody has looked its post up', async () => {
    const { ledger, campaign, fail, outcome, look } = await postedRow();
    await fail();
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
    expect(await outcome()).toMatchObject({ state: 'failed', error });
    await look();
    expect(await retryNow(ledger, campaign, [0])).toEqual([{ row: 0, revision: 0 }]);
  });

  it('is not sent back by a look of long ago, or at other posts', async () => {
    const { ledger, clock, campaign, fail, look } = await postedRow();
    await fail();
    await ledger.failedPosts.noteLooks(campaign, new Map([[0, [{ ...result, postId: 'other' }]]]));
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
    await look();
    clock.now += 3_600_001;
    expect(await retryNow(ledger, campaign, [0])).toEqual([]);
  });

  it('is not sent back in another revision than the one that was seen', async () => {
    const { ledger, campaign, fail, look } = await postedRow();
    await fail();
    await look();
    expect(await ledger.rows.redo(campaign, [{ row: 0, revision: 1 }])).toEqual({ rows: [], held: 0 });
  });

  it('waits ten seconds, while the retry can be taken back', async () => {
    const { ledger, clock, campaign, fail, outcome, look } = await postedRow();
    await fail();
    await look();
    const before = await ledger.rows.progress(campaign, 0);
    expect(await ledger.rows.redo(campaign, [{ row: 0, revision: 0 }])).toMatchObject({ held: 1 });
    clock.now += secondThoughtsMs - 1;
    expect(await ledger.admission.releaseHeld(campaign)).toBe(0);
    expect(await ledger.decisions.decidedAt(campaign, 0)).toMatchObject({ was: 'failed' });
    expect(await ledger.decisions.undo(campaign, 0)).toEqual({ kind: 'undone', state: 'failed' });
    expect(await outcome()).toMatchObject({ state: 'failed', error, result: { postId: 'p1' } });
    expect(await ledger.rows.progress(campaign, 0)).toEqual(before);
    expect(await ledger.rows.inState(campaign, 'failed')).toEqual([0]);
    expect(await ledger.campaigns.find(campaign)).toMatchObject({
      state: 'ended',
      held: 0,
      counts: { waiting: 0, failed: 1 },
    });
  });

  it('is not taken back once it runs', async () => {
    const { ledger, campaign, fail, retry, admit } = await postedRow();
    await fail();
    await retry();
    await admit();
    expect(await ledger.decisions.undo(campaign, 0)).toEqual({ kind: 'changed', state: 'running' });
  });
});

describe('just before the next post', () => {
  const start = (token: string) => ({ effect: 'post', token }) as const;

  async function readyAgain() {
    const row = await postedRow();
    await row.fail();
    await row.retry();
    await row.admit();
    const ref = { campaign: row.campaign, row: 0, revision: 1 };
    const begin = (token: string) => row.ledger.steps.start({ ...stepStart(ref), ...start(token) });
    return { ...row, ref, begin };
  }

  it('the earlier posts must be looked up again, unless that was a moment ago', async () => {
    const { clock, begin, look, earlier } = await readyAgain();
    clock.now += 60_000;
    expect(await begin('t1')).toEqual({ kind: 'look', earlier: await earlier(), isUnchecked: false });
    await look();
    expect(await begin('t2')).toMatchObject({ kind: 'go' });
  });

  it('an earlier post that is published makes the row posted', async () => {
    const { ledger, clock, begin, ref, earlier, outcome } = await readyAgain();
    clock.now += 60_000;
    await begin('t1');
    const published = { ...result, postStatus: 'PUBLISHED' };
    expect(await ledger.failedPosts.postAgain(ref, await earlier(), published)).not.toBe('stale');
    expect(await outcome()).toMatchObject({ state: 'posted', result: published });
    expect(await begin('t2')).toEqual({ kind: 'ended', state: 'posted' });
  });

  it('but not once another attempt may have sent the next one', async () => {
    const { ledger, begin, ref, earlier } = await readyAgain();
    expect(await begin('t1')).toMatchObject({ kind: 'go' });
    expect(await ledger.failedPosts.postAgain(ref, await earlier(), result)).toBe('stale');
  });
});

it('the manifest of a deleted campaign with such a post stays known', async () => {
  const { ledger, campaign, fail } = await postedRow();
  await fail();
  expect(await ledger.deletion.tombstone(campaign)).toBeUndefined();
  expect(await ledger.campaigns.findDeleted('sha-1')).toBe(campaign);
});

it.each(['posted', 'failed'])(
  'the deletion of a campaign removes all that was kept of a %s row',
  async (state) => {
    const { ledger, redis, prefix, campaign, fail } = await postedRow();
    if (state === 'failed') await fail();
    await ledger.deletion.tombstone(campaign);
    for (const remains of await ledger.deletion.remains()) await ledger.deletion.remove(remains);
    expect(await redis.keys(`${prefix}:c:${campaign}*`)).toEqual([]);
  },
);
