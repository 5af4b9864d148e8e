import { describe, expect, it } from 'vitest';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';
import { keysOf } from '../../support/redis/redis.ts';

const result = { postId: 'p', postStatus: '', fileIds: [], at: 5 };
const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 5 };
const reason = { code: 'paused', message: 'by hand' };

/** A campaign that has ended: one row posted, one failed, and one in review if wanted. */
async function endedCampaign(test: TestLedger, { review = false } = {}): Promise<string> {
  const rows = review ? [0, 1, 2] : [0, 1];
  const id = await test.campaign(rows.length);
  await test.admit(id, rows);
  for (const row of rows) {
    const ref = { campaign: id, row, revision: 0 };
    await test.ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 't' });
    const finish = { ...ref, step: 'post' as const, jobId: 'job', effect: 'post' as const, token: 't' };
    const ends = [
      { verdict: 'posted' as const, result, assets: ['https://asset.test/1'] },
      { verdict: 'failed' as const, error, fields: [['file:0', '7'] as const] },
      { verdict: 'review' as const, error },
    ];
    const end = ends[row];
    if (end) await test.ledger.steps.finish({ ...finish, end });
  }
  return id;
}

/** All keys but those of the send journal, which counts the entries of all campaigns, and the manifests that are known. */
async function keysLeft({ redis, prefix }: TestLedger): Promise<readonly string[]> {
  return (await keysOf(redis, prefix)).filter(
    (key) => !key.startsWith(`${prefix}:journal`) && key !== `${prefix}:manifests`,
  );
}

async function removeAll({ ledger }: TestLedger): Promise<void> {
  for (const remains of await ledger.deletion.remains()) await ledger.deletion.remove(remains);
}

describe('deleting a campaign', () => {
  it('leaves no key of it, whatever its rows were', async () => {
    const test = testLedger();
    const id = await endedCampaign(test, { review: true });
    expect(await test.ledger.deletion.tombstone(id, { force: true })).toBeUndefined();
    await removeAll(test);
    expect(await keysLeft(test)).toEqual([`${test.prefix}:campaign-number`]);
  });

  it('works for a campaign whose states are gone', async () => {
    const test = testLedger();
    const id = await endedCampaign(test);
    await test.redis.del(test.ledger.keys.states(id));
    expect(await test.ledger.deletion.tombstone(id)).toBeUndefined();
    await removeAll(test);
    expect(await test.ledger.campaigns.list()).toEqual([]);
  });

  it('leaves other campaigns alone', async () => {
    const test = testLedger();
    const id = await endedCampaign(test);
    const other = await endedCampaign(test);
    const before = await test.ledger.rows.outcomes(other, 0);
    await test.ledger.deletion.tombstone(id);
    await removeAll(test);
    expect(await test.ledger.rows.outcomes(other, 0)).toEqual(before);
    expect((await test.ledger.campaigns.list()).map((campaign) => campaign.id)).toEqual([other]);
  });

  it('hides it at once, before its keys are removed', async () => {
    const test = testLedger();
    const id = await endedCampaign(test);
    await test.ledger.deletion.tombstone(id);
    expect(await test.ledger.campaigns.find(id)).toBeUndefined();
    expect(await test.ledger.campaigns.list()).toEqual([]);
    expect(await test.ledger.campaigns.findByManifest('sha-1')).toBeUndefined();
    expect(await test.ledger.steps.start(stepStart({ campaign: id, row: 1, revision: 0 }))).toEqual({
      kind: 'gone',
    });
  });

  it('names the rows whose jobs may still be there', async () => {
    const test = testLedger();
    const id = await endedCampaign(test, { review: true });
    await test.ledger.deletion.tombstone(id, { force: true });
    const [remains] = await test.ledger.deletion.remains();
    expect(remains).toMatchObject({ id, rows: 3 });
    const rows: object[] = [];
    if (remains) for await (const some of test.ledger.deletion.unposted(remains)) rows.push(...some);
    expect(rows).toEqual([
      { row: 1, revision: 0 },
      { row: 2, revision: 0 },
    ]);
  });

  it('writes nothing for an answer that comes late', async () => {
    const test = testLedger();
    const id = await endedCampaign(test, { review: true });
    await test.ledger.deletion.tombstone(id, { force: true });
    await removeAll(test);
    const ref = { campaign: id, row: 2, revision: 0 };
    const late = { ...ref, step: 'post' as const, jobId: 'job', effect: 'post' as const, token: 't' };
    const end = { verdict: 'posted' as const, result, assets: [] };
    expect(await test.ledger.steps.finish({ ...late, end })).toBe('stale');
    await test.ledger.showcase.finish({
      campaign: id,
      jobId: 'job',
      added: [],
      ready: [],
      failed: [{ row: 1, revision: 0, error }],
    });
    expect(await keysLeft(test)).toEqual([`${test.prefix}:campaign-number`]);
  });

  it('is possible while it is paused, as long as no row runs', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.ledger.campaigns.pause(id, reason);
    expect(await test.ledger.deletion.tombstone(id)).toBeUndefined();
  });

  it('of which nothing was posted lets its manifest be imported as if it were new', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    await test.ledger.campaigns.pause(id, reason);
    expect((await test.ledger.campaigns.findByManifest('sha-1'))?.id).toBe(id);
    await test.ledger.deletion.tombstone(id);
    expect(await test.ledger.campaigns.findByManifest('sha-1')).toBeUndefined();
    expect(await test.ledger.campaigns.findDeleted('sha-1')).toBeUndefined();
  });

  it('of which something was posted stays known by its manifest', async () => {
    const test = testLedger();
    const id = await endedCampaign(test);
    await test.ledger.deletion.tombstone(id);
    await removeAll(test);
    expect(await test.ledger.campaigns.findDeleted('sha-1')).toBe(id);
  });
});

describe('a campaign that is not deleted', () => {
  it('runs or waits', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    expect(await test.ledger.deletion.tombstone(id)).toBe('unfinished');
    await test.admit(id, [0]);
    await test.ledger.campaigns.pause(id, reason);
    expect(await test.ledger.deletion.tombstone(id, { force: true })).toBe('unfinished');
  });

  it('has rows in review, unless it is forced', async () => {
    const test = testLedger();
    const id = await endedCampaign(test, { review: true });
    expect(await test.ledger.deletion.tombstone(id)).toBe('review');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'ended' });
  });

  it('ended too recently', async () => {
    const test = testLedger();
    const id = await endedCampaign(test);
    expect(await test.ledger.deletion.tombstone(id, { endedBefore: test.clock.now })).toBe('recent');
    expect(await test.ledger.deletion.tombstone(id, { endedBefore: test.clock.now + 1 })).toBeUndefined();
    expect(await test.ledger.deletion.tombstone(id)).toBe('gone');
  });
});
