import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openConsoleApp } from '../support/console/console-app.ts';

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends headers that `fetch` does not let a program set. */
async function raw(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: string,
): Promise<RawAnswer> {
  const sent = request(url, { method, headers, setHost: headers.host === undefined });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: Buffer.concat(await answer.toArray()).toString(),
  };
}

describe('the application', () => {
  it('refuses changes from other sites, under any name', async () => {
    const { server, queues } = await openConsoleApp();
    const pause = `${server.url}/board/api/queues/pause`;
    const foreign = [
      { origin: 'https://a.example' },
      { host: 'a.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      expect((await raw(pause, 'PUT', headers as Record<string, string>)).status).toBe(403);
    }
    expect(await queues.paused()).toEqual([]);
    expect((await raw(pause, 'PUT', { origin: server.url })).status).toBe(200);
  });

  it('refuses reads under a foreign name', async () => {
    const { server } = await openConsoleApp();
    expect((await raw(`${server.url}/board/api/queues`, 'GET', { host: 'a.example' })).status).toBe(403);
  });

  it('restricts its pages to what they need', async () => {
    const { server } = await openConsoleApp();
    const { headers } = await raw(`${server.url}/board`, 'GET', {});
    expect(headers['content-security-policy']).toContain("default-src 'none';script-src 'self';");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('answers an address without a page: browsers with a page, programs with JSON', async () => {
    const { server } = await openConsoleApp();
    const page = await raw(`${server.url}/else`, 'GET', { accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('There is no such page.');
    expect(page.text).toContain('<nav aria-label="Main">');
    // One in the menu, one on the page.
    expect(page.text.match(/<form class="seek" role="search"/g)).toHaveLength(2);
    const program = await raw(`${server.url}/else`, 'GET', {});
    expect([program.status, program.text]).toEqual([404, '{"error":"There is no such page."}']);
  });

  it('shows no menu at an unknown address to whoever is not signed in', async () => {
    const { server } = await openConsoleApp({ base: '/runner' });
    const page = await raw(`${server.url}/runner/else`, 'GET', { accept: 'text/html' });
    expect(page.text).not.toContain('<nav aria-label="Main">');
  });

  it('answers probes under any name', async () => {
    const { server } = await openConsoleApp();
    for (const path of ['healthz', 'readyz']) {
      expect((await raw(`${server.url}/${path}`, 'GET', { host: '10.1.2.3:8080' })).status).toBe(200);
    }
  });

  it.each([
    ['a body that is not JSON', 'PUT', '/board/api/queues/pause', '{', 400],
    ['a path that cannot be decoded', 'GET', '/board/api/queues/%ff/x', undefined, 400],
    ['an unknown path', 'GET', '/else', undefined, 404],
    ['an unknown queue', 'PUT', '/board/api/queues/else/pause', undefined, 404],
    ['a body that is too long', 'PUT', '/board/api/queues/pause', `"${'x'.repeat(200_000)}"`, 400],
  ])('shows no trace of itself for %s', async (_what, method, path, body, status) => {
    const { server } = await openConsoleApp();
    const headers = { 'content-type': 'application/json', 'content-length': String(body?.length ?? 0) };
    const answer = await raw(`${server.url}${path}`, method, headers, body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/node_modules|\.js|\.ts/);
  });
});
