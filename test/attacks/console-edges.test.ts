/** Ways out of the console's own path, cookies without TLS, and names that cannot be written. */
import { expect, it } from 'vitest';
import { isOwnPath } from '../../src/console/http/callers.ts';
import { goodPassword, quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { openDropScene } from '../support/console/drop-scene.ts';
import { sheetOf } from '../support/console/uploads.ts';
import { Visitor } from '../support/console/visitor.ts';
import { temporaryFolder } from '../support/folder.ts';

it.each([
  '/../../x',
  '/..',
  '/a/../../x',
  '/%2e%2e/x',
  '/a/.%2E/%2e./x',
  '/..\\..\\x',
  '/a\\..\\..\\x',
  '/../base/x',
  '/../../base/base/x',
])('a sign-in does not lead out of the base by %j', async (to) => {
  expect(isOwnPath(to)).toBe(false);
});

it('a sign-in under a base leads to no other application of the host', async () => {
  const origin = 'https://console.example';
  const { server, ledger } = await openConsoleApp({ base: '/tools/c', origin });
  await quickUser({ ledger }, 'anna', 'operator');
  const anna = new Visitor(`${server.url}/tools/c`, { host: 'console.example', origin });
  expect((await anna.signIn('anna', goodPassword, '/../../x')).to).toBe('/tools/c/campaigns');
  expect((await anna.signIn('anna', goodPassword, '/campaigns/../audit?a=../..')).to).toBe(
    '/tools/c/campaigns/../audit?a=../..',
  );
});

it('behind TLS, every cookie of the console is secure', async () => {
  const origin = 'https://console.example';
  const { server, ledger } = await openConsoleApp({ origin });
  await quickUser({ ledger }, 'anna', 'operator');
  const anna = new Visitor(server.url, { host: 'console.example', origin });
  const set = async (answer: Promise<Awaited<ReturnType<Visitor['get']>>>) =>
    (await answer).headers['set-cookie'] ?? [];
  const cookies = [...(await set(anna.signIn('anna'))), ...(await set(anna.get('/board')))];
  const _csrf = await anna.csrf();
  cookies.push(...(await set(anna.post('/sign-out', { _csrf }))));
  expect(cookies.map((line) => line.split('=')[0])).toEqual(
    expect.arrayContaining(['__Host-campaigns_session', 'XSRF-TOKEN', '__Host-notice']),
  );
  expect(cookies.filter((line) => !line.includes('; Secure'))).toEqual([]);
});

it('jobs of Bull Board are stored nowhere; its own files may be', async () => {
  const { server } = await openConsoleApp();
  const visitor = new Visitor(server.url);
  const board = await visitor.get('/board');
  const jobs = await visitor.get('/board/api/queues');
  expect([board, jobs].map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store']);
  const script = /src="(static\/[^"]+\.js)"/.exec(board.text)?.[1];
  expect((await visitor.get(`/board/${script}`)).headers['cache-control']).not.toBe('no-store');
});

it('a file name with half a surrogate becomes one without it, and breaks no page', async (test) => {
  const { drop, pages } = await openDropScene(test);
  const half = Buffer.concat([Buffer.from('posts'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('.csv')]);
  const headers = { 'upload-length': '10', 'upload-metadata': `path ${half.toString('base64')}` };
  expect((await drop.request('POST', '', headers)).status).toBe(201);
  expect((await pages.get(`/campaigns/new/${drop.draft}/files`)).status).toBe(200);
});

it('a long name is not cut within a character, and its sheet can be downloaded', async (test) => {
  const { drop, pages } = await openDropScene(test);
  const name = `${'x'.repeat(195)}${'😀'.repeat(10)}.csv`;
  expect((await drop.send(name, sheetOf(temporaryFolder(), 'a'))).status).toBe(204);
  const { status, headers } = await fetch(`${pages.url}/campaigns/new/${drop.draft}/sheet/original`);
  expect([status, headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/x%EF%BF%BD\.csv$/),
  ]);
});
