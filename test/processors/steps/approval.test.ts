/** Posts that wait for the approval of a person: what is sent is exactly what was shown. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decidePosts } from '../../../src/app/approvals/approve.ts';
import { renewPost } from '../../../src/app/approvals/renew.ts';
import { listWaitingPosts } from '../../../src/app/approvals/waiting-posts.ts';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { openApprovals } from '../../support/approvals.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;

it('nothing is posted before a person has approved it; then once', async () => {
  const { runner, id, posts, waiting, approve } = await openApprovals([videoRow('a'), videoRow('b')]);
  const seen = await waiting(2);
  expect(posts()).toHaveLength(0);
  expect(await approve(seen)).toMatchObject({ posts: [{ state: 'ready' }, { state: 'ready' }] });
  expect(await runner.ended()).toMatchObject({ counts: { posted: 2 }, unapproved: 0 });
  expect(posts()).toHaveLength(2);
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([{ is: 'approved', by: 'mei' }]);
});

it('of generated media only: the others are posted', async () => {
  const { runner, id, waiting } = await openApprovals([videoRow('a'), aiVideoRow('x')], {
    approve: 'generated',
  });
  const [post] = await waiting(1);
  expect(post).toMatchObject({ key: 'x', outputs: 1, fault: null });
  await runner.until(
    async () => (await runner.ledger.campaigns.find(id))?.counts.posted === 1,
    'the other post',
  );
});

it.for([
  ['all', 'none', 'posted'],
  ['none', 'all', 'ready'],
] as const)('campaign %s, row %s: the row counts, and it is %s', async ([approve, own, state]) => {
  const { runner, id } = await openApprovals([videoRow('a', { approve: own })], { approve });
  await runner.until(async () => {
    const { counts } = (await runner.ledger.campaigns.find(id)) ?? {};
    return counts?.waiting === 0 && counts.running === 0;
  }, 'the row to come to rest');
  expect((await runner.rows(id))[0]?.state).toBe(state);
});

it('a change after the look is refused, with what changed', async () => {
  const { waiting, approve, edit, posts } = await openApprovals([videoRow('a')]);
  const seen = await waiting(1);
  await edit('a', 'caption', 'Another text');
  const now = await waiting(1);
  expect(now[0]?.caption).toBe('Another text');
  const {
    posts: [refused],
  } = await approve(seen);
  expect(refused).toMatchObject({
    state: null,
    refused: 'Changed since it was shown: caption. Look at it again.',
  });
  expect(posts()).toHaveLength(0);
});

it('a change after the approval asks again', async () => {
  const planned = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
  const { runner, clock, waiting, approve, edit, posts } = await openApprovals([videoRow('a', planned)], {
    approve: 'all',
    lead: day,
  });
  await approve(await waiting(1));
  await edit('a', 'product_title', 'Another product');
  const again = await waiting(1);
  await approve(again);
  clock.now += 9.5 * day;
  await rescue(runner.context);
  await runner.ended();
  expect(JSON.stringify(posts().map(({ body }) => body))).toContain('Another product');
  expect(posts()).toHaveLength(1);
});

it('a change that is taken back does not ask again', async () => {
  const planned = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
  const { runner, id, waiting, approve, edit, posts } = await openApprovals([videoRow('a', planned)], {
    approve: 'all',
    lead: day,
  });
  await approve(await waiting(1));
  await edit('a', 'caption', 'Another text');
  const [{ revision } = { revision: 0 }] = await waiting(1);
  await edit('a', 'caption', 'Caption a', revision);
  await runner.until(async () => {
    const campaign = await runner.ledger.campaigns.find(id);
    return campaign?.counts.ready === 1 && campaign.unapproved === 0;
  }, 'the row to wait for its day only');
  expect(posts()).toHaveLength(0);
});

it('an approved post waits for its day', async () => {
  const at = Math.floor(Date.now() / 60_000) * 60_000 + 10 * day;
  const { runner, id, clock, waiting, approve, posts } = await openApprovals(
    [videoRow('a', { scheduled_at: new Date(at).toISOString() })],
    { approve: 'all', lead: 2 * day },
  );
  await approve(await waiting(1));
  expect(await runner.ledger.admission.readyAt(id)).toBe(at - 2 * day);
  clock.now = at - 2 * day;
  await rescue(runner.context);
  await runner.ended();
  expect(posts()).toHaveLength(1);
});

it('a rejected post has failed with the reason; an edit asks for another approval', async () => {
  const { runner, id, waiting, reject, approve, edit, posts } = await openApprovals([videoRow('a')]);
  const {
    posts: [rejected],
  } = await reject(await waiting(1), 'Wrong \u001b[31mproduct\n\u202eagain');
  expect(rejected?.state).toBe('failed');
  const [row] = await runner.rows(id);
  expect(row?.error).toMatchObject({
    code: 'rejected',
    message: 'mei rejected the post: Wrong \\u001b[31mproduct\n\\u202eagain',
  });
  expect(await runner.ended()).toMatchObject({ counts: { failed: 1 } });
  await edit('a', 'caption', 'Better', row?.revision);
  await approve(await waiting(1));
  await runner.ended();
  expect(posts()).toHaveLength(1);
});

it('generated again: another result, which asks for another approval', async () => {
  const { runner, runtime, id, waiting, approve, posts } = await openApprovals([aiVideoRow('x')], {
    approve: 'generated',
  });
  const first = await waiting(1);
  await renewPost(runtime, { campaign: id, key: 'x', revision: first[0]?.revision ?? 0 }, 'mei');
  const second = await runner.until(async () => {
    const {
      items: [post],
    } = await listWaitingPosts(runtime);
    return post?.revision !== first[0]?.revision && post;
  }, 'the next result');
  const {
    posts: [refused],
  } = await approve(first);
  expect(refused?.refused).toContain('media');
  await approve([second]);
  await runner.ended();
  expect(posts()).toHaveLength(1);
  expect(runner.sandbox.calls('createAiGenerationSchedule')).toHaveLength(2);
});

it.for([
  ['a medium', videoRow('a'), 'a.mp4'],
  ['a cover', videoRow('a', { cover: 'cover.png' }), 'cover.png'],
  ['a cover of generated media', aiVideoRow('a', { cover: 'cover.png' }), 'cover.png'],
] as const)(
  '%s that was changed after its upload cannot be approved until it is uploaded again',
  async ([, row, file]) => {
    const { runner, runtime, id, waiting, approve } = await openApprovals([row]);
    const [before] = await waiting(1);
    appendFileSync(join(runner.folder, file), 'changed');
    const {
      items: [post],
    } = await listWaitingPosts(runtime);
    expect(post).toMatchObject({
      seen: null,
      fault: expect.stringContaining('changed since it was uploaded'),
    });
    const {
      posts: [refused],
    } = await approve(before ? [before] : []);
    expect(refused).toMatchObject({ state: null });
    await renewPost(runtime, { campaign: id, key: 'a', revision: 0 }, 'mei');
    const renewed = await runner.until(async () => {
      const page = await listWaitingPosts(runtime);
      return page.items[0]?.revision === 1 && page.items[0].fault === null && page.items;
    }, 'the other file');
    await approve(renewed);
    await runner.ended();
  },
);

it('neither an approval nor a rejection takes its time from the clock of the machine of its person', async () => {
  const { runner, runtime, id, clock, waiting, posts } = await openApprovals([videoRow('a'), videoRow('b')]);
  const [first, second] = await waiting(2);
  const ahead = { ...runtime, now: () => clock.now + day };
  const seen = (post: typeof first) => [
    { position: post?.position ?? 0, revision: post?.revision ?? 0, seen: post?.seen ?? '' },
  ];
  await decidePosts(ahead, id, seen(first), { verdict: { decision: 'approve' }, by: 'mei' });
  await decidePosts(ahead, id, seen(second), { verdict: { decision: 'reject', reason: 'Wrong' }, by: 'mei' });
  await runner.ended();
  expect(posts()).toHaveLength(1);
  expect((await runner.rows(id)).map(({ error }) => error?.at)).toContain(clock.now);
});

it('two rows with the same file can both be approved', async () => {
  const { runner, waiting, approve } = await openApprovals([
    videoRow('a', { media: 'one.mp4' }),
    videoRow('b', { media: 'one.mp4' }),
  ]);
  await approve(await waiting(2));
  expect(await runner.ended()).toMatchObject({ counts: { posted: 2 } });
});

it('the rows of a canary have not ended while they wait for an approval', async () => {
  const { runner, id, waiting, approve } = await openApprovals([videoRow('a'), videoRow('b')], {
    approve: 'all',
    canary: 1,
  });
  const seen = await waiting(1);
  expect((await runner.ledger.campaigns.find(id))?.state).toBe('running');
  await approve(seen);
  await runner.until(async () => {
    const campaign = await runner.ledger.campaigns.find(id);
    return campaign?.state === 'paused';
  }, 'the canary');
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['posted', 'waiting']);
});

it('is cancelled with its campaign, and cannot be approved then', async () => {
  const { runner, id, waiting, approve, posts } = await openApprovals([videoRow('a')]);
  const seen = await waiting(1);
  await cancelCampaign(runner.context, id);
  await expect(approve(seen)).rejects.toMatchObject({ code: 'approval_refused' });
  expect(posts()).toHaveLength(0);
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(0);
});
