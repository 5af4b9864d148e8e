import { describe, expect, it } from 'vitest';
import { readAudit } from '../../../src/app/access/audit.ts';
import { sessionTimes } from '../../../src/ledger/access/sessions.ts';
import { tryLimits } from '../../../src/ledger/access/try-limits.ts';
import { goodPassword, quickUser } from '../../support/console/access.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';
import { hidden, Visitor } from '../../support/console/visitor.ts';

/** A console with an admin `anna` and a viewer `lin`. */
async function openWithUsers(reach: Parameters<typeof openConsoleApp>[0] = {}) {
  const app = await openConsoleApp(reach);
  await quickUser(app, 'anna', 'admin');
  await quickUser(app, 'lin', 'viewer');
  return { ...app, visitor: (headers = {}) => new Visitor(app.server.url, headers) };
}

describe('signing in', () => {
  it('leads to the page that was asked for', async () => {
    const { visitor } = await openWithUsers();
    const anna = visitor();
    const away = await anna.get('/audit?state=ended&q=a%20b');
    expect([away.status, away.to]).toEqual([
      303,
      `/sign-in?to=${encodeURIComponent('/audit?state=ended&q=a%20b')}`,
    ]);
    const page = await anna.get(away.to);
    expect(page.status).toBe(200);
    const done = await anna.signIn('Anna', goodPassword, hidden(page.text, 'to'));
    expect([done.status, done.to]).toEqual([303, '/audit?state=ended&q=a%20b']);
    expect((await anna.get(done.to)).text).toContain('anna, admin');
    expect((await anna.get('/sign-in')).to).toBe('/campaigns');
  });

  it('sets a cookie that scripts and other sites do not get', async () => {
    const { visitor } = await openWithUsers();
    const { headers } = await visitor().signIn('anna');
    expect(headers['set-cookie']?.join()).toMatch(
      /^campaigns_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/sign-out',
    '/\n/evil.example',
    'javascript:alert(1)',
    '/%0d/../sign-in',
  ])('does not lead to %j', async (to) => {
    const { visitor } = await openWithUsers();
    expect((await visitor().signIn('anna', goodPassword, to)).to).toBe('/campaigns');
  });

  it('shows neither whether the name exists nor what was wrong', async () => {
    const { visitor } = await openWithUsers();
    const one = await visitor().signIn('anna', 'wrong');
    const other = await visitor().signIn('else', 'wrong');
    expect([one.status, other.status]).toEqual([401, 401]);
    expect(one.text).toContain('Name or password is wrong. Try again in 1 second.');
    expect(one.text.replaceAll('"anna"', '"else"')).toBe(other.text);
    expect(one.text).not.toContain('value="wrong"');
  });

  it('makes a name wait, and says for how long', async () => {
    const { visitor, clock } = await openWithUsers();
    await visitor().signIn('anna', 'wrong');
    clock.now += 1000;
    await visitor().signIn('anna', 'wrong');
    const answer = await visitor().signIn('anna');
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.text).toContain('Too many tries for this name. Try again in 2 seconds.');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('locks out the address behind a trusted proxy, not the proxy', async () => {
    const { visitor, ledger } = await openWithUsers({ trustedProxies: ['127.0.0.1'] });
    const bad = visitor({ 'x-forwarded-for': '198.51.100.7' });
    for (let index = 0; index < tryLimits.addressTries; index += 1) {
      await quickUser({ ledger }, `u${index}`, 'viewer');
      expect((await bad.signIn(`u${index}`, 'wrong')).status).toBe(401);
    }
    const locked = await bad.signIn('anna');
    expect(locked.status).toBe(429);
    expect(locked.text).toContain('Too many tries from your address. Try again in 15 minutes.');
    // What a browser says of itself comes first, and does not count.
    const liar = visitor({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7' });
    expect((await liar.signIn('anna')).status).toBe(429);
    expect((await visitor({ 'x-forwarded-for': '198.51.100.8' }).signIn('anna')).status).toBe(303);
  });

  it('takes a whole IPv6 network for one address', async () => {
    const { visitor, ledger } = await openWithUsers({ trustedProxies: ['127.0.0.1'] });
    for (let index = 0; index < tryLimits.addressTries; index += 1) {
      await quickUser({ ledger }, `u${index}`, 'viewer');
      await visitor({ 'x-forwarded-for': `2001:db8::${index + 1}` }).signIn(`u${index}`, 'wrong');
    }
    expect((await visitor({ 'x-forwarded-for': '2001:db8::ffff' }).signIn('anna')).status).toBe(429);
    expect((await visitor({ 'x-forwarded-for': '2001:db8:0:1::1' }).signIn('anna')).status).toBe(303);
  });

  it('does not believe X-Forwarded-For of anybody else', async () => {
    const { visitor, ledger } = await openWithUsers({ trustedProxies: ['10.0.0.0/8'] });
    await visitor({ 'x-forwarded-for': '198.51.100.7' }).signIn('anna');
    const { entries } = await readAudit({ ledger });
    expect(entries).toMatchObject([{ who: 'anna', what: 'Signed in.', from: '127.0.0.1' }]);
  });

  it('gives a fresh session, and ends the one before', async () => {
    const { visitor } = await openWithUsers();
    const anna = visitor();
    await anna.signIn('anna');
    const before = anna.cookies.get('campaigns_session') ?? '';
    await anna.signIn('lin');
    expect(anna.cookies.get('campaigns_session')).not.toBe(before);
    expect((await visitor({ cookie: `campaigns_session=${before}` }).get('/campaigns')).status).toBe(303);
  });
});

describe('a session', () => {
  it('ends by signing out', async () => {
    const { visitor } = await openWithUsers();
    const anna = visitor();
    await anna.signIn('anna');
    const session = anna.cookies.get('campaigns_session') ?? '';
    expect((await anna.post('/sign-out')).to).toBe('/sign-in');
    expect((await anna.get('/audit')).status, 'without the proof').toBe(200);
    const out = await anna.post('/sign-out', { _csrf: await anna.csrf() });
    expect(out.to).toBe('/sign-in');
    expect((await anna.get('/sign-in')).text).toContain('You are signed out.');
    expect(anna.cookies.has('campaigns_session')).toBe(false);
    expect((await visitor({ cookie: `campaigns_session=${session}` }).get('/campaigns')).status).toBe(303);
  });

  it('that ended keeps what was typed, and sends it only when told', async () => {
    const { visitor, ledger, clock } = await openWithUsers();
    const anna = visitor();
    await anna.signIn('anna');
    const csrf = await anna.csrf();
    clock.now += sessionTimes.idleMs + 1;
    const typed = { _csrf: csrf, name: 'new "<b>', role: 'viewer', password: goodPassword };
    const away = await anna.post('/users', typed);
    expect(away.status).toBe(401);
    expect(away.text).toContain('Your session has ended. Nothing was changed.');
    expect(away.text).not.toContain(csrf);
    const back = await anna.post('/sign-in', {
      user: 'anna',
      password: goodPassword,
      to: hidden(away.text, 'to'),
      kept: hidden(away.text, 'kept'),
    });
    expect(back.status).toBe(200);
    expect(back.text).toContain('action="/users"');
    expect(back.text).toContain('value="new &quot;&lt;b&gt;"');
    expect(await ledger.access.users.count()).toBe(2);
    const sent = await anna.post('/users', { ...typed, name: 'newer', _csrf: hidden(back.text, '_csrf') });
    expect([sent.status, sent.to]).toEqual([303, '/users']);
    expect(await ledger.access.users.count()).toBe(3);
  });

  it('that ended keeps what was typed through a wrong password, too', async () => {
    const { visitor } = await openWithUsers();
    const away = await visitor().post('/users', 'name=x&name=y');
    const wrong = await visitor().post('/sign-in', {
      user: 'anna',
      password: 'wrong',
      to: '/users',
      kept: hidden(away.text, 'kept'),
    });
    expect(hidden(wrong.text, 'kept')).toBe('name=x&name=y');
    expect(hidden(wrong.text, 'to')).toBe('/users');
  });

  it('that ended sends a dialog to the sign-in, and a program an error', async () => {
    const { visitor, server } = await openWithUsers();
    const part = await visitor().get('/users/lin/remove', {
      'hx-request': 'true',
      'hx-current-url': `${server.url}/users?a=1`,
    });
    expect([part.status, part.headers['hx-redirect']]).toEqual([401, '/sign-in?to=%2Fusers%3Fa%3D1']);
    const api = await visitor().get('/board/api/queues');
    expect([api.status, api.headers['content-type'], api.headers['www-authenticate']]).toEqual([
      401,
      'application/problem+json',
      'Bearer',
    ]);
    expect((await visitor().get('/campaigns/events', { accept: 'text/event-stream' })).status).toBe(401);
  });
});
