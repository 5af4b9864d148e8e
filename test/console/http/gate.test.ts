import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { makeToken, removeToken } from '../../../src/app/access/credentials.ts';
import { mayDo, rights, roles, whoMay } from '../../../src/app/access/roles.ts';
import { removeUser, setRole, type WithLedger } from '../../../src/app/access/users.ts';
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
      expect(page.text).toContain('campaigns users add NAME --role admin');
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

  it.each([
    ['', '/campaigns/c1/rows/api'],
    ['', '/campaigns/c1/rows/metrics'],
    ['/api', '/campaigns'],
  ])('below "%s", the page %s leads people to the sign-in', async (base, path) => {
    const { server, ledger } = await openConsoleApp({ base });
    await quickUser({ ledger }, 'anna', 'operator');
    const answer = await new Visitor(`${server.url}${base}`).get(path);
    expect(answer.to).toBe(`${base}/sign-in?to=${encodeURIComponent(path)}`);
  });

  it.each(roles)(
    'a user with the role %s has the forms and pages of its rights, and no other',
    async (role) => {
      const { server, ledger } = await openConsoleApp();
      await quickUser({ ledger }, 'lin', role);
      const lin = new Visitor(server.url);
      await lin.signIn('lin');
      const _csrf = await lin.csrf();
      expect(changes.length).toBeGreaterThan(8);
      // An allowed stream does not end.
      for (const { method, path, right } of pageRoutes.filter((route) => !route.path.endsWith('/events'))) {
        const isAllowed = mayDo({ person: { role } }, right);
        // An allowed form is sent without its proof, so that it changes nothing.
        const form = { ...(!isAllowed && { _csrf }), sure: 'yes' };
        const answer = method === 'get' ? await lin.get(pathOf(path)) : await lin.post(pathOf(path), form);
        expect(answer.status === 403, `${method} ${path}`).toBe(!isAllowed || method === 'post');
        const refusal = `Only ${whoMay(right)} may ${rights[right]}.`;
        expect(answer.text.includes(refusal), `${method} ${path}`).toBe(!isAllowed);
      }
      expect((await readAudit({ ledger })).entries.map(({ what }) => what)).toEqual(['Signed in.']);
    },
  );

  it.each([
    ['edit', 'editor', 'approver', '/campaigns/new/c1/discard', 404],
    ['run', 'operator', 'editor', '/campaigns/c1/pause', 404],
    ['manage', 'admin', 'operator', '/users/ben/remove', 303],
  ] as const)('%s: %s changes, %s does not', async (_right, mayRole, mayNotRole, path, status) => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'ben', 'viewer');
    for (const [role, expected] of [
      [mayNotRole, 403],
      [mayRole, status],
    ] as const) {
      await quickUser({ ledger }, role, role);
      const person = new Visitor(server.url);
      await person.signIn(role);
      const answer = await person.post(path, { _csrf: await person.csrf(), sure: 'yes' });
      expect(answer.status, role).toBe(expected);
    }
  });

  it('no form is taken without the proof of its own session', async () => {
    const { server, ledger } = await openConsoleApp();
    await quickUser({ ledger }, 'anna', 'admin');
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
    await quickUser({ ledger }, 'anna', 'admin');
    await quickUser({ ledger }, 'lin', 'viewer');
    const anna = await makeToken({ ledger }, 'anna');
    const program = new Visitor(server.url, { authorization: `Bearer ${anna.token}` });
    expect((await program.post('/users/lin/role', { role: 'editor' })).to).toBe('/users');
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

it('the only admin keeps the role and stays, and the page says why', async () => {
  const { server, ledger } = await openConsoleApp();
  await quickUser({ ledger }, 'anna', 'admin');
  await quickUser({ ledger }, 'ben', 'operator');
  const anna = new Visitor(server.url);
  await anna.signIn('anna');
  const _csrf = await anna.csrf();
  expect((await anna.get('/users/anna/role')).text).toContain('approver: decides approvals');
  for (const [path, fields] of [
    ['/users/anna/role', { role: 'viewer' }],
    ['/users/anna/remove', {}],
  ] as const) {
    const refused = await anna.post(path, { _csrf, ...fields });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('The user anna is the only admin.'),
    ]);
    expect(refused.text).toContain('Make another user an admin first.');
  }
  expect((await anna.post('/users/ben/role', { _csrf, role: 'admin' })).to).toBe('/users');
  expect((await anna.post('/users/anna/role', { _csrf, role: 'approver' })).to).toBe('/users');
  expect((await anna.get('/users')).text).toContain(
    'Only admins may change users, tokens and client links, and see the audit.',
  );
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
