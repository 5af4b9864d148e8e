import { expect, it } from 'vitest';
import { makeShare } from '../../../src/app/approvals/shares.ts';
import { openApprovals, shownPosts } from '../../support/approvals.ts';
import { usual } from '../../support/client-links.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { Visitor } from '../../support/console/visitor.ts';
import { aiPhotoRow, aiVideoRow, photoRow, videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const soon = { scheduled_at: new Date(Date.now() + 10 * day).toISOString() };
const later = { approve: 'all', lead: day } as const;

it('shows posts whole, with all their pictures, product, creator and time', async () => {
  const caption = `A caption that is longer than the app shows on the picture itself, ${'word '.repeat(4)}u 👩‍👩‍👧 ${'word '.repeat(16)}end`;
  const { pages, waiting, id } = await openApprovals([photoRow('p', 3, { ...soon, caption })], later);
  await waiting(1);
  const { text, html } = await pages.get('/approvals?zone=UTC');
  expect(text).toContain('1 post waits for an approval.');
  for (const part of [caption, 'A product', 'demo_anna']) expect(text).toContain(part);
  expect(text).toContain('word u …');
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
  const [first = ''] = shownPosts((await pages.get('/approvals')).html);
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
  expect(page.text).toContain('Its time has passed. If you approve it now, it goes to review');
  const [late = ''] = shownPosts(page.html);
  expect((await later.post('/approvals/approve', { one: late })).text).toContain(
    '1 post goes to review: its time has passed.',
  );
  const { path } = await makeShare(runtime, { campaign: id }, usual, 'anna');
  expect((await later.get(path)).text).toContain(
    'Even if you approve it, it is not posted until it gets a new time.',
  );
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
  const answer = await approver?.post('/approvals/approve', { _csrf, one: shownPosts(deciding)[0] ?? '' });
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
  expect(shownPosts(html).map((value) => value.split('.')[1])).toEqual(['0', '1', '2']);
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
    const { text } = await pages.post('/approvals/renew', { one: 'c1.0.0.' });
    expect(text).toContain('This pays for 1 AI output again, about 0.004 USD.');
    expect(text).toContain('This is beyond the limit of AI outputs');
  },
);

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
