/** Pages of the posts that wait for an approval, while people decide about them. */
import { expect, it } from 'vitest';
import { decidePosts } from '../../../src/app/approvals/approve.ts';
import { listSharedPosts } from '../../../src/app/approvals/shared-posts.ts';
import { listWaitingPosts, type WaitingPage } from '../../../src/app/approvals/waiting-posts.ts';
import { openApprovals } from '../../support/approvals.ts';
import { day, soon } from '../../support/client-links.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const keysOf = ({ items }: WaitingPage) => items.map(({ key }) => key);
const rows = (...keys: readonly string[]) => keys.map((key) => videoRow(key, soon));
const options = { approve: 'all', lead: day } as const;

it('the next page goes on where the page before ended, although its posts are approved by now', async () => {
  const { runtime, waiting, approve } = await openApprovals(rows('a', 'b', 'c', 'd'), options);
  await waiting(4);
  const first = await listWaitingPosts(runtime, { limit: 2 });
  expect(keysOf(first)).toEqual(['a', 'b']);
  await approve(first.items);
  const second = await listWaitingPosts(runtime, { limit: 2, from: first.next });
  expect(keysOf(second)).toEqual(['c', 'd']);
});

it('the next page goes on behind a campaign of which no post waits any more', async () => {
  const { runner, runtime, waiting } = await openApprovals(rows('a', 'b'), options);
  for (const keys of [
    ['c', 'd'],
    ['e', 'f'],
  ])
    await runner.importOrUpdate(rows(...keys), options);
  await waiting(6);
  const first = await listWaitingPosts(runtime, { limit: 3 });
  expect(keysOf(first)).toEqual(['e', 'f', 'c']);
  const { items: posts } = await listWaitingPosts(runtime, { filter: { campaign: 'c2' } });
  const seen = posts.map(({ position, revision, seen }) => ({ position, revision, seen: seen ?? '' }));
  await decidePosts(runtime, 'c2', seen, { verdict: { decision: 'approve' }, by: 'mei' });
  const second = await listWaitingPosts(runtime, { limit: 3, from: first.next });
  expect(keysOf(second)).toEqual(['a', 'b']);
});

it('a page that ends with the last post has no next one', async () => {
  const { runtime, id, waiting } = await openApprovals(rows('a', 'b'), options);
  await waiting(2);
  expect((await listWaitingPosts(runtime, { limit: 2 })).next).toBeUndefined();
  const campaign = (await runtime.ledger.campaigns.find(id)) ?? expect.unreachable();
  const shared = await listSharedPosts(runtime, campaign, { isOpen: true, from: undefined, limit: 2 });
  expect(shared.next).toBeUndefined();
});

it('a guest who approves posts finds the others on the next page', async () => {
  const { runtime, id, waiting, approve } = await openApprovals(rows('a', 'b', 'c'), options);
  const [a, b] = await waiting(3);
  const campaign = (await runtime.ledger.campaigns.find(id)) ?? expect.unreachable();
  const list = async (from?: string) => listSharedPosts(runtime, campaign, { isOpen: true, from, limit: 2 });
  const first = await list();
  if (!a || !b) return expect.unreachable();
  await approve([a, b]);
  expect((await list(first.next)).posts.map(({ caption }) => caption)).toEqual(['Caption c']);
});

it.for([
  [{ product_source: 'SHOP' }, 'Product p-a from the shop'],
  [{ oauth_region: 'US' }, 'Region US'],
  [{ scheduled_at: '2036-01-02 10:00', scheduled_tz: 'Europe/Berlin' }, 'Time zone Europe/Berlin'],
  [{ cover_timestamp_ms: '1500' }, 'Cover: frame at 1.5 s'],
  [{ cover_file_id: '90210', cover_uri: 'covers/abc' }, 'Cover: uploaded file 90210, covers/abc'],
  [{ pre_check: 'FALSE' }, 'No pre-check'],
] as const)('tells what an approval covers beside the picture: %j', async ([cells, detail]) => {
  const { waiting } = await openApprovals([videoRow('a', { ...soon, ...cells })], options);
  expect((await waiting(1))[0]?.details).toContain(detail);
});
