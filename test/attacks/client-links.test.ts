/** What a client link does not give away: to guests, to those who guess, and to those who read logs. */
import { request as sendRaw } from 'node:http';
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { makeShare, revokeShare } from '../../src/app/approvals/shares.ts';
import { cancelRow } from '../../src/app/campaigns/steer.ts';
import { day, openLink, soon, usual } from '../support/client-links.ts';
import { quickUser } from '../support/console/access.ts';
import { openPages } from '../support/console/console-pages.ts';
import { Visitor } from '../support/console/visitor.ts';
import { photoRow, videoRow } from '../support/sheets/rows.ts';

it('shows the posts of its campaign to people without an account, and is kept by nobody', async () => {
  const { get } = await openLink([photoRow('p', 2, soon)]);
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("script-src 'self'"),
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const html = await answer.text();
  for (const part of ['Caption p', 'demo_anna', 'To approve']) expect(html).toContain(part);
  const media = [...html.matchAll(/(?:src|href)="[^"]*?(\/media\/[^"]*)"/g)].map(([, to = '']) => to);
  expect(media.length).toBeGreaterThan(2);
  for (const to of media) {
    const file = await get(to.replaceAll('&amp;', '&'));
    expect(file.status, to).toBe(200);
    expect(file.headers.get('cache-control')).toContain('no-store');
  }
});

it('shows nothing of errors, cost, files, users and other campaigns, and leads nowhere else', async () => {
  const { runner, get, id } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  await runner.redis.hset(runner.ledger.keys.errors(id), '1', 'secret-error');
  await runner.importRows([videoRow('other', { caption: 'Of another campaign' })]);
  const html = await (await get('?show=all')).text();
  for (const part of [
    'secret-error',
    'Of another campaign',
    'anna (',
    'a.mp4',
    runner.folder,
    'outputs',
    'Review',
    'Sign out',
  ]) {
    expect(html.includes(part), part).toBe(false);
  }
  const links = [...html.matchAll(/(?:href|src|action|poster)="(\/[^"]*)"/g)].map(([, to]) => to);
  expect(links.filter((to) => !/^\/(?:assets|shared)\//.test(to ?? ''))).toEqual([]);
});

it('answers the same for a link that is unknown, revoked or expired, or of a deleted campaign, and for its parts', async () => {
  const { runtime, pages, get, post, form, link, id, clock, path, posts } = await openLink();
  const fields = await form();
  const unknown = `/shared/${'A'.repeat(43)}`;
  const said = async (to: string) => {
    const answer = await fetch(`${pages.url}${to}`);
    return `${answer.status} ${await answer.text()}`;
  };
  const refused = await said(unknown);
  expect(refused).toMatch(/^404 /);
  for (const to of [
    '/shared/x',
    `${path}/other`,
    `${path}/media/0/media/9`,
    `${path}/media/9/media/0`,
    `${path}/media/0/ai_references/0`,
    `${path}/media/0/..%2f..%2fetc%2fpasswd/0`,
    `${path}/media/0/media/%ff`,
    `${path}/..%2f..%2fcampaigns`,
  ])
    expect(await said(to), to).toBe(refused);
  clock.now += 2 * day;
  expect(await said(path)).toBe(refused);
  clock.now -= 2 * day;
  expect((await get()).status).toBe(200);
  await revokeShare(runtime, link.id);
  expect(await said(path)).toBe(refused);
  const late = await post('approve', fields);
  expect(`${late.status} ${await late.text()}`).toBe(refused);
  expect(posts()).toHaveLength(0);
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
});

it('slows down whoever guesses', async () => {
  const { pages, get } = await openLink();
  const guess = async () => (await fetch(`${pages.url}/shared/${'B'.repeat(43)}`)).status;
  const statuses: number[] = [];
  for (let tries = 0; tries < 35; tries += 1) statuses.push(await guess());
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(404));
  expect(statuses.slice(30)).toEqual(Array(5).fill(429));
  expect((await get()).status).toBe(429);
});

it('changes nothing without its form, of another campaign, from another site, or if it may only look', async () => {
  const { runner, runtime, pages, post, form, id, path } = await openLink();
  const fields = await form();
  const other = await runner.importRows([videoRow('o', soon)], { approve: 'all' });
  await post('approve', { ...fields, one: fields.one.replace(id, other) });
  const unproven = await post('approve', { ...fields, _csrf: 'x' });
  expect(unproven.status).toBe(404);
  const foreign = await fetch(`${pages.url}${path}?do=approve`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams(fields),
  });
  expect(foreign.status).toBe(403);
  const looker = await makeShare(runtime, { campaign: id }, { ...usual, mayApprove: false }, 'anna');
  const html = await (await fetch(`${pages.url}${looker.path}`)).text();
  expect(html).not.toContain('do=approve');
  expect(
    (
      await fetch(`${pages.url}${looker.path}?do=approve`, {
        method: 'POST',
        headers: { origin: 'null' },
        body: new URLSearchParams(fields),
      })
    ).status,
  ).toBe(404);
  // The origin `null` is taken nowhere else.
  expect(
    (await fetch(`${pages.url}/approvals/approve`, { method: 'POST', headers: { origin: 'null' } })).status,
  ).toBe(403);
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
});

it('a long form, or one with very many fields, is refused', async () => {
  const { post, form } = await openLink();
  const fields = await form();
  expect((await post('reject', { ...fields, 'reason-0': 'x'.repeat(100_000) })).status).toBe(413);
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, '']));
  expect((await post('reject', { ...fields, ...many })).status).toBe(413);
});

it('its token is in no log, audit or key, also when something fails', async () => {
  const { runner, runtime, pages, get, post, form, token, path } = await openLink();
  const logged: string[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const log = runtime.log as unknown as Record<string, (...args: unknown[]) => void>;
    log[level] = (...args) => void logged.push(JSON.stringify(args));
  }
  await post('approve', await form());
  await get('/media/0/media/0');
  await get('/media/0/none/0');
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  // An address that Express cannot decode.
  sendRaw(`${pages.url}${path}/media/%E0%A4%A/media/0`, ({ statusCode }) => resolve(statusCode)).end();
  expect(await promise).toBe(404);
  const { find } = runtime.ledger.campaigns;
  runtime.ledger.campaigns.find = () => Promise.reject(new Error('broken'));
  expect((await get()).status).toBe(503);
  runtime.ledger.campaigns.find = find;
  expect(logged.length).toBeGreaterThan(0);
  const { entries } = await readAudit(runtime);
  const keys = await runner.redis.keys(`${runner.prefix}*`);
  const values = await Promise.all(keys.map((key) => runner.redis.dump(key).catch(() => '')));
  for (const text of [...logged, ...keys, ...values.map(String), JSON.stringify(entries)])
    expect(text.includes(token)).toBe(false);
});

it('behind a proxy, with users: the link is open, and opens nothing else', async () => {
  const { runner, path, token, id } = await openLink();
  await quickUser(runner, 'anna', 'admin');
  const reach = { isLoopback: true, base: '/runner', origin: 'https://console.example', trustedProxies: [] };
  const { url } = await openPages(runner, undefined, { reach });
  const guest = new Visitor(`${url}/runner`, { host: 'console.example', accept: 'text/html' });
  const page = await guest.get(path);
  expect(page.status).toBe(200);
  expect(page.headers['set-cookie']).toBeUndefined();
  const [, media = ''] = /data-src="([^"#]*)/.exec(page.text) ?? [];
  expect(media).toMatch(new RegExp(`^/runner/shared/${token}/media/`));
  expect((await guest.get(media.replace('/runner', ''))).status).toBe(200);
  for (const other of [
    '/campaigns',
    `/campaigns/${id}/links`,
    '/media/campaigns/c1/a/media/0',
    '/approvals',
    '/api/v1/campaigns',
  ]) {
    expect([303, 401], other).toContain((await guest.get(other)).status);
  }
  const [, _csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(page.text) ?? [];
  const [, one = ''] = /name="one" value="([^"]*)"/.exec(page.text) ?? [];
  const answer = await guest.post(`${path}?do=approve`, { _csrf, one, name: 'Lin' }, { origin: 'null' });
  expect(answer.status).toBe(303);
  // Its cookies go nowhere else.
  expect(answer.headers['set-cookie']?.every((each) => each.includes(`Path=/runner${path};`))).toBe(true);
  expect((await guest.get(answer.to.replace('/runner', ''))).text).toContain('Approved. Thank you.');
  // The proof of the form is worth nothing elsewhere.
  expect(
    (await guest.post('/approvals/approve', { _csrf, one }, { origin: 'https://console.example' })).status,
  ).toBe(401);
});

it('shows nothing of a cancelled post', async () => {
  const { runtime, get, id } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  expect((await get('/media/1/media/0')).status).toBe(200);
  await cancelRow(runtime, { campaign: id, key: 'b' }, 'anna');
  expect((await get('/media/1/media/0')).status).toBe(404);
  expect(await (await get('?show=all')).text()).not.toContain('Caption b');
});
