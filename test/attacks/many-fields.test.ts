/** Forms and queries with very many fields: parsed, each would hold up the console for seconds. */
import { expect, it, type TestContext } from 'vitest';
import { hasMoreNames, mostNames, mostNamesOfAll } from '../../src/console/http/forms.ts';
import { pageRoutes } from '../../src/console/pages/routes.ts';
import { quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { hidden, Visitor } from '../support/console/visitor.ts';

const fields = (count: number) => 'a&'.repeat(count - 1);

/** Notes the length of each text that is parsed as a form or query from now on. */
function noteParsed({ onTestFinished }: TestContext): readonly number[] {
  const parsed: number[] = [];
  const Usual = globalThis.URLSearchParams;
  globalThis.URLSearchParams = class extends Usual {
    constructor(init?: ConstructorParameters<typeof Usual>[0]) {
      super(init);
      if (typeof init === 'string') parsed.push(init.length);
    }
  } as typeof Usual;
  onTestFinished(() => {
    globalThis.URLSearchParams = Usual;
  });
  return parsed;
}

async function openWithUsers() {
  const app = await openConsoleApp();
  await quickUser(app, 'anna', 'admin');
  await quickUser(app, 'lin', 'viewer');
  return { ...app, visitor: () => new Visitor(app.server.url) };
}

it('a sign-in with more than ten fields is refused before it is parsed', async (test) => {
  const { visitor } = await openWithUsers();
  const parsed = noteParsed(test);
  expect((await visitor().post('/sign-in', fields(20_000))).status).toBe(413);
  expect((await visitor().post('/sign-out', fields(20_000))).status).toBe(303);
  expect(parsed.filter((length) => length > 1000)).toEqual([]);
});

it('a sign-in whose name and password have more than 4 KB is refused, and counts as no attempt', async () => {
  const { visitor } = await openWithUsers();
  for (const name of ['user', 'password']) {
    const form = { user: 'anna', password: 'wrong', [name]: 'x'.repeat(5000) };
    expect((await visitor().post('/sign-in', form)).status).toBe(413);
  }
  expect((await visitor().signIn('anna')).status).toBe(303);
});

it('the refusal of a form says why, and what helps', async () => {
  const { visitor } = await openWithUsers();
  const long = await visitor().post('/sign-in', { user: 'anna', password: 'x'.repeat(5000) });
  expect(long.text).toContain('Name and password are too long');
  const anna = visitor();
  await anna.signIn('anna');
  const _csrf = await anna.csrf();
  const many = await anna.post('/users', `_csrf=${encodeURIComponent(_csrf)}&${fields(mostNames + 1)}`);
  expect(many.text).toContain('There are more than 300 fields');
  const large = await anna.post('/users', { _csrf, name: 'x'.repeat(300_000) });
  expect(large.text).toContain('The body is larger than 256 kB');
  for (const { text } of [many, large]) expect(text).toMatch(/Choose fewer|Send less at once/);
});

it('a form of a stranger is not parsed, whether it is kept or not', async (test) => {
  const { visitor } = await openWithUsers();
  const parsed = noteParsed(test);
  const many = await visitor().post('/users', fields(100_000));
  expect([many.status, many.text.includes('name="kept"')]).toEqual([401, false]);
  const kept = await visitor().post('/users', `name=x&password=secret&_csrf=old&${'y'.repeat(2000)}=`);
  expect(kept.status).toBe(401);
  expect(hidden(kept.text, 'kept')).toBe(`name=x&${'y'.repeat(2000)}=`);
  expect(parsed.filter((length) => length > 1000)).toEqual([]);
});

it('a kept form with too many fields is left out after the sign-in', async (test) => {
  const { visitor } = await openWithUsers();
  const form = new URLSearchParams({ user: 'lin', password: 'four words of a test', to: '/users' });
  form.set('kept', fields(mostNamesOfAll + 1));
  const parsed = noteParsed(test);
  const answer = await visitor().post('/sign-in', form.toString());
  expect([answer.status, answer.to]).toEqual([303, '/users']);
  expect(parsed).toHaveLength(1);
});

it('a query with more than 300 fields is refused everywhere, also for a viewer', async () => {
  const { visitor } = await openWithUsers();
  const lin = visitor();
  await lin.signIn('lin');
  for (const path of ['/campaigns', '/api/v1/campaigns', '/board/api/queues', '/sign-in']) {
    expect((await lin.get(`${path}?${fields(mostNames + 1)}`)).status, path).toBe(414);
    expect((await lin.get(`${path}?${fields(mostNames)}`)).status, path).not.toBe(414);
  }
});

it('a form has 300 fields at most, unless its route says that it needs more', async () => {
  const { visitor } = await openWithUsers();
  const anna = visitor();
  await anna.signIn('anna');
  const _csrf = await anna.csrf();
  const post = async (path: string, count: number) =>
    (await anna.post(path, `_csrf=${encodeURIComponent(_csrf)}&${fields(count - 1)}`)).status;
  expect(await post('/users', mostNames + 1)).toBe(413);
  expect(await post('/users', mostNames)).not.toBe(413);
  const draft = '/campaigns/new/0123456789abcdef/cells';
  expect(await post(draft, mostNamesOfAll + 1)).toBe(413);
  expect(await post(draft, mostNamesOfAll)).not.toBe(413);
  expect(pageRoutes.filter((route) => (route.mostNames ?? 0) > mostNamesOfAll)).toEqual([]);
});

it.each([
  ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['a script of it', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
])('a page of another site cannot make an open console work by %s', async (_what, headers) => {
  const { server } = await openConsoleApp();
  const browser = new Visitor(server.url);
  for (const site of ['cross-site', 'same-site']) {
    const answer = await browser.get('/campaigns', { ...headers, 'sec-fetch-site': site });
    expect(answer.status, site).toBe(403);
  }
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
  expect((await browser.get('/campaigns', link)).status).toBe(200);
  expect((await browser.get('/campaigns', { ...headers, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

it('fields are counted no further than to the bound', () => {
  expect([1, 2, 3].map((most) => hasMoreNames('a=1&b=2&c', most))).toEqual([true, true, false]);
  expect(hasMoreNames('', 1)).toBe(false);
});
