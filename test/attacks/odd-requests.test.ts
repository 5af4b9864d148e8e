/** Requests that are read in two ways, and what every answer carries. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { goodPassword, quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';

/** Sends a head as it is. @returns the whole answer. */
async function raw(url: string, head: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(head);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => void pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces).toString();
}

it.each([
  'GET /campaigns HTTP/1.1\r\nHost: localhost\r\nHost: evil.example',
  'GET /campaigns HTTP/1.1\r\nhost: localhost\r\nHOST: localhost',
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost',
  'GET http://localhost/campaigns HTTP/1.1\r\nHost: localhost',
  'GET http://evil.example/campaigns HTTP/1.1\r\nHost: localhost',
  'GET //evil.example/campaigns HTTP/1.1\r\nHost: localhost',
  'OPTIONS * HTTP/1.1\r\nHost: localhost',
  'GET /campaigns HTTP/1.1',
])('%j is 400', async (head) => {
  const { server } = await openConsoleApp();
  const answer = await raw(server.url, `${head}\r\nConnection: close\r\n\r\n`);
  expect(answer.slice(9, 12)).toBe('400');
});

it.each(['POST', 'HEAD', 'PATCH', 'DELETE'])(
  'an upload by %s to an address with a user is 400, and gets into no log',
  async (method) => {
    const { server, logged } = await openConsoleApp();
    const head = `${method} http://anna:secret-word@localhost/campaigns/new/0123456789abcdef/uploads/1 HTTP/1.1`;
    const headers = 'Host: localhost\r\nTus-Resumable: 1.0.0\r\nConnection: close';
    const answer = await raw(server.url, `${head}\r\n${headers}\r\n\r\n`);
    expect(answer.slice(9, 12)).toBe('400');
    expect(JSON.stringify(logged)).not.toContain('secret-word');
  },
);

it('every answer has nosniff: pages, files, errors, downloads, Bull Board, probes', async () => {
  const { server, ledger } = await openConsoleApp();
  await quickUser({ ledger }, 'anna', 'operator');
  const anna = new Visitor(server.url);
  const style = /href="([^"]+\.css)"/.exec((await anna.get('/sign-in')).text)?.[1] ?? 'none';
  const asked: (readonly [method: string, path: string])[] = [
    ...['/healthz', '/readyz', '/metrics', '/nowhere', '/sign-in', style, `${style}x`].map(
      (path) => ['GET', path] as const,
    ),
    ...['/campaigns', '/board', '/board/api/queues', '/api/v1/campaigns', '/api/v1/nowhere'].map(
      (path) => ['GET', path] as const,
    ),
    ['POST', '/campaigns/new/0123456789abcdef/uploads'],
    ['PUT', '/campaigns'],
  ];
  const look = async () => {
    for (const [method, path] of asked) {
      const { headers, status } = await anna.send(method, path);
      expect(headers['x-content-type-options'], `${method} ${path}: ${status}`).toBe('nosniff');
    }
  };
  await look();
  await anna.signIn('anna', goodPassword);
  asked.push(
    ['GET', '/audit.csv'],
    ['GET', '/board/static/favicon.ico'],
    ['GET', '/%ff'],
    ['GET', '/board/%ff'],
  );
  await look();
  const foreign = await anna.send('POST', '/campaigns/c1/pause', { origin: 'https://evil.example' });
  expect([foreign.status, foreign.headers['x-content-type-options']]).toEqual([403, 'nosniff']);
});
