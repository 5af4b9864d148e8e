import { describe, expect, it } from 'vitest';
import {
  type Reconciled,
  reconcileAll,
  reconcileRows,
} from '../../../src/processors/publishing-records/reconcile.ts';
import { collect } from '../../support/collect.ts';
import type { TestRunner } from '../../support/in-process.ts';
import { asIf, postRows } from '../../support/ledger.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { endedCampaign, openRecords, openUnreadable } from './campaign.ts';

const alike = { caption: 'The same', media: 'same.mp4', product_id: 'p-same' };
const lostAnswer = { kind: 'lost-answer' } as const;
const reset = { kind: 'reset' } as const;

async function reconcile(runner: TestRunner, id: string, all = true) {
  const { tools, campaign } = await openRecords(runner, id);
  return collect<Reconciled>(reconcileRows(tools, campaign, { all }));
}

describe('a row whose post may have been sent', () => {
  it('is posted by the one record that fits', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    const [post] = runner.sandbox.effects().posts;
    expect(await reconcile(runner, id)).toMatchObject([{ key: 'a', state: 'posted', postId: post?.postId }]);
    expect(await runner.rows(id)).toMatchObject([{ state: 'posted', result: { postId: post?.postId } }]);
  });

  it('leaves no failed job behind once it is found', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a'), videoRow('b', { creator: 'demo_ben' })], {
      faults: [
        { ...lostAnswer, match: { title: 'Caption a' } },
        { ...reset, match: { title: 'Caption b' } },
      ],
    });
    const failed = async () =>
      (await (await runner.queues.queue('post')).getFailed()).map((job) => job.id?.split('-')[1]);
    // A row ends before its job does.
    await runner.until(async () => (await failed()).length === 2, 'two failed jobs');
    await reconcile(runner, id);
    expect(await failed()).toEqual(['1']);
  });

  it('is searched for since its import if nobody knows when it was sent', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    await asIf(runner).inCall(id, 0, `ended - ${Date.now() + 3_600_000}`);
    expect(await reconcile(runner, id)).toMatchObject([{ key: 'a', state: 'posted' }]);
  });

  it('stays in review without a record, with a note that records may lag', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [reset] });
    expect(await reconcile(runner, id)).toMatchObject([
      { state: 'review', note: expect.stringContaining('search is repeated after') },
    ]);
    expect(await runner.rows(id)).toMatchObject([
      { state: 'review', error: { note: expect.stringContaining('Not found') } },
    ]);
  });

  it('is searched for once more when its record should have appeared, and then no longer', async () => {
    const { id, wait, ...runner } = await endedCampaign([videoRow('a')], { faults: [reset] });
    expect(await reconcile(runner, id, false)).toHaveLength(1);
    expect(await reconcile(runner, id, false)).toEqual([]);
    expect(await runner.rows(id)).toMatchObject([{ error: { isNotFound: false } }]);
    wait(300_000);
    expect(await reconcile(runner, id, false)).toMatchObject([
      { note: expect.stringContaining('is not resent automatically') },
    ]);
    expect(await reconcile(runner, id, false)).toEqual([]);
    expect(await runner.rows(id)).toMatchObject([{ error: { isNotFound: true } }]);
  });

  it('shares no record with a row like it', async () => {
    const rows = [videoRow('a', alike), videoRow('b', alike)];
    const { id, ...runner } = await endedCampaign(rows, { faults: [lostAnswer, reset] });
    const found = await reconcile(runner, id);
    expect(found.map(({ state }) => state).sort()).toEqual(['posted', 'review']);
    const left = found.find(({ state }) => state === 'review');
    expect(left).toMatchObject({ note: expect.stringContaining('belong to other rows') });
  });

  it('does not get the record of a row that was answered', async () => {
    const rows = [videoRow('a', alike), videoRow('b', alike)];
    const { id, ...runner } = await endedCampaign(rows, { faults: [reset] });
    expect(await reconcile(runner, id)).toMatchObject([{ state: 'review' }]);
  });

  it('stays in review when several records fit, and they are named', async () => {
    const rows = [videoRow('a', alike), videoRow('b', alike)];
    const { id, ...runner } = await endedCampaign(rows, { faults: [lostAnswer, lostAnswer] });
    const ids = runner.sandbox.effects().posts.map(({ postId }) => postId);
    for (const found of await reconcile(runner, id)) {
      expect(found.state).toBe('review');
      for (const postId of ids) expect(found).toMatchObject({ note: expect.stringContaining(postId) });
    }
    // A person compares them with the row.
    const [row] = await runner.rows(id);
    const like = { title: 'The same', productId: 'p-same', isSimilar: false, hasFiles: true };
    const candidates = row?.error?.candidates ?? [];
    expect(candidates.map(({ postId }) => postId).sort()).toEqual(ids.toSorted());
    for (const candidate of candidates) expect(candidate).toMatchObject(like);
    expect(ids).toHaveLength(2);
  });
});

describe('the look into the records', () => {
  it('never says "not there" of records of which one page was seen', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], {
      faults: [reset],
      listPosts: { ...listPostsSetting(), result: { list: '/data/list' } },
    });
    const [found] = await reconcile(runner, id);
    expect(found).toMatchObject({ state: 'review', note: expect.stringContaining('Only one page') });
    expect(found).toMatchObject({ note: expect.not.stringContaining('Not found') });
  });

  it.each([
    ['a total that is more than was shown', { totalPages: 1, total: 35 }, 'Only 0 of 35 publishing records'],
    ['no number of pages', {}, 'Only one page of the publishing records'],
  ])('never says "not there" after an answer with %s', async (_, counts, note) => {
    const setting = listPostsSetting();
    const { id, wait, ...runner } = await endedCampaign([videoRow('a')], {
      faults: [reset],
      listPosts: setting,
    });
    const body = { code: 0, message: 'ok', data: { list: [], ...counts } };
    runner.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body });
    wait(300_000);
    expect(await reconcile(runner, id)).toMatchObject([
      { state: 'review', note: expect.stringContaining(note) },
    ]);
    expect(await runner.rows(id)).toMatchObject([{ error: { isNotFound: false } }]);
  });

  it('leaves a post alone that a row of another campaign has', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    const other = await runner.importRows([videoRow('b')]);
    const [post] = runner.sandbox.effects().posts;
    await postRows(runner.ledger, other, [[0, post?.postId ?? '']]);
    expect(await reconcile(runner, id)).toMatchObject([
      { state: 'review', note: expect.stringContaining('belong to other rows') },
    ]);
  });

  it('leaves a row in review that more posts fit than are compared with those of other rows', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    const other = await runner.importRows(['b', 'c', 'd', 'e'].map((key) => videoRow(key)));
    await postRows(
      runner.ledger,
      other,
      [0, 1, 2, 3].map((row) => [row, `b${row}`]),
    );
    const [post] = runner.sandbox.effects().posts;
    const { creatorId, title, businessId, at } = post ?? {};
    const list = ['b0', 'b1', 'b2', 'b3', 'free1', 'free2'].map((postId) => ({
      postId,
      creatorId,
      title,
      businessId,
      createdAt: at,
    }));
    const body = { code: 0, message: 'ok', data: { list, totalPages: 1 } };
    runner.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body, times: 1 });
    expect(await reconcile(runner, id)).toMatchObject([
      { state: 'review', note: expect.stringContaining('more than 5 posts that fit this row') },
    ]);
  });

  it('leaves a row out that it cannot read, and looks for the others', async () => {
    const rows = [videoRow('b', { creator: 'demo_ben' }), videoRow('a')];
    const { id, ...runner } = await endedCampaign(rows, { faults: [lostAnswer, lostAnswer] });
    const { tools, campaign } = await openUnreadable(runner, id, 'demo_ben');
    expect(await collect<Reconciled>(reconcileRows(tools, campaign, { all: true }))).toMatchObject([
      { key: 'a', state: 'posted' },
    ]);
    expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['review', 'posted']);
  });

  it('takes times in seconds', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    const [post] = runner.sandbox.effects().posts;
    const { postId, creatorId, title, businessId, at = 0 } = post ?? {};
    const record = { postId, creatorId, title, businessId, createdAt: Math.floor(at / 1000) };
    const body = { code: 0, message: 'ok', data: { list: [record], totalPages: 1 } };
    runner.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body, times: 1 });
    expect(await reconcile(runner, id)).toMatchObject([{ state: 'posted', postId }]);
  });

  it('names posts whose caption is only alike', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    const [post] = runner.sandbox.effects().posts;
    const { postId, creatorId, title, businessId, at } = post ?? {};
    const record = { postId, creatorId, title: title?.toUpperCase(), businessId, createdAt: at };
    const body = { code: 0, message: 'ok', data: { list: [record], totalPages: 1 } };
    runner.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 200, body, times: 1 });
    expect(await reconcile(runner, id)).toMatchObject([
      { state: 'review', note: expect.stringContaining(`not quite the same: ${postId}`) },
    ]);
  });

  it('finds a post that was not published: its row fails', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a', { caption: 'A [publish-fail]' })], {
      faults: [lostAnswer],
    });
    runner.sandbox.clock.advance(60_000);
    expect(await reconcile(runner, id)).toMatchObject([{ state: 'failed', postStatus: 'FAILED' }]);
    expect(await runner.rows(id)).toMatchObject([{ state: 'failed', error: { code: 'publishing_failed' } }]);
  });
});

describe('a 500 after every second post', () => {
  const answered500 = { kind: 'status', status: 500, when: 'after' } as const;

  it('makes no second post, and the records settle the rows', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key));
    const { id, ...runner } = await endedCampaign(rows, { faults: [answered500, answered500] });
    expect(runner.sandbox.effects().posts).toHaveLength(rows.length);
    expect(await reconcile(runner, id)).toMatchObject([{ state: 'posted' }, { state: 'posted' }]);
    expect((await runner.rows(id)).map(({ state }) => state)).toEqual(rows.map(() => 'posted'));
    expect(runner.sandbox.effects().posts).toHaveLength(rows.length);
  });
});

describe('the check of all records', () => {
  it('goes on with other campaigns when one fails', async () => {
    const { id, ...runner } = await endedCampaign([videoRow('a')], { faults: [lostAnswer] });
    // The newest is looked at first.
    const newer = await runner.importRows([videoRow('b')]);
    await runner.redis.set(runner.ledger.keys.index(newer, 'review'), 'not an index');
    await runner.redis.hset(runner.ledger.keys.campaign(newer), 'review', 1);
    await reconcileAll(runner.context, undefined);
    expect(await runner.ledger.campaigns.find(id)).toMatchObject({ counts: { posted: 1 } });
  });
});
