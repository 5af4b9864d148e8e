/** Retries of failed posts whose own outcome is unknown, and decisions about them. */
import { describe, expect, it } from 'vitest';
import { undoDecision } from '../../../../src/app/decisions/carry-out.ts';
import { decideMany } from '../../../../src/app/decisions/decide-many.ts';
import { decideRow } from '../../../../src/app/decisions/decide-row.ts';
import type { DecideOptions, Verdict } from '../../../../src/app/decisions/decision.ts';
import { hint } from '../../../../src/manifest/problems/hint.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

import { callsOf, failing, followedCampaign, recordsAnswer } from './followed-campaign.ts';

describe('a retry whose answer is lost', () => {
  it('is in unknownCall, and is settled by its own post, not by the earlier one', async () => {
    const { id, ended, retry, reconcile, ...runner } = await followedCampaign([videoRow('a', failing)]);
    const earlier = (await runner.rows(id))[0]?.result?.postId;
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    await retry();
    await ended(id);
    expect(await runner.rows(id)).toMatchObject([{ state: 'review' }]);
    const posts = runner.sandbox.effects().posts.map(({ postId }) => postId);
    const [found] = await reconcile();
    expect(found).toMatchObject({ postId: posts.find((postId) => postId !== earlier) });
  });

  it('stays in review if only the earlier post is there', async () => {
    const { id, ended, retry, reconcile, ...runner } = await followedCampaign([videoRow('a', failing)]);
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await retry();
    await ended(id);
    expect(await reconcile()).toMatchObject([
      { state: 'review', note: expect.stringContaining('Not found') },
    ]);
    expect(runner.sandbox.effects().posts).toHaveLength(1);
  });
});

describe('a decision about a retry in doubt', () => {
  /** @param status what the records say now of the post before it. */
  async function unknownEffect(status?: string) {
    const runner = await followedCampaign([videoRow('a', failing)]);
    const { id, context, campaign } = runner;
    runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    await runner.retry();
    await runner.ended(id);
    const [post] = runner.sandbox.effects().posts;
    const postId = post?.postId ?? '';
    if (status) runner.sandbox.faults.add({ ...recordsAnswer([{ postId, status }]), times: 'always' });
    return {
      ...runner,
      postId,
      decide: async (verdict: Verdict, options?: DecideOptions) =>
        decideRow(context, await campaign(), 'a', verdict, options),
    };
  }

  it('does not take the id of the post before it, which was not published', async () => {
    const { decide, postId, id } = await unknownEffect();
    await expect(decide({ decision: 'posted', postId })).rejects.toMatchObject({
      message: expect.stringContaining(`${postId} is the row's earlier one, which was not published`),
      fix: expect.arrayContaining([
        hint('decideRow', { campaign: id, key: 'a', decision: 'not-posted', unchecked: false }),
      ]),
    });
    expect(await decide({ decision: 'not-posted' })).toBe('waiting');
  });

  it('takes that id once the post is published, and no other post is made', async () => {
    const { decide, postId, id, ledger, rows, campaign, context } = await unknownEffect('PUBLISHED');
    const decision = hint('decideRow', {
      campaign: id,
      key: 'a',
      decision: `posted ${postId}`,
      unchecked: false,
    });
    await expect(decide({ decision: 'not-posted' })).rejects.toMatchObject({
      message: expect.stringContaining(`earlier post ${postId} is PUBLISHED now`),
      fix: [decision],
    });
    expect(await decide({ decision: 'posted', postId })).toBe('posted');
    expect(await rows(id)).toMatchObject([{ state: 'posted', result: { postId } }]);
    expect(await ledger.failedPosts.all(id)).toEqual(new Map());
    expect(await undoDecision(context, await campaign(), 'a')).toBe('review');
    expect((await ledger.failedPosts.all(id)).get(0)).toMatchObject([{ postId }]);
  });

  it('about many rows leaves such a row out, with the command for it', async () => {
    const { id, postId, context, campaign, reconcile, wait, sandbox } = await unknownEffect();
    wait(300_000);
    await reconcile();
    sandbox.faults.add(recordsAnswer([{ postId, status: 'PUBLISHED' }]));
    const notPosted = { decision: 'not-posted' } as const;
    const options = { expect: 0, dryRun: false };
    const decision = hint('decideRow', {
      campaign: id,
      key: 'a',
      decision: `posted ${postId}`,
      unchecked: false,
    });
    expect(await decideMany(context, await campaign(), notPosted, options)).toMatchObject({
      matched: 0,
      left: 1,
      refused: [{ key: 'a', fix: [decision] }],
      kinds: undefined,
    });
  });

  it('needs the records, unless the person insists', async () => {
    const { id, decide, sandbox, letGo, ended, rows } = await unknownEffect();
    sandbox.faults.add({ ...recordsAnswer([]), times: 'always' });
    await expect(decide({ decision: 'not-posted' })).rejects.toMatchObject({
      message: expect.stringContaining('not in the publishing records'),
      fix: expect.arrayContaining([
        hint('decideRow', { campaign: id, key: 'a', decision: 'not-posted', unchecked: true }),
      ]),
    });
    expect(await decide({ decision: 'not-posted' }, { unchecked: true })).toBe('waiting');
    const before = callsOf(sandbox).sent;
    await letGo(120_000);
    await ended(id);
    expect(await rows(id)).toMatchObject([{ state: 'posted' }]);
    expect(callsOf(sandbox).sent).toBe(before + 1);
  });
});
