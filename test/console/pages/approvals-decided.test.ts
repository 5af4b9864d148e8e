/** What is decided on the page of approvals. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { causesOf } from '../../../src/app/campaigns/causes.ts';
import { findCampaign } from '../../../src/app/campaigns/find.ts';
import { callApi } from '../../support/api.ts';
import { openApprovals, shownPosts } from '../../support/approvals.ts';
import { aiPhotoRow, videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
const later = { approve: 'all', lead: day } as const;

it('approves what waits for its day without a question, and asks once where something is sent now', async () => {
  const { runner, pages, waiting, posts, id } = await openApprovals(
    [videoRow('a', soon), videoRow('b'), videoRow('c')],
    later,
  );
  await waiting(3);
  const all = shownPosts((await pages.get('/approvals')).html);
  const of = (key: number) => all.find((value) => value.startsWith(`${id}.${key}.`)) ?? '';
  const first = await pages.post('/approvals/approve', { one: of(0) });
  expect(first.text).toContain('Approved 1 post.');
  expect(posts()).toHaveLength(0);
  const fields = { one: of(1) };
  const asked = await pages.post('/approvals/approve', fields);
  expect(asked.text).toContain('1 post goes to the service now.');
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(2);
  await pages.post('/approvals/approve', { ...fields, sure: 'yes' });
  await runner.until(() => posts().length === 1, 'the post');
  expect((await pages.get(`/campaigns/${id}/rows/b`)).text).toContain('Approved');
});

it('a post that has changed since it was shown is refused, with what changed; the others are approved', async () => {
  const { pages, waiting, edit, posts } = await openApprovals(
    [videoRow('a', soon), videoRow('b', soon)],
    later,
  );
  await waiting(2);
  const shown = shownPosts((await pages.get('/approvals')).html);
  await edit('a', 'caption', 'Another text');
  await waiting(2);
  const answer = await pages.post(
    '/approvals/approve',
    new URLSearchParams(shown.map((value): [string, string] => ['post', value])),
  );
  expect(answer.text).toContain('Approved 1 post.');
  expect(answer.text).toContain('a: Changed since it was shown: caption. Look at it again.');
  expect(answer.text).toContain('Another text');
  expect(shownPosts(answer.html)).toHaveLength(1);
  expect(posts()).toHaveLength(0);
});

it('rejects with a reason, which it asks for', async () => {
  const { runner, pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = shownPosts((await pages.get('/approvals')).html);
  expect((await pages.post('/approvals/reject', { one })).text).toContain('Reject 1 post?');
  await pages.post('/approvals/reject', { one, reason: 'Wrong <b>product</b>\r\nSee the list' });
  expect((await runner.rows(id))[0]?.error?.message).toContain('Wrong <b>product</b>\nSee the list');
  const row = await pages.get(`/campaigns/${id}/rows/a`);
  expect(row.html).not.toContain('<b>product</b>');
  expect(row.text).toContain('Rejected');
  expect((await pages.get('/approvals')).text).toContain('Nothing waits for an approval');
});

it.for([{}, { reason: ' ' }])('the API rejects nothing without a reason: %j', async (given) => {
  const { pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const body = { decision: 'reject', posts: [{ position: 0, revision: 0 }], ...given };
  const call = { method: 'POST', headers: { 'idempotency-key': 'one' }, body };
  expect(await callApi(pages.url, `/campaigns/${id}/approvals`, call)).toMatchObject({
    status: 422,
    body: { code: 'request_invalid' },
  });
  await waiting(1);
});

it('a cause of rejected posts names each reason with its rows', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, soon));
  const { pages, waiting, id, reject, runner } = await openApprovals(rows, later);
  const [a, b, c] = await waiting(3);
  if (!a || !b || !c) throw new Error('three posts wait');
  await reject([a, c], 'Wrong product');
  await reject([b], 'Too dark');
  const message = 'Rejected: Wrong product (2 rows); Too dark (1 row)';
  const campaign = await findCampaign(runner, id);
  expect(await causesOf(runner.ledger, campaign)).toMatchObject([{ code: 'rejected', rows: 3, message }]);
  expect((await pages.get(`/campaigns/${id}`)).text).toContain(message);
});

it('generates again after a question that says the cost, and uploads a changed file again', async () => {
  const { runner, pages, waiting } = await openApprovals(
    [aiPhotoRow('x', 3, soon), videoRow('a', soon)],
    later,
    undefined,
    { spend: { prices: { 'gpt-image-2': 0.04 } } },
  );
  await waiting(2);
  const page = await pages.get('/approvals');
  expect(page.text).toContain('Generate again… (3 outputs, about 0.12 USD)');
  const asked = await pages.post('/approvals/renew', { one: 'c1.0.0.' });
  expect(asked.text).toContain('Generate 1 post again?');
  expect(asked.text).toContain('This pays for 3 AI outputs again, about 0.12 USD.');
  expect(runner.sandbox.calls('createAiGenerationSchedule')).toHaveLength(1);
  await pages.post('/approvals/renew', { one: 'c1.0.0.', sure: 'yes' });
  await runner.until(
    () => runner.sandbox.calls('createAiGenerationSchedule').length === 2,
    'another generation',
  );
  await waiting(2);
  appendFileSync(join(runner.folder, 'a.mp4'), 'changed');
  const changed = await pages.get('/approvals');
  expect(changed.text).toContain('A file has changed since it was uploaded');
  expect(changed.text).toContain('Upload again…');
  expect((await pages.post('/approvals/renew', { one: 'c1.1.0.' })).text).toContain('Upload 1 post again?');
  await pages.post('/approvals/renew', { one: 'c1.1.0.', sure: 'yes' });
  await waiting(2);
});

it('generates many again at once, after a question that says the whole cost; given media stay', async () => {
  const rows = [aiPhotoRow('x', 3, soon), videoRow('a', soon), aiPhotoRow('y', 2, soon)];
  const spend = { prices: { 'gpt-image-2': 0.04 }, maxOutputs: 9 };
  const { runner, pages, waiting, edit } = await openApprovals(rows, later, undefined, { spend });
  await waiting(3);
  const page = await pages.get('/approvals');
  expect(page.html).toMatch(/class="dock".*formaction="\/approvals\/renew"/);
  const all = new URLSearchParams(shownPosts(page.html).map((post): [string, string] => ['post', post]));
  const { text } = await pages.post('/approvals/renew', all);
  expect(text).toContain('Generate 2 posts again?');
  expect(text).toContain('This pays for 5 AI outputs again, about 0.20 USD.');
  expect(text).toContain('This is beyond the limit of AI outputs');
  expect(text).toContain('1 other post stays as it is.');
  await edit('y', 'caption', 'Another text');
  await waiting(3);
  const told = await pages.post(
    '/approvals/renew',
    new URLSearchParams([...[...all].filter(([, post]) => !post.startsWith('c1.1.')), ['sure', 'yes']]),
  );
  expect(told.text).toContain('Making media again: 1 post.');
  expect(told.text).toContain('row y has changed since it was shown: nothing was changed.');
  await runner.until(
    () => runner.sandbox.calls('createAiGenerationSchedule').length === 3,
    'another generation',
  );
});

it('asks to generate nothing again of posts that have gone on', async () => {
  const { pages, waiting, approve, runner } = await openApprovals([aiPhotoRow('x', 1)], { approve: 'all' });
  await approve(await waiting(1));
  await runner.ended();
  const { status, text } = await pages.post('/approvals/renew', { post: 'c1.0.0.' });
  expect([status, text]).toEqual([422, expect.stringContaining('cannot be made again')]);
});

it('a campaign that was deleted meanwhile is refused, and does not stop the posts of others', async () => {
  const { runner, pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = shownPosts((await pages.get('/approvals')).html);
  const deleted = one.replace(id, 'c99');
  const answer = await pages.post(
    '/approvals/approve',
    new URLSearchParams([
      ['post', deleted],
      ['post', one],
    ]),
  );
  expect(answer.text).toContain('Approved 1 post.');
  expect(answer.text).toContain('there is no campaign c99.');
  expect((await runner.ledger.campaigns.find(id))?.unapproved).toBe(0);
});

it('generates a rejected post again, which then waits for another approval', async () => {
  const { runner, pages, waiting, id, reject } = await openApprovals(
    [aiPhotoRow('x', 2, soon), videoRow('a', soon)],
    later,
    undefined,
    { spend: { prices: { 'gpt-image-2': 0.04 } } },
  );
  await reject(await waiting(2), 'Too dark');
  expect((await pages.get(`/campaigns/${id}/rows/a`)).text).not.toContain('Generate again…');
  const fixes = (await runner.rows(id)).map(({ error }) => error?.fix);
  expect(fixes).toEqual([
    'Edit the row, generate its AI media again, or retry it as it is. Then it asks for another approval.',
    'Edit the row, or retry it as it is. Then it asks for another approval.',
  ]);
  const row = await pages.get(`/campaigns/${id}/rows/x`);
  const [, home = ''] = /name="home" value="([^"]*)"/.exec(row.html) ?? [];
  expect(row.html).toContain(`name="post" value="${id}.0.0."`);
  const places = [...row.html.matchAll(/href="#([\w-]+)"/g)].map(([, place]) => `id="${place}"`);
  for (const place of places) expect(row.html).toContain(place);
  const asked = await pages.post('/approvals/renew', { one: `${id}.0.0.`, home });
  expect(asked.text).toContain('This pays for 2 AI outputs again');
  const told = await pages.post('/approvals/renew', { one: `${id}.0.0.`, home, sure: 'yes' });
  expect(told.text).toContain('Making media again: 1 post.');
  expect(told.html).toContain('<title>x, ');
  const [post] = await waiting(1);
  expect(post).toMatchObject({ key: 'x', revision: 1 });
  expect(runner.sandbox.calls('createAiGenerationSchedule')).toHaveLength(2);
  const refused = await pages.post('/approvals/renew', { one: `${id}.1.0.`, sure: 'yes' });
  expect(refused.text).toContain('nothing was changed');
});

it('says that no post is selected when none is to be generated again', async () => {
  const { pages, waiting } = await openApprovals([videoRow('x', soon)], later);
  await waiting(1);
  expect((await pages.post('/approvals/renew', {})).text).toContain('No post is selected');
});

it('searches no sheet for the rows that are generated again', async () => {
  const { pages, waiting, runtime } = await openApprovals([aiPhotoRow('x', 1, soon)], later);
  await waiting(1);
  runtime.ledger.rowKeys.forget();
  const search = vi.spyOn(runtime.ledger.rowKeys, 'all');
  const told = await pages.post('/approvals/renew', { one: 'c1.0.0.', sure: 'yes' });
  expect(told.text).toContain('Making media again: 1 post.');
  expect(search).not.toHaveBeenCalled();
});
