import { describe, expect, it } from 'vitest';
import { stepStart } from '../../support/ledger.ts';
import { cover, error, post, postedRow, result } from './posted-row.ts';

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
    const job = { campaign, jobId: 'job' };
    await ledger.showcase.finish({ ...job, added: [], ready: [], failed: [{ ...row, error }] });
    const group = { creator: 'anna', rows: [row] };
    expect(await ledger.showcase.start({ ...job, creatorId: 'creator', group })).toEqual({ kind: 'ended' });
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
