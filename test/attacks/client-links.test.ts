/** What a client link does not give away: to guests, to those who guess, and to those who read logs. */
import { request as sendRaw } from 'node:http';
import { expect, it } from 'vitest';
import { readAudit } from '../../src/app/access/audit.ts';
import { makeShare, revokeShare } from '../../src/app/approvals/shares.ts';
import { cancelRow } from '../../src/app/campaigns/rows/cancel.ts';
import { pauseCampaign } from '../../src/app/campaigns/steer.ts';
import { day, openLink, soon, textOf, usual } from '../support/client-links.ts';
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

it('decides a post of its campaign as it was shown, in the name that was typed', async () => {
  const later = { scheduled_at: new Date(Date.now() + 11 * day).toISOString() };
  const { runner, runtime, post, form, id, waiting, edit } = await openLink([
    videoRow('a', soon),
    videoRow('b', later),
  ]);
  const fields = await form();
  expect(await textOf(await post('approve', { ...fields, name: ' ' }))).toContain('Type your name first.');
  await edit('a', 'caption', 'Another text');
  await waiting(2);
  expect(await textOf(await post('approve', fields))).toContain('has changed since you looked');
  const answer = await post('approve', await form());
  const html = await answer.text();
  expect(html).toContain('Approved. Thank you.');
  expect(html).toContain('value="Lin"');
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([
    { is: 'approved', by: 'Lin (client link)' },
  ]);
  const { entries } = await readAudit(runtime);
  expect(entries[0]).toMatchObject({
    who: 'Lin (client link)',
    by: expect.stringMatching(/^client link [0-9a-f]{8}$/),
  });
});

it('leads back to the page as it was, at the next post; a reload sends nothing again', async () => {
  const { send, get, path, id, runtime, form } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  const html = await (await get('?show=all&from=0&before=0')).text();
  const [, action = ''] = /formaction="[^"]*\?([^"]*do=approve[^"]*)"/.exec(html) ?? [];
  const query = new URLSearchParams(action.replaceAll('&amp;', '&'));
  expect(Object.fromEntries(query)).toEqual({
    show: 'all',
    from: '0',
    before: '0',
    do: 'approve',
    next: '0',
  });
  query.delete('do');
  const fields = { ...(await form()), 'comment-0': 'Hi' };
  const sent = await send(`comment&${query}`, fields);
  expect(sent.status).toBe(303);
  expect(sent.headers.get('location')).toBe(`${path}?show=all&from=0&before=0&at=0#post-0`);
  expect(await runtime.ledger.comments.of(id, [0])).toMatchObject([[{ text: 'Hi' }]]);
  const open = await (await get()).text();
  const [, next] = /formaction="[^"]*do=approve&amp;next=(\d+)"/.exec(open) ?? [];
  expect(next).toBe('1');
  const approved = await send(`approve&next=${next}`, fields);
  expect(approved.headers.get('location')).toBe(`${path}?at=1#post-1`);
  const hostile = await send('comment&show=//evil.example&from=1%0d%0ax:y&next=javascript:1', fields);
  expect(hostile.headers.get('location')).toBe(`${path}?at=0#post-0`);
});

it('an edit while the page is made: what is approved is what the page shows', async () => {
  const { runner, runtime, get, post, id, waiting, edit, posts } = await openLink();
  const { approvals } = runtime.ledger;
  const areWaiting = approvals.areWaiting.bind(approvals);
  // The rows of the page are read by now, the digests of their posts are not.
  approvals.areWaiting = async (...asked) => {
    approvals.areWaiting = areWaiting;
    await edit('a', 'caption', 'Another text');
    await waiting(1);
    return areWaiting(...asked);
  };
  const html = await (await get()).text();
  const [, _csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(html) ?? [];
  const [, one = ''] = /name="one" value="([^"]*)"/.exec(html) ?? [];
  await post('approve', { _csrf, one, name: 'Lin' });
  const isApproved = (await runner.ledger.campaigns.find(id))?.unapproved === 0;
  expect(isApproved).toBe(html.includes('Another text'));
  expect(posts()).toHaveLength(0);
});

it('rejects with a reason; hostile texts stay texts', async () => {
  const { runner, pages, post, form, id } = await openLink();
  const fields = await form();
  expect(await textOf(await post('reject', fields))).toContain('Type the reason.');
  const name = '<b>Lin</b>\u001b[31m\u202e\u0007';
  await post('reject', { ...fields, name, 'reason-0': '<img src=x onerror=alert(1)>' });
  const [row] = await runner.rows(id);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none must be left
  expect(row?.error?.message).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
  const page = await pages.get(`/campaigns/${id}/rows/a`);
  expect(page.html).not.toMatch(/<img src=x|<b>Lin/);
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
  const looker = await makeShare(runtime, id, { ...usual, mayApprove: false }, 'anna');
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

it('asks a guest once more before a post that goes out at once', async () => {
  const { get } = await openLink([videoRow('a')]);
  const html = await (await get()).text();
  expect(html).toContain('Approve…');
  expect(html).toContain('Approve and post now');
});

it('asks once more if the time of a post has come since the page was made', async () => {
  const { runtime, post, form, id, clock, posts, runner } = await openLink(undefined, { forMs: 20 * day });
  const fields = await form();
  clock.now += 9.5 * day;
  expect(await textOf(await post('approve', fields))).toContain('once you approve it, it is posted now');
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
  expect(posts()).toHaveLength(0);
  expect(await textOf(await post('approve&sure=yes', fields))).toContain('Approved. Thank you.');
  await runner.until(() => posts().length === 1, 'the post');
});

it('asks no second time where a paused campaign sends nothing', async () => {
  const { runtime, get, id } = await openLink([videoRow('a')]);
  await pauseCampaign(runtime, id);
  expect(await (await get()).text()).not.toContain('Approve and post now');
});

it('a link that is revoked while its form is on the way decides nothing', async () => {
  const { runtime, pages, form, id, link, path } = await openLink();
  const body = new URLSearchParams(await form()).toString();
  const { shares } = runtime.ledger.access;
  const find = shares.find.bind(shares);
  const opened = Promise.withResolvers<void>();
  shares.find = async (digest) => {
    opened.resolve();
    return find(digest);
  };
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const headers = {
    origin: 'null',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  const sent = sendRaw(`${pages.url}${path}?do=approve`, { method: 'POST', headers }, ({ statusCode }) =>
    resolve(statusCode),
  );
  sent.write(body.slice(0, 5));
  await opened.promise;
  await find('');
  await revokeShare(runtime, link.id);
  sent.end(body.slice(5));
  expect(await promise).toBe(404);
  expect((await runtime.ledger.campaigns.find(id))?.unapproved).toBe(1);
});

it('shows nothing of a cancelled post', async () => {
  const { runtime, get, id } = await openLink([videoRow('a', soon), videoRow('b', soon)]);
  expect((await get('/media/1/media/0')).status).toBe(200);
  await cancelRow(runtime, { campaign: id, key: 'b' }, 'anna');
  expect((await get('/media/1/media/0')).status).toBe(404);
  expect(await (await get('?show=all')).text()).not.toContain('Caption b');
});
