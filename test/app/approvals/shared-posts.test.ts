/** What guests of a client link are told of a post. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decidePosts } from '../../../src/app/approvals/approve.ts';
import { listSharedPosts } from '../../../src/app/approvals/shared-posts.ts';
import { openApprovals } from '../../support/approvals.ts';
import { day, soon } from '../../support/client-links.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';

/** A campaign with one post, which a person has approved for its day. */
async function openApproved(row: Cells, settings = {}) {
  const opened = await openApprovals([row], { approve: 'all', lead: day }, undefined, settings);
  const { runner, runtime, id, waiting, approve } = opened;
  await approve(await waiting(1));
  const campaign = async () => (await runtime.ledger.campaigns.find(id)) ?? expect.unreachable();
  const state = async () => {
    const page = { isOpen: false, from: undefined, limit: 10 };
    return (await listSharedPosts(runtime, await campaign(), page)).posts[0]?.state;
  };
  /** The row is ready again after a change. */
  const ready = (gate: 'unapproved' | 'unpaid' | 'none') =>
    runner.until(async () => {
      const { counts, unapproved, unpaid } = await campaign();
      const at = { unapproved, unpaid, none: counts.ready - unapproved - unpaid };
      return counts.ready === 1 && at[gate] === 1;
    }, `the row to wait (${gate})`);
  return { ...opened, campaign, state, ready };
}

it('approved, until its day', async () => {
  expect(await (await openApproved(videoRow('a', soon))).state()).toBe('approved');
});

it('not approved any more: it was edited, and its new media are beyond a spending limit', async () => {
  const settings = { spend: { maxOutputs: 1 } };
  const { runtime, campaign, edit, state, ready } = await openApproved(aiVideoRow('a', soon), settings);
  await edit('a', 'ai_prompt', 'Another video');
  await ready('unpaid');
  expect(await state()).toBe('planned');
  const seen = [{ position: 0, revision: 0 }];
  const verdict = { decision: 'approve' } as const;
  const { posts } = await decidePosts(runtime, (await campaign()).id, seen, { verdict, by: 'mei' });
  expect(posts[0]?.refused).toContain('beyond the limit');
});

it('not approved any more: it was edited, and cannot be approved as it is', async () => {
  const { runner, edit, state, ready } = await openApproved(videoRow('a', soon));
  await edit('a', 'caption', 'Another text');
  await ready('unapproved');
  appendFileSync(join(runner.folder, 'a.mp4'), 'changed');
  expect(await state()).toBe('planned');
});

it('not approved any more: it was edited, and needs no approval', async () => {
  const { edit, state, ready } = await openApproved(videoRow('a', { ...soon, approve: 'all' }));
  await edit('a', 'approve', 'none');
  await ready('none');
  expect(await state()).toBe('planned');
});
