import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { makeToken, removeToken } from '../../../src/app/access/credentials.ts';
import { removeUser, setRole, type WithLedger } from '../../../src/app/access/users.ts';
import { systemUser } from '../../../src/app/runtime/machine.ts';
import type { Reach } from '../../../src/console/http/gate.ts';
import { pageRoutes } from '../../../src/console/pages/routes.ts';
import { goodPassword, quickUser } from '../../support/console/access.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';
import { hidden, Visitor } from '../../support/console/visitor.ts';
import { withDeadline } from '../../support/events.ts';

/** A path that fits a pattern of Express. */
const pathOf = (pattern: string) => pattern.replace(':format', 'csv').replaceAll(/:\w+/g, 'c1');
const changes = pageRoutes.filter(({ method }) => method === 'post');

describe('without users', () => {
  it('a console on loopback is open', async () => {
    const { server } = await openConsoleApp();
    const page = await new Visitor(server.url).get('/audit');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('Sign out');
  });

  it.each<[string, Partial<Reach>, Record<string, string>]>([
    ['on another address', { isLoopback: false }, {}],
    ['under a path', { base: '/tools' }, {}],
    ['behind a proxy that is named', { trustedProxies: ['10.0.0.1'] }, {}],
    ['under an origin', { origin: 'https://console.example' }, {}],
    ['for a request with Forwarded', {}, { forwarded: 'for=198.51.100.7' }],
    ['for a request with X-Forwarded-For', {}, { 'x-forwarded-for': '198.51.100.7' }],
    ['for a request with X-Forwarded-Proto', {}, { 'x-forwarded-proto': 'https' }],
    ['for a request with Via', {}, { via: '1.1 proxy' }],
  ])('%s it answers how to make one, and nothing else', async (_what, reach, headers) => {
    const { server, queues } = await openConsoleApp(reach);
    const visitor = new Visitor(`${server.url}${reach.base ?? ''}`, headers);
    for (const path of ['/campaigns', '/board', '/sign-in', '/users']) {
      const page = await visitor.get(path);
      expect(page.status, path).toBe(503);
      expect(page.text).toContain('campaigns users add NAME --role operator');
    }
    expect((await visitor.post('/users', { name: 'eve', password: goodPassword })).status).toBe(503);
    const pause = await visitor.send('PUT', '/board/api/queues/pause');
    expect([pause.status, pause.headers['content-type']]).toEqual([503, 'application/problem+json']);
    expect(await queues.paused()).toEqual([]);
    expect((await new Visitor(server.url).get('/healthz')).status).toBe(200);
  });

  it('becomes one with a sign-in by its first user', async () => {
    const { server } = await openConsoleApp();
    const visitor = new Visitor(server.url);
    const added = await visitor.post('/users', {
      _csrf: hidden((await visitor.get('/users')).text, '_csrf'),
      name: 'anna',
      password: goodPassword,
    });
    expect(added.to).toBe('/users');
    expect((await visitor.get('/campaigns')).to).toContain('/sign-in');
    await visitor.signIn('anna', goodPassword);
    expect((await visitor.get('/users')).text).toContain('anna (you)');
  });
});

describe('with users', () => {
  it('no page is shown without a sign-in', async () => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'operator');
    const visitor = new Visitor(server.url);
    for (const { method, path } of pageRoutes) {
      const answer = method === 'get' ? await visitor.get(pathOf(path)) : await visitor.post(pathOf(path));
      expect(answer.status, `${method} ${path}`).toBe(method === 'get' ? 303 : 401);
    }
    expect((await visitor.get('/board')).to).toBe('/sign-in?to=%2Fboard');
  });

  it('a viewer changes nothing, by any form', async () => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'lin', 'viewer');
    const lin = new Visitor(server.url);
    await lin.signIn('lin');
    const _csrf = await lin.csrf();
    expect(changes.length).toBeGreaterThan(8);
    for (const { path } of changes) {
      const answer = await lin.post(pathOf(path), { _csrf, sure: 'yes' });
      expect(answer.status, path).toBe(403);
      expect(answer.text, path).toContain('Only an operator can do this');
    }
    expect((await readAudit({ ledger })).entries.map(({ what }) => what)).toEqual(['Signed in.']);
  });

  it('no form is taken without the proof of its own session', async () => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'operator');
    const [anna, other] = [new Visitor(server.url), new Visitor(server.url)];
    await anna.signIn('anna');
    await other.signIn('anna');
    const foreign = await other.csrf();
    expect(foreign).not.toBe(await anna.csrf());
    for (const { path } of changes) {
      for (const fields of [{}, { _csrf: '' }, { _csrf: foreign }]) {
        const answer = await anna.post(pathOf(path), { ...fields, sure: 'yes' });
        expect(answer.status, path).toBe(403);
        expect(answer.text, path).toContain('This form is too old');
      }
    }
  });

  it('a token stands for its user, and needs no proof', async () => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'operator');
    await quickUser({ ledger }, 'lin', 'viewer');
    const anna = await makeToken({ ledger }, 'anna');
    const program = new Visitor(server.url, { authorization: `Bearer ${anna.token}` });
    expect((await program.post('/users/lin/role', { role: 'operator' })).to).toBe('/users');
    const lin = await makeToken({ ledger }, 'lin');
    await program.post('/users/lin/role', { role: 'viewer' });
    const reader = new Visitor(server.url, { authorization: `Bearer ${lin.token}` });
    expect((await reader.get('/campaigns')).status).toBe(200);
    expect((await reader.get('/audit')).status).toBe(403);
    expect((await reader.post('/users/lin/role', { role: 'operator' })).status).toBe(403);
    await removeToken({ ledger }, 'anna', anna.prefix);
    expect((await program.get('/campaigns')).status).toBe(303);
  });

  it.each([
    ['an empty token', 'Bearer '],
    ['a wrong token', 'Bearer x'],
    ['another scheme', 'Basic YW5uYTp4'],
    ['a long token', `Bearer ${'x'.repeat(5000)}`],
  ])('%s is nobody, whatever the cookie says', async (_what, authorization) => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'operator');
    const anna = new Visitor(server.url);
    await anna.signIn('anna');
    expect((await anna.get('/campaigns', { authorization })).status).toBe(303);
  });
});

describe('behind a proxy', () => {
  const origin = 'https://console.example';

  it('everything is under the base: pages, files, the board, cookies', async () => {
    const { server, ledger } = await openConsoleApp({ base: '/tools/c', origin });
    await quickUser({ ledger }, 'anna', 'operator');
    const anna = new Visitor(`${server.url}/tools/c`, { host: 'console.example', origin });
    const away = await anna.get('/campaigns');
    expect(away.to).toBe('/tools/c/sign-in?to=%2Fcampaigns');
    const page = await anna.get('/sign-in');
    const addresses = [...page.text.matchAll(/(?:href|src|action)="([^"#]+)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(addresses.filter((address) => !address.startsWith('/tools/c/'))).toEqual([]);
    const style = addresses.find((address) => address.endsWith('console.css')) ?? '';
    expect((await new Visitor(server.url, { host: 'console.example' }).get(style)).status).toBe(200);

    const signedIn = await anna.signIn('anna', undefined, '/users');
    expect(signedIn.to).toBe('/tools/c/users');
    expect(signedIn.headers['set-cookie']?.join()).toMatch(/Path=\/tools\/c; HttpOnly; Secure; SameSite=Lax/);
    const users = (await anna.get('/users')).text;
    expect(
      [...users.matchAll(/(?:href|src|action|hx-get)="([^"#]+)"/g)].filter(
        ([, address]) => !address?.startsWith('/tools/c'),
      ),
    ).toEqual([]);
    const board = await anna.get('/board');
    expect(board.text).toContain('<base href="/tools/c/board/"');
    expect(board.text).toContain('href="/tools/c/board/console.css"');
    expect(board.headers['set-cookie']?.join()).toContain('Path=/tools/c/board');
    expect((await anna.get('/')).to).toBe('/tools/c/campaigns');
    const root = new Visitor(server.url, { host: 'console.example' });
    expect((await root.get('/campaigns')).status).toBe(404);
    expect((await root.get('/healthz')).status).toBe(200);
  });

  it('answers under its origin and loopback names only, and takes changes from its own pages only', async () => {
    const { server, ledger } = await openConsoleApp({ origin });
    await quickUser({ ledger }, 'anna', 'operator');
    const status = async (headers: Record<string, string>) =>
      (await new Visitor(server.url, headers).get('/sign-in')).status;
    expect(await status({ host: 'console.example' })).toBe(200);
    expect(await status({ host: 'console.example:443' })).toBe(200);
    expect(await status({})).toBe(200);
    expect(await status({ host: 'console.example:8443' })).toBe(403);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'console.example@evil.example' })).toBe(403);
    expect(await status({ host: 'evil.example', 'x-forwarded-host': 'console.example' })).toBe(403);
    const change = async (headers: Record<string, string>) =>
      (await new Visitor(server.url, headers).signIn('anna')).status;
    expect(await change({ host: 'console.example', origin })).toBe(303);
    // nginx names itself as the host, unless it is told otherwise.
    expect(await change({ origin })).toBe(303);
    expect(await change({ host: 'console.example', origin: 'http://console.example' })).toBe(403);
    expect(await change({ host: 'console.example', origin: 'https://evil.example' })).toBe(403);
  });

  it.each([
    ['', '__Host-campaigns_session', '/'],
    ['/tools', '__Secure-campaigns_session', '/tools'],
  ])('behind TLS, below "%s", takes its cookie only under the name %s', async (base, name, path) => {
    const { server, ledger } = await openConsoleApp({ base, origin: 'https://console.example' });
    await quickUser({ ledger }, 'anna', 'operator');
    const visit = (headers = {}) =>
      new Visitor(`${server.url}${base}`, { host: 'console.example', ...headers });
    const anna = visit({ origin: 'https://console.example' });
    const { headers } = await anna.signIn('anna');
    const secret = anna.cookies.get(name) ?? 'none';
    expect(headers['set-cookie']).toEqual([
      `${name}=${secret}; Path=${path}; HttpOnly; Secure; SameSite=Lax`,
    ]);
    expect((await anna.get('/campaigns')).status).toBe(200);
    // As another name of the domain, or a page without TLS, could set it.
    expect((await visit({ cookie: `campaigns_session=${secret}` }).get('/campaigns')).status).toBe(303);
    const out = await anna.post('/sign-out', { _csrf: await anna.csrf() });
    expect([out.to, anna.cookies.has(name)]).toEqual([`${base}/sign-in`, false]);
    expect((await anna.get('/sign-in')).text).toContain('You are signed out.');
  });

  it('sets secure cookies only if a trusted proxy speaks TLS', async () => {
    const cookies = async (trustedProxies: string[]) => {
      const { server, ledger } = await openConsoleApp({ trustedProxies });
      await quickUser({ ledger }, 'anna', 'operator');
      const { headers } = await new Visitor(server.url, { 'x-forwarded-proto': 'https' }).signIn('anna');
      return headers['set-cookie']?.join();
    };
    expect(await cookies(['127.0.0.0/8'])).toContain('; Secure');
    expect(await cookies(['10.0.0.1'])).not.toContain('; Secure');
  });
});

describe('a live page', () => {
  it.each([
    ['was an operator', (access: WithLedger) => setRole(access, 'anna', 'viewer')],
    ['was removed', (access: WithLedger) => removeUser(access, 'anna')],
  ])('ends within ten seconds for somebody who %s', async (_what, change) => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'operator');
    await quickUser({ ledger }, 'ben', 'operator');
    const anna = new Visitor(server.url);
    await anna.signIn('anna');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = get(`${server.url}/queues/events`, { headers: { cookie, accept: 'text/event-stream' } });
    const [stream] = (await once(sent, 'response')) as [IncomingMessage];
    const ended = once(stream.resume(), 'end');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    expect(stream.statusCode).toBe(200);
    vi.advanceTimersByTime(10_000);
    await anna.get('/queues');
    expect(isOver).toBe(false);
    await change({ ledger });
    vi.advanceTimersByTime(10_000);
    await withDeadline(ended, 'the end of the stream');
  });
});

describe('Bull Board', () => {
  async function openBoard() {
    const app = await openConsoleApp();
    await quickUser(app, 'anna', 'operator');
    await quickUser(app, 'lin', 'viewer');
    const anna = new Visitor(app.server.url);
    await anna.signIn('anna');
    await anna.get('/board');
    return { ...app, anna, proof: anna.cookies.get('XSRF-TOKEN') ?? '' };
  }
  const pause = '/board/api/queues/post/pause';

  it('takes changes of an operator with the proof of the session, and notes them', async () => {
    const { anna, proof, queues, ledger } = await openBoard();
    expect((await anna.send('PUT', pause, { 'x-xsrf-token': proof })).status).toBe(200);
    expect(await queues.paused()).toEqual(['post']);
    expect((await readAudit({ ledger })).entries[0]).toMatchObject({
      who: 'anna',
      from: '127.0.0.1',
      what: 'Bull Board: PUT /board/api/queues/post/pause',
    });
  });

  it('takes none without the proof, or with that of another session', async () => {
    const { anna, queues, server } = await openBoard();
    const other = new Visitor(server.url);
    await other.signIn('anna');
    await other.get('/board');
    for (const proof of ['', 'x', other.cookies.get('XSRF-TOKEN') ?? 'missing']) {
      expect((await anna.send('PUT', pause, { 'x-xsrf-token': proof })).status).toBe(403);
    }
    expect(await queues.paused()).toEqual([]);
  });

  it('takes none of a viewer, and hides the buttons', async () => {
    const { queues, server, anna } = await openBoard();
    const lin = new Visitor(server.url);
    await lin.signIn('lin');
    expect((await lin.get('/board/api/queues')).status).toBe(200);
    const answer = await lin.send('PUT', pause, { 'x-xsrf-token': lin.cookies.get('XSRF-TOKEN') ?? '' });
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('Only an operator can do this.'),
    ]);
    expect(await queues.paused()).toEqual([]);
    const hides = "[class*='queueActions'], [class*='jobActions'], [role='menuitem'] { display: none; }";
    expect((await lin.get('/board/console.css')).text).toContain(hides);
    expect((await anna.get('/board/console.css')).text).not.toContain(hides);
  });

  it('of an open console counts by the user of the system', async () => {
    const { board, ledger } = await openConsoleApp();
    await board.change('PUT', 'post/pause');
    expect((await readAudit({ ledger })).entries).toMatchObject([{ who: systemUser() }]);
  });
});
