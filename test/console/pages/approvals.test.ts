/** The page of the posts that wait for an approval. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeShare } from '../../../src/app/approvals/shares.ts';
import { causesOf } from '../../../src/app/campaigns/causes.ts';
import { findCampaign } from '../../../src/app/campaigns/find.ts';
import { callApi } from '../../support/api.ts';
import { openApprovals } from '../../support/approvals.ts';
import { usual } from '../../support/client-links.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { Visitor } from '../../support/console/visitor.ts';
import { aiPhotoRow, aiVideoRow, photoRow, videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
const later = { approve: 'all', lead: day } as const;

/** Values of the posts on a page, in order. */
const named = (html: string) =>
  [...html.matchAll(/class="chosen" id="[^"]*" name="post" value="([^"]*)"/g)].map(([, value = '']) => value);

it('shows posts whole, with all their pictures, product, creator and time', async () => {
  const caption = `A caption that is longer than the app shows on the picture itself, ${'word '.repeat(20)}end`;
  const { pages, waiting, id } = await openApprovals([photoRow('p', 3, { ...soon, caption })], later);
  await waiting(1);
  const { text, html } = await pages.get('/approvals?zone=UTC');
  expect(text).toContain('1 post waits for an approval.');
  for (const part of [caption, 'A product', 'demo_anna']) expect(text).toContain(part);
  expect(html.match(/aria-label="Picture \d of 3"/g)).toHaveLength(3);
  expect((await pages.get(`/campaigns/${id}`)).text).toContain('1 post waits for an approval');
  const row = await pages.get(`/campaigns/${id}/rows/p`);
  expect(row.text).toContain('For approval');
  expect(row.html).toContain(`href="/approvals?campaign=${id}#post-${id}-0"`);
  expect((await pages.get('/campaigns')).text).toContain('1 post for your approval');
});

it('says by campaign whether clients with a link see the comments', async () => {
  const { pages, waiting, id, runtime } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const said = 'Clients with a link see comments.';
  expect((await pages.get('/approvals')).text).not.toContain(said);
  await makeShare(runtime, { campaign: id }, usual, 'anna');
  expect((await pages.get('/approvals')).text).toContain(said);
});

it('marks in the calendar and among the next posts what is not approved yet', async () => {
  const scheduled_at = new Date(Date.now() + 3 * day).toISOString();
  const rows = [videoRow('a', { scheduled_at }), videoRow('b', { scheduled_at })];
  const { pages, waiting } = await openApprovals(rows, later);
  await waiting(2);
  const marks = async (path: string) =>
    (await pages.get(`${path}?zone=UTC&from=${scheduled_at.slice(0, 10)}`)).html.match(
      />for approval<|aria-label="for approval"/g,
    )?.length ?? 0;
  expect(await marks('/calendar')).toBe(2);
  expect(await marks('/campaigns')).toBe(2);
  const [first = ''] = named((await pages.get('/approvals')).html);
  await pages.post('/approvals/approve', { post: first });
  expect(await marks('/calendar')).toBe(1);
});

it('says how long there is to approve a post whose time comes within a day', async () => {
  const at = (hours: number) => ({ scheduled_at: new Date(Date.now() + hours * 3_600_000).toISOString() });
  const { pages, waiting, runner, runtime, id } = await openApprovals(
    [videoRow('a', at(30)), videoRow('b', at(5.5))],
    {
      approve: 'all',
      lead: 0,
    },
  );
  await waiting(2);
  const { text } = await pages.get('/approvals');
  expect(text.match(/Its time comes in 5 h \d+ min\./g)).toHaveLength(1);
  const now = () => Date.now() + 6 * 3_600_000;
  const later = await openPages({ ...runner, context: { ...runner.context, now } });
  const page = await later.get('/approvals');
  expect(page.text).toContain('Its time has passed. Once approved, it goes to review');
  const [late = ''] = named(page.html);
  expect((await later.post('/approvals/approve', { one: late })).text).toContain(
    '1 post goes to review: its time has passed.',
  );
  const { path } = await makeShare(runtime, { campaign: id }, usual, 'anna');
  expect((await later.get(path)).text).toContain('Once approved, it is not posted until it gets a new time.');
});

it('approves what waits for its day without a question, and asks once where something is sent now', async () => {
  const { runner, pages, waiting, posts, id } = await openApprovals(
    [videoRow('a', soon), videoRow('b'), videoRow('c')],
    later,
  );
  await waiting(3);
  const all = named((await pages.get('/approvals')).html);
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
  const shown = named((await pages.get('/approvals')).html);
  await edit('a', 'caption', 'Another text');
  await waiting(2);
  const answer = await pages.post(
    '/approvals/approve',
    new URLSearchParams(shown.map((value): [string, string] => ['post', value])),
  );
  expect(answer.text).toContain('Approved 1 post.');
  expect(answer.text).toContain('a: Changed since it was shown: caption. Look at it again.');
  expect(answer.text).toContain('Another text');
  expect(named(answer.html)).toHaveLength(1);
  expect(posts()).toHaveLength(0);
});

it('rejects with a reason, which it asks for', async () => {
  const { runner, pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = named((await pages.get('/approvals')).html);
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
  const [, link = ''] = /href="([^"]*\/rows\/x\/renew[^"]*)"/.exec(page.html) ?? [];
  expect((await pages.get(link.replaceAll('&amp;', '&'))).text).toContain(
    'This pays for 3 AI outputs again, about 0.12 USD.',
  );
  await pages.post('/campaigns/c1/rows/x/renew', { revision: '0' });
  await runner.until(
    () => runner.sandbox.calls('createAiGenerationSchedule').length === 2,
    'another generation',
  );
  await waiting(2);
  appendFileSync(join(runner.folder, 'a.mp4'), 'changed');
  const changed = await pages.get('/approvals');
  expect(changed.text).toContain('A file has changed since it was uploaded');
  expect(changed.text).toContain('Upload again…');
  await pages.post('/campaigns/c1/rows/a/renew', { revision: '0' });
  await waiting(2);
});

it('by campaign, creator and day', async () => {
  const { pages, waiting, id } = await openApprovals(
    [
      videoRow('a', soon),
      videoRow('b', { ...soon, creator: 'demo_ben' }),
      videoRow('c', { scheduled_at: new Date(Date.now() + 12 * day).toISOString() }),
    ],
    later,
  );
  await waiting(3);
  const on = new Date(Date.now() + 12 * day).toISOString().slice(0, 10);
  const keys = async (query: string) =>
    [...(await pages.get(`/approvals?zone=UTC&${query}`)).html.matchAll(/aria-label="Select (\w) of/g)].map(
      ([, key]) => key,
    );
  expect(await keys(`campaign=${id}`)).toEqual(['a', 'b', 'c']);
  expect(await keys('creator=demo_ben')).toEqual(['b']);
  expect(await keys(`day=${on}`)).toEqual(['c']);
  expect(await keys('campaign=none')).toEqual([]);
});

it('offers each of the next days once, also where one of them has 25 hours', async () => {
  const { waiting, runner } = await openApprovals(
    Array.from({ length: 8 }, (_row, at) => videoRow(`k${at}`, soon)),
    later,
  );
  await waiting(8);
  const now = () => Date.parse('2026-10-24T22:30:00Z');
  const pages = await openPages({ ...runner, context: { ...runner.context, now } });
  const { html } = await pages.get('/approvals?zone=Europe/Berlin');
  const days = [...html.matchAll(/day=(2026-\d\d-\d\d)/g)].map(([, day]) => day);
  expect(days.slice(0, 3)).toEqual(['2026-10-25', '2026-10-26', '2026-10-27']);
});

it('texts stay texts; a viewer has no button, an approver decides and pays for nothing', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202eevil';
  const row = aiPhotoRow('x', 1, { ...soon, caption: hostile, product_title: '<b>P</b>' });
  const { runner, pages, waiting, id } = await openApprovals([row], later);
  await waiting(1);
  const visitors = new Map<string, Visitor>();
  for (const role of ['admin', 'viewer', 'approver'] as const) {
    await quickUser(runner, role, role);
    const visitor = new Visitor(pages.url);
    await visitor.signIn(role);
    visitors.set(role, visitor);
  }
  const page = async (role: string) => (await visitors.get(role)?.get('/approvals'))?.text ?? '';
  const seen = await page('viewer');
  expect(seen).toContain('&lt;img src=x');
  expect(seen).not.toMatch(/<img src=x|<b>P<|\u202e/);
  expect(seen).not.toMatch(/<button[^>]*formaction|class="chosen"/);
  const deciding = await page('approver');
  expect(deciding).toContain('Approve</button>');
  expect(deciding).not.toMatch(/Generate again|>Edit</);
  expect(await page('admin')).toMatch(/Generate again[\s\S]*>Edit</);
  const approver = visitors.get('approver');
  const _csrf = (await approver?.csrf()) ?? '';
  const answer = await approver?.post('/approvals/approve', { _csrf, one: named(deciding)[0] ?? '' });
  expect(answer?.to).toContain('/approvals?');
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([{ is: 'approved', by: 'approver' }]);
});

it('shows no post twice if another one begins to wait while the page is made', async () => {
  const { runner, runtime, pages, waiting, id } = await openApprovals(
    ['a', 'b', 'c'].map((key) => videoRow(key, soon)),
    later,
  );
  await waiting(3);
  const { approvals, keys } = runtime.ledger;
  const read = approvals.waiting.bind(approvals);
  approvals.waiting = async (...asked) => {
    const found = await read(...asked);
    await runner.redis.zadd(keys.index(id, 'unapproved'), 1, '7');
    return found;
  };
  const { html } = await pages.get('/approvals');
  expect(named(html).map((value) => value.split('.')[1])).toEqual(['0', '1', '2']);
});

it('a campaign that was deleted meanwhile is refused, and does not stop the posts of others', async () => {
  const { runner, pages, waiting, id } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const [one = ''] = named((await pages.get('/approvals')).html);
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

it('says of a day that does not exist how to write one', async () => {
  const { pages, waiting } = await openApprovals([videoRow('a', soon)], later);
  await waiting(1);
  const { status, text } = await pages.get('/approvals?day=2026-02-31');
  expect(status).toBe(422);
  expect(text).toContain('"2026-02-31" is not a date. Write it as 2027-03-08.');
});

it.for([
  ['a campaign', { maxOutputs: 1 }],
  ['a month', { perMonth: 1 }],
] as const)(
  'says that another generation is beyond the limit of %s, and what one output costs',
  async ([, limit]) => {
    const spend = { ...limit, prices: { 'seedance2.0': 0.004 } };
    const { pages, waiting } = await openApprovals([aiVideoRow('x', soon)], later, undefined, { spend });
    await waiting(1);
    const { text } = await pages.get('/campaigns/c1/rows/x/renew?revision=0');
    expect(text).toContain('This pays for 1 AI output again, about 0.004 USD.');
    expect(text).toContain('This is beyond the limit of AI outputs');
  },
);

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
  const [, link = ''] = /href="([^"]*\/rows\/x\/renew[^"]*)"/.exec(row.html) ?? [];
  expect((await pages.get(link.replaceAll('&amp;', '&'))).text).toContain('This pays for 2 AI outputs again');
  const told = await pages.post(`/campaigns/${id}/rows/x/renew`, { revision: '0' });
  expect(told.text).toContain('x is generated again.');
  const [post] = await waiting(1);
  expect(post).toMatchObject({ key: 'x', revision: 1 });
  expect(runner.sandbox.calls('createAiGenerationSchedule')).toHaveLength(2);
  const refused = await pages.post(`/campaigns/${id}/rows/a/renew`, { revision: '0' });
  expect(refused.text).toContain('nothing was changed');
});

it('says of a post without a time that it goes out once it is approved, wherever it is shown', async () => {
  const { pages, waiting, id } = await openApprovals([videoRow('a')]);
  await waiting(1);
  for (const [path, said] of [
    ['/approvals', 'once approved'],
    [`/campaigns/${id}`, 'for approval'],
    [`/campaigns/${id}/rows/a`, 'once approved'],
  ] as const) {
    const { text } = await pages.get(path);
    expect([path, text.includes(said), text.includes('right away')]).toEqual([path, true, false]);
  }
});

it('shows times in the zone of the sheet, as home, calendar and campaign do, and names it', async () => {
  const at = new Date(Date.now() + 5 * day).toISOString().slice(0, 10);
  const { runner, pages, waiting, id } = await openApprovals(
    [videoRow('a', { scheduled_at: `${at}T00:30Z` })],
    later,
  );
  await waiting(1);
  await runner.redis.hset(runner.ledger.keys.campaign(id), 'timezone', 'Asia/Tokyo');
  for (const path of ['/approvals', '/campaigns', `/campaigns/${id}`, `/calendar?day=${at}`]) {
    const { text } = await pages.get(path);
    expect([path, text.includes('Asia/Tokyo'), text.includes('09:30')]).toEqual([path, true, true]);
  }
  const utc = (await pages.get('/approvals?zone=UTC')).text;
  expect(utc).toContain('Times in UTC.');
  expect(utc).toContain('00:30');
});
