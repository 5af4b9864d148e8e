/** Approvals are withdrawn: right after they were given, or on the page of a row. */
import { expect, it } from 'vitest';
import { openApprovals } from '../../support/approvals.ts';
import { quickUser } from '../../support/console/access.ts';
import { hidden, Visitor } from '../../support/console/visitor.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
const later = { approve: 'all', lead: day } as const;

const named = (html: string) =>
  [...html.matchAll(/class="chosen" id="[^"]*" name="post" value="([^"]*)"/g)].map(([, value = '']) => value);

/** The button of a notice that takes approvals back: its fields. */
function undoOf(html: string): { posts: string; home: string } | undefined {
  const [toast] = /<div class="notice(?: toast)?".*?<\/div>/s.exec(html) ?? [];
  if (toast === undefined || !toast.includes('action="/approvals/withdraw"')) return undefined;
  return { posts: hidden(toast, 'posts'), home: hidden(toast, 'home') };
}

it('the answer to an approval takes it back', async () => {
  const { runner, pages, waiting, id, posts } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = named((await pages.get('/approvals')).html);
  const fields = undoOf((await pages.post('/approvals/approve', { one })).html) ?? {};
  const answer = await pages.post('/approvals/withdraw', fields);
  expect(answer.text).toContain('Withdrew the approval of 1 post.');
  expect(answer.text).toContain('1 post waits for an approval.');
  expect(undoOf(answer.html)).toBeUndefined();
  expect(await runner.ledger.approvals.of(id, [0])).toEqual([undefined]);
  expect((await pages.get('/audit')).text).toMatch(/Withdrew the approval of 1 post of test\s*: a\./);
  expect(posts()).toHaveLength(0);
});

it('200 are taken back at once, and the list is as it was', async () => {
  const rows = Array.from({ length: 200 }, (_row, index) =>
    videoRow(`r${index}`, { ...soon, media: 'one.mp4' }),
  );
  const { runner, pages, waiting, id } = await openApprovals(rows, later);
  const seen = await waiting(200);
  const values = seen.map(({ position, revision, seen }) => `${id}.${position}.${revision}.${seen}`);
  const home = '/approvals?creator=demo_anna';
  const form = new URLSearchParams({ home });
  for (const value of values) form.append('post', value);
  const fields = undoOf((await pages.post('/approvals/approve', form)).html);
  expect(fields?.home).toBe(home);
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(0);
  const answer = await pages.post('/approvals/withdraw', fields ?? {});
  expect(answer.text).toContain('Withdrew the approval of 200 posts.');
  expect(answer.html).toContain('creator=demo_anna');
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(200);
});

it('of a part that was approved, only that is taken back', async () => {
  const { runner, pages, waiting, id, approve, edit } = await openApprovals(
    [videoRow('a', soon), videoRow('b', soon), videoRow('c', soon)],
    later,
  );
  const [a, b, c] = await waiting(3);
  const form = new URLSearchParams();
  for (const post of [a, b, c]) if (post) form.append('post', `${id}.${post.position}.0.${post.seen}`);
  await edit('b', 'caption', 'Another text');
  await approve((await waiting(3)).filter(({ key }) => key === 'c'));
  const answer = await pages.post('/approvals/approve', form);
  expect(answer.text).toContain('Approved 1 post.');
  expect(answer.text).toContain('b: Changed since it was shown: caption.');
  await pages.post('/approvals/withdraw', undoOf(answer.html) ?? {});
  const left = await runner.ledger.approvals.of(id, [0, 1, 2]);
  expect(left).toMatchObject([undefined, undefined, { is: 'approved' }]);
});

it('an approval that sends something has no way back', async () => {
  const { pages, waiting } = await openApprovals([videoRow('now'), videoRow('a', soon)], later);
  await waiting(2);
  const all = named((await pages.get('/approvals')).html);
  const form = new URLSearchParams({ sure: 'yes' });
  for (const value of all) form.append('post', value);
  const answer = await pages.post('/approvals/approve', form);
  expect(answer.text).toContain('Approved 2 posts.');
  expect(undoOf(answer.html)).toBeUndefined();
});

it('one that comes too late says why, and changes nothing', async () => {
  const { runner, pages, waiting, id, approve, edit } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = named((await pages.get('/approvals')).html);
  const fields = undoOf((await pages.post('/approvals/approve', { one })).html) ?? {};
  await edit('a', 'caption', 'Another text');
  await approve(await waiting(1));
  const answer = await pages.post('/approvals/withdraw', fields);
  expect(answer.text).toContain('Withdrew the approval of nothing.');
  expect(answer.text).toContain('a: It has changed since it was shown. Look at it again.');
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([{ is: 'approved' }]);
});

it('a list of nothing changes nothing', async () => {
  const { pages } = await openApprovals([videoRow('a', soon)], later);
  const answer = await pages.post('/approvals/withdraw', { posts: '~c1.x.0.~'.repeat(1000) });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('No post is selected');
});

it('the page of an approved row says who approved it, and withdraws that once', async () => {
  const { runner, pages, waiting, approve, id } = await openApprovals([videoRow('a', soon)], later);
  await approve(await waiting(1));
  const path = `/campaigns/${id}/rows/a`;
  const page = await pages.get(path);
  expect(page.text).toContain('Approved by mei. Withdraw approval');
  const fields = { post: `${id}.0.0.`, home: path };
  expect(page.html).toContain(`name="post" value="${fields.post}"`);
  expect(page.html).toContain(`name="home" value="${path}"`);
  const withdrawn = await pages.post('/approvals/withdraw', fields);
  expect(withdrawn.text).toContain('Withdrew the approval of 1 post.');
  expect(withdrawn.text).toContain('It waits for an approval.');
  expect(withdrawn.text).toContain('Approval withdrawn');
  expect(withdrawn.html).not.toContain('Withdraw approval');
  const again = await pages.post('/approvals/withdraw', fields);
  expect(again.text).toContain('Withdrew the approval of nothing. a: It already waits for approval.');
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(1);
});

it('an approver withdraws, from the answer and the page; a viewer only sees who approved', async () => {
  const { runner, pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const visitors = { viewer: new Visitor(pages.url), approver: new Visitor(pages.url) };
  for (const role of ['viewer', 'approver'] as const) {
    await quickUser(runner, role, role);
    await visitors[role].signIn(role);
  }
  const { viewer, approver } = visitors;
  const _csrf = await approver.csrf();
  const [one = ''] = named((await approver.get('/approvals')).text);
  const answer = await approver.post('/approvals/approve', { _csrf, one });
  const told = await approver.get(answer.to, { accept: 'text/html' });
  expect(undoOf(told.text)).toMatchObject({ posts: `${id}.0.0.` });
  const row = `/campaigns/${id}/rows/a`;
  expect((await approver.get(row)).text).toContain('Withdraw approval');
  const seen = (await viewer.get(row)).text;
  expect(seen).toContain('Approved by approver.');
  expect(seen).not.toContain('Withdraw approval');
  const refused = await viewer.post('/approvals/withdraw', {
    _csrf: await viewer.csrf(),
    post: `${id}.0.0.`,
  });
  expect(refused.status).toBe(403);
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([{ by: 'approver' }]);
});
