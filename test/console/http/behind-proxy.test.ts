import { describe, expect, it } from 'vitest';
import { quickUser } from '../../support/console/access.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';
import { Visitor } from '../../support/console/visitor.ts';

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
