import { describe, expect, it } from 'vitest';
import { causesOf } from '../../../../src/app/campaigns/causes.ts';
import { cancelCampaign } from '../../../../src/app/campaigns/steer.ts';
import { hint } from '../../../../src/manifest/problems/hint.ts';
import { listPostsSetting } from '../../../support/processes/scene.ts';
import { aiPhotoRow, videoRow } from '../../../support/sheets/rows.ts';

import {
  callsOf,
  type FollowedOptions,
  failing,
  followedCampaign,
  recordsAnswer,
} from './followed-campaign.ts';

describe('a post that was not published', () => {
  it('fails its row, which is counted and shown with cause and fix', async () => {
    const { id, ledger, campaign, rows } = await followedCampaign([videoRow('a', failing), videoRow('b')]);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { posted: 1, failed: 1 } });
    expect(await rows(id)).toMatchObject([
      { state: 'failed', result: { postStatus: 'FAILED' }, error: { code: 'publishing_failed' } },
      { state: 'posted' },
    ]);
    expect(await causesOf(ledger, await campaign())).toMatchObject([
      {
        code: 'publishing_failed',
        message: expect.stringContaining('did not accept the media'),
        fix: expect.stringContaining('Retry the row'),
        commands: [hint('retry', { campaign: id, error: 'publishing_failed' })],
      },
    ]);
  });

  it('raises the event post.failed once', async () => {
    const { id, follow, lines } = await followedCampaign([videoRow('a', failing)]);
    await follow();
    expect(lines.filter(({ event }) => event === 'post.failed')).toMatchObject([
      { campaign: id, key: 'a', status: 'FAILED', postId: expect.any(String) },
    ]);
  });

  it('is retried by the post alone, and followed again', async () => {
    const { id, ended, counts, follow, retry, ...runner } = await followedCampaign([
      aiPhotoRow('a', 2, failing),
    ]);
    const before = counts();
    expect(await retry({ dryRun: true })).toMatchObject({
      matched: 1,
      plan: { calls: { createCreatorPost: 1 }, aiOutputs: 0, paidBefore: 0 },
    });
    expect(await retry()).toMatchObject({ matched: 1, rows: 1, held: 1, posted: 0 });
    await ended(id);
    expect(counts()).toEqual({ ...before, createCreatorPost: 2 });
    expect(await runner.rows(id)).toMatchObject([{ state: 'posted' }]);
    expect(await follow()).toMatchObject([{ after: 'FAILED' }]);
    expect((await runner.ledger.failedPosts.all(id)).get(0)).toHaveLength(2);
  });

  it('also fails the row of a cancelled campaign, which is not sent again', async () => {
    const rows = [videoRow('a', failing), videoRow('b')];
    const { id, campaign, follow, retry, ...runner } = await followedCampaign(rows, { canary: 1 });
    expect(await campaign()).toMatchObject({ state: 'paused', counts: { failed: 1, waiting: 1 } });
    await cancelCampaign({ ...runner, ...runner.context }, id);
    expect(await campaign()).toMatchObject({ state: 'ended', counts: { failed: 1, cancelled: 1 } });
    expect(await retry().catch((error) => error.code)).toBe('campaign_cancelled');
  });
});

describe('before a retry', () => {
  it('a post that was published after all makes its row posted, and nothing is sent', async () => {
    const { id, rows, campaign, retry, counts } = await followedCampaign([videoRow('a')], {
      failedAtFirst: true,
    });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    const before = counts();
    expect(await retry({ dryRun: true })).toMatchObject({ matched: 1, rows: 0, posted: 1 });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    expect(await retry()).toMatchObject({ matched: 1, rows: 0, posted: 1 });
    expect(await rows(id)).toMatchObject([
      { state: 'posted', result: { postStatus: 'PUBLISHED' }, error: undefined },
    ]);
    expect(counts()).toEqual(before);
  });

  it.each([
    [{ totalPages: 1 }, 'not in the publishing records'],
    [{ totalPages: 1, total: 35 }, 'not in the publishing records (0 of 35 shown)'],
    [{}, 'not in the publishing records (only one page was seen)'],
  ])('a post whose record is gone leaves its row out, with the reason (%o)', async (pages, why) => {
    const { campaign, retry, sandbox, counts } = await followedCampaign([videoRow('a', failing)]);
    const before = counts();
    sandbox.faults.add({ ...recordsAnswer([], pages), times: 'always' });
    const retried = await retry();
    expect(retried).toMatchObject({
      matched: 1,
      rows: 0,
      posted: 0,
      leftOut: [
        {
          state: 'failed',
          rows: 1,
          why: expect.toSatisfy((text: string) => text.endsWith(` its post is ${why}`)),
        },
      ],
    });
    expect(await campaign()).toMatchObject({ counts: { failed: 1 } });
    expect(counts()).toEqual(before);
  });

  it.each([
    ['refused', 403],
    ['broken', 500],
  ])('records that cannot be read leave the row out: %s', async (_name, status) => {
    const { retry, sandbox } = await followedCampaign([videoRow('a', failing)]);
    sandbox.faults.add({ operation: 'listPosts', kind: 'status', status, times: 'always' });
    const { rows, leftOut } = await retry();
    expect(rows).toBe(0);
    expect(leftOut[0]?.why).toContain('could not be read');
  });

  it('records that are no longer set leave the row out', async () => {
    const { retry, context } = await followedCampaign([videoRow('a', failing)]);
    const { settings } = context;
    const { rows, leftOut } = await retry({
      settings: { ...settings, api: { ...settings.api, listPosts: null } },
    });
    expect(rows).toBe(0);
    expect(leftOut[0]?.why).toContain('reading the publishing records is not set up');
  });

  it('rows that failed otherwise are not looked up', async () => {
    const { retry, sandbox } = await followedCampaign([videoRow('a', { product_id: 'unavailable-1' })]);
    const asked = sandbox.counts().listPosts;
    expect(await retry()).toMatchObject({ rows: 1 });
    expect(sandbox.counts().listPosts).toBe(asked);
  });
});

describe('a retried row that is sent long after the look at its post', () => {
  /** Retried, and let go when the look of the retry no longer counts. @param records what they answer from then on, about a post. */
  async function sentLate(records?: (postId: string) => object, options: FollowedOptions = {}) {
    const keys = options.listPosts ? [...'abcdef'] : ['a'];
    const runner = await followedCampaign(
      keys.map((key) => videoRow(key, failing)),
      options,
    );
    const before = callsOf(runner.sandbox);
    await runner.retry({ stays: true });
    const postId = runner.sandbox.effects().posts[0]?.postId ?? '';
    const answer = { operation: 'listPosts', kind: 'status', times: 'always' } as const;
    if (records) runner.sandbox.faults.add({ ...answer, status: 200, ...records(postId) });
    await runner.letGo(120_000);
    const campaign = await runner.ended(runner.id);
    const { sent, looks } = callsOf(runner.sandbox);
    return { ...runner, campaign, postId, sent: sent - before.sent, looks: looks - before.looks };
  }

  it('is looked up once more, and sent if its post is still failed', async () => {
    const { id, rows, sent, looks } = await sentLate();
    expect(await rows(id)).toMatchObject([{ state: 'posted' }]);
    expect({ sent, looks }).toEqual({ sent: 1, looks: 2 });
  });

  it('shares its look with others if the records can be read only as a list', async () => {
    const query = { pageSize: '{pageSize}', pageNumber: '{pageNumber}' };
    const { campaign, sent, looks } = await sentLate(undefined, {
      listPosts: { ...listPostsSetting(), query },
    });
    expect(campaign).toMatchObject({ counts: { posted: 6 } });
    expect(sent).toBe(6);
    // A job may begin just before the note of a look that has ended.
    expect(looks).toBeLessThan(1 + 6);
  });

  it('is posted without another post if its post is published by then', async () => {
    const published = (postId: string) => recordsAnswer([{ postId, status: 'PUBLISHED' }]);
    const { id, rows, postId, sent } = await sentLate((post) => ({ ...published(post), times: 'always' }));
    expect(await rows(id)).toMatchObject([
      { state: 'posted', result: { postId, postStatus: 'PUBLISHED' }, error: undefined },
    ]);
    expect(sent).toBe(0);
  });

  it('fails with the reason if the records cannot be read, and nothing is sent', async () => {
    const { rows, sent, looks, campaign, ledger, id, context } = await sentLate(() => ({ status: 500 }));
    expect(await rows(id)).toMatchObject([
      {
        state: 'failed',
        error: { code: 'post_unread', message: expect.stringContaining('could not be read') },
      },
    ]);
    expect(sent).toBe(0);
    // One for the retry, then one for each attempt.
    expect(looks).toBe(1 + context.settings.retry.attempts);
    expect(campaign).toMatchObject({ counts: { failed: 1 } });
    expect(await ledger.rows.redo(id, [{ row: 0, revision: 1 }])).toMatchObject({ rows: [{ row: 0 }] });
  });
});
