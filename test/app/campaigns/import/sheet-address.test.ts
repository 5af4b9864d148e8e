/** Sheets at addresses, and servers that are none of theirs. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSettings, readEnvironment } from '../../../../config/load.ts';
import { exportOf, fetchSheet } from '../../../../src/app/campaigns/import/sheet-address.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { rejection } from '../../../support/client.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { type Answer, httpAnswer, wireServer } from '../../../support/wire-server.ts';

const csv = 'creator,media\nanna,a.mp4\n';

function runtimeOf(settings: Record<string, unknown> = {}) {
  const media = { allowPrivateAddresses: ['127.0.0.1'] };
  return {
    environment: readEnvironment({ DATA_DIR: temporaryFolder() }),
    settings: checkSettings({ media, ...settings }),
  };
}

async function failure(answer: Answer, settings?: Record<string, unknown>) {
  const runtime = runtimeOf(settings);
  const { origin } = await wireServer(answer);
  const error = await rejection(fetchSheet(runtime, `${origin}/plan.csv`));
  const folder = join(runtime.environment.dataDir, 'incoming-sheets');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  return error;
}

it('a sheet is fetched, also by a redirect, and removed at the end', async () => {
  const { origin } = await wireServer((request, socket) =>
    socket.write(
      request.target === '/s/1'
        ? httpAnswer(302, '', { location: '/files/March%20plan.csv?sig=1' })
        : httpAnswer(200, csv),
    ),
  );
  let path = '';
  {
    await using sheet = await fetchSheet(runtimeOf(), ` ${origin}/s/1 `);
    path = sheet.path;
    expect(readFileSync(path, 'utf8')).toBe(csv);
    expect(sheet).toMatchObject({ name: 'March plan', fileName: 'March plan.csv', address: `${origin}/s/1` });
  }
  expect(existsSync(path)).toBe(false);
});

it.each([
  ['[{}]', 'd.json'],
  ['PK\u0003\u0004', 'd.xlsx'],
  [csv, 'd.csv'],
])('a name without an extension gets one by the bytes', async (body, fileName) => {
  const { origin } = await wireServer((_, socket) => socket.write(httpAnswer(200, body)));
  await using sheet = await fetchSheet(runtimeOf(), `${origin}/d`);
  expect(sheet.fileName).toBe(fileName);
});

describe('a sheet is refused', () => {
  it('that is not public: a page to sign in', async () => {
    const page = httpAnswer(200, '<!doctype html><html><body>Sign in</body></html>', {
      'content-type': 'text/html',
    });
    expect(await failure((_, socket) => socket.write(page))).toMatchObject({
      code: 'manifest_unreadable',
      message: 'the address leads to a web page, not to a sheet: it may ask people to sign in',
      fix: expect.stringContaining('anyone with the link'),
    });
  });

  it.each([401, 403, 404])('that is not public: HTTP %i', async (status) => {
    expect(await failure((_, socket) => socket.write(httpAnswer(status)))).toMatchObject({
      message: 'the sheet is not public, or no longer at this address',
    });
  });

  it('that is too large, as it says or as it comes', async () => {
    const settings = { manifest: { maxBytes: '1KB' } };
    const large = 'x'.repeat(5000);
    expect(await failure((_, socket) => socket.write(httpAnswer(200, large)), settings)).toMatchObject({
      message: expect.stringContaining('the sheet is over the limit'),
    });
  });

  it.each([
    [(socket: Socket) => socket.destroy(), 'The server closed the connection before the file was complete.'],
    [(socket: Socket) => socket.write(httpAnswer(503)), 'The address answered with HTTP 503.'],
    [(socket: Socket) => socket.write(httpAnswer(200)), 'The answer has no bytes.'],
  ])('that does not come: the text says why, without codes, and what to do (%#)', async (answer, why) => {
    expect(await failure((_, socket) => void answer(socket))).toMatchObject({
      message: `the sheet cannot be fetched. ${why}`,
      fix: 'Check the address and try again, or download the sheet and use the file.',
    });
  });

  it('whose server has a certificate that nobody trusts', async () => {
    const { cert, key } = makeCertificates(temporaryFolder());
    const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/plan.csv`;
    expect(await rejection(fetchSheet(runtimeOf(), address))).toMatchObject({
      message: "the sheet cannot be fetched. The server's certificate is not trusted.",
    });
  });

  it('at a private address, also behind a redirect', async () => {
    const runtime = runtimeOf({ media: { allowPrivateAddresses: [] } });
    for (const address of [
      'http://127.0.0.1/a.csv',
      'http://169.254.169.254/a',
      'http://[::1]/a',
      'http://0x7f.1/',
    ])
      expect(await rejection(fetchSheet(runtime, address))).toMatchObject({ code: 'manifest_unreadable' });
    const location = 'http://169.254.169.254/latest';
    expect(await failure((_, socket) => socket.write(httpAnswer(302, '', { location })))).toMatchObject({
      message: expect.stringContaining('not a public address'),
    });
  });

  it.each([
    'ftp://a.example/b',
    'plan.csv',
    'https://',
    'https://u:p@a.example/b',
    `https://a.example/${'x'.repeat(3000)}`,
  ])('whose address is none (%#)', async (address) => {
    expect(await rejection(fetchSheet(runtimeOf(), address))).toMatchObject({ code: 'manifest_unreadable' });
  });
});

const google = 'https://docs.google.com/spreadsheets/d';
it.each([
  [`${google}/1AbC_d-ef2345/edit?usp=sharing`, `${google}/1AbC_d-ef2345/export?format=xlsx`],
  [`${google}/1AbC_d-ef2345/edit#gid=0`, `${google}/1AbC_d-ef2345/export?format=xlsx`],
  [`${google}/1AbC_d-ef2345/edit?gid=77#gid=77`, `${google}/1AbC_d-ef2345/export?format=csv&gid=77`],
  [`${google}/1AbC_d-ef2345`, `${google}/1AbC_d-ef2345/export?format=xlsx`],
  [
    'https://docs.google.com/spreadsheets/u/1/d/1AbC_d-ef2345/edit',
    `${google}/1AbC_d-ef2345/export?format=xlsx`,
  ],
  [`${google}/e/2PACX-1vAbC/pubhtml`, `${google}/e/2PACX-1vAbC/pub?output=xlsx`],
])('the share link %s is read as its export', (link, address) => {
  expect(exportOf(link)).toBe(address);
});

it.each([
  `${google}/1AbC_d-ef2345/export?format=csv`,
  'https://docs.google.com.evil.example/spreadsheets/d/1AbC_d-ef2345/edit',
  'https://a.example/plan.xlsx',
])('%s stays as it is', (address) => {
  expect(exportOf(address)).toBe(address);
});
