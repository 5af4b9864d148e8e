/** Downloads from hostile servers. */
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { AddressPolicy } from '../../../src/service/media/addresses.ts';
import { Downloader, type DownloaderOptions } from '../../../src/service/media/download.ts';
import { openSpool } from '../../../src/service/media/spool.ts';
import { rejection } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { contractHash } from '../../support/sandbox.ts';
import { bytesOf, png } from '../../support/sheets/media-bytes.ts';
import { type Answer, httpAnswer, wireServer } from '../../support/wire-server.ts';

async function setUp(options: Partial<DownloaderOptions> & { quotaBytes?: number } = {}) {
  const directory = temporaryFolder();
  const spool = await openSpool({ directory, quotaBytes: options.quotaBytes ?? 1_000_000 });
  const downloader = new Downloader({
    spool,
    addresses: new AddressPolicy(['127.0.0.1']),
    maxBytes: 100_000,
    ...options,
  });
  onTestFinished(() => downloader[Symbol.asyncDispose]());
  return { directory, spool, downloader };
}

/** Fetches from a server that gives `answer`, and checks that no file remains. */
async function failedDownload(answer: Answer | Buffer, options: Parameters<typeof setUp>[0] = {}) {
  const { directory, spool, downloader } = await setUp(options);
  const server = await wireServer(Buffer.isBuffer(answer) ? (_, socket) => socket.write(answer) : answer);
  const error = await rejection(downloader.fetch(`${server.origin}/a.png`));

  expect(readdirSync(directory)).toEqual([]);
  expect(spool.claimedBytes).toBe(0);
  expect(error).toMatchObject({ name: 'MediaError', subject: `${server.origin}/a.png` });
  return error;
}

test('a file is fetched, measured and hashed, and its disk space is released', async () => {
  const { directory, downloader } = await setUp();
  const bytes = bytesOf('image/png', 50_000);
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, bytes)));
  {
    await using fetched = await downloader.fetch(`${server.origin}/a%20b.png?sig=1%2F2`);
    expect(fetched).toMatchObject({ size: bytes.length, hash: contractHash(bytes) });
    expect(fetched.start.subarray(0, png.length)).toEqual(png);
    expect(readdirSync(directory)).toHaveLength(1);
  }
  expect(readdirSync(directory)).toEqual([]);
  expect(server.requests[0]).toMatchObject({ method: 'GET', target: '/a%20b.png?sig=1%2F2' });
  expect(server.requests[0]?.headers['x-api-key']).toBeUndefined();
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) is followed, without a key', async (status) => {
  const { downloader } = await setUp();
  const elsewhere = await wireServer((_, socket) => socket.write(httpAnswer(200, png)));
  const location = `${elsewhere.origin}/b.png?token=1`;
  const server = await wireServer((_, socket) => socket.write(httpAnswer(status, '', { location })));
  await using fetched = await downloader.fetch(`${server.origin}/uc?id=1`);
  expect(fetched).toMatchObject({ size: png.length, url: new URL(location) });
  expect(elsewhere.requests[0]).toMatchObject({ method: 'GET', target: '/b.png?token=1' });
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty('x-api-key');
});

test('a redirect may name a path, and a name in the written URL stays', async () => {
  const { downloader } = await setUp();
  const server = await wireServer(({ target }, socket) =>
    socket.write(
      target === '/content' ? httpAnswer(200, png) : httpAnswer(302, '', { location: '/content' }),
    ),
  );
  await using fetched = await downloader.fetch(`${server.origin}/a.png`);
  expect(fetched.url.pathname).toBe('/a.png');
});

test('redirects are followed a few times only', async () => {
  const { downloader } = await setUp();
  const server = await wireServer(({ target }, socket) => {
    socket.write(httpAnswer(302, '', { location: `${target}x` }));
  });
  const error = await rejection(downloader.fetch(`${server.origin}/`));
  expect(error).toMatchObject({
    code: 'media_download_refused',
    transient: false,
    subject: `${server.origin}/`,
  });
  expect(server.requests).toHaveLength(6);
});

test.each([
  ['http://[::1]:1/a.png', 'media_address_refused'],
  ['http://0x0a000001/a.png', 'media_address_refused'],
  ['//169.254.169.254/latest/meta-data', 'media_address_refused'],
  ['http://user:secret@127.0.0.1/a.png', 'media_download_refused'],
  ['file:///etc/passwd', 'media_download_refused'],
  ['data:image/png;base64,AAAA', 'media_download_refused'],
  ['http://', 'media_download_refused'],
])('a redirect to %s is checked as a written URL is', async (location, code) => {
  const error = await failedDownload(httpAnswer(302, '', { location }));
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toContain('secret');
});

test.each([
  ['by its type', '<p>Sign in</p>', { 'content-type': 'text/html; charset=utf-8' }],
  ['by its first bytes', '\n<!DOCTYPE html><title>a</title>', { 'content-type': 'video/mp4' }],
])('a web page is no file, %s', async (_, body, headers) => {
  const error = await failedDownload(httpAnswer(200, body, headers));
  expect(error).toMatchObject({ code: 'media_web_page', transient: false });
});

test('a file that its server calls a web page is a file', async () => {
  const { downloader } = await setUp();
  const server = await wireServer((_, socket) =>
    socket.write(httpAnswer(200, png, { 'content-type': 'text/html' })),
  );
  await using fetched = await downloader.fetch(`${server.origin}/a`);
  expect(fetched.size).toBe(png.length);
});

test.each([
  [401, 'media_url_expired', false],
  [403, 'media_url_expired', false],
  [404, 'media_url_expired', false],
  [410, 'media_url_expired', false],
  [416, 'media_download_refused', false],
  [206, 'media_download_refused', false],
  [204, 'media_download_refused', false],
  [429, 'media_download_failed', true],
  [500, 'media_download_failed', true],
  [503, 'media_download_failed', true],
])('HTTP %i is %s', async (status, code, transient) => {
  expect(await failedDownload(httpAnswer(status))).toMatchObject({ code, transient });
});

test('a file without bytes is refused', async () => {
  expect(await failedDownload(httpAnswer(200))).toMatchObject({ code: 'media_empty' });
});

test('a file with a too large declared length is not fetched', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100001\r\n\r\n';

  expect(await failedDownload(Buffer.from(head))).toMatchObject({ code: 'media_too_large' });
});

test('a file that grows too large is cut off', async () => {
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
  const error = await failedDownload((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const pour = (): void => {
      if (socket.writable) socket.write(chunk, () => setImmediate(pour));
    };
    pour();
  });

  expect(error).toMatchObject({ code: 'media_too_large' });
});

test('a download that does not fit into the spool is a transient error', async () => {
  const error = await failedDownload(httpAnswer(200, bytesOf('image/png', 5000)), { quotaBytes: 4000 });

  expect(error).toMatchObject({ code: 'media_spool_full', transient: true });
});

test('a download that does not fit into the spool leaves no connection behind', async () => {
  const closed = Promise.withResolvers<void>();
  const endless: Answer = (_, socket) => {
    socket.once('close', () => closed.resolve());
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\nx');
  };
  await failedDownload(endless, { quotaBytes: 4000 });
  await expect(closed.promise).resolves.toBeUndefined();
});

test.each([
  ['a reset', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
  ['a FIN', (socket: { end(): void }) => socket.end()],
])('%s in the middle is a failed download', async (_, end) => {
  const error = await failedDownload((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n0123456789', () => end(socket));
  });

  expect(error).toMatchObject({ code: 'media_download_failed', transient: true });
});

test('a download that is too slow is stopped', async () => {
  const error = await failedDownload(
    (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(timer));
    },
    { patience: { totalMs: 60_000, windowMs: 100, windowBytes: 1000 } },
  );

  expect(error).toMatchObject({ code: 'media_download_failed' });
  expect((error as Error).message).toMatch(/only \d+ (bytes|KB) arrived in 0\.1 s/);
});

test('a download from a silent server is stopped', async () => {
  const error = await failedDownload(() => undefined, {
    patience: { totalMs: 100, windowMs: 60_000, windowBytes: 1 },
  });

  expect((error as Error).message).toContain('it did not finish in 0.1 s');
});

test('a refused connection is a failed download', async () => {
  const { downloader } = await setUp();
  const error = await rejection(downloader.fetch(`http://127.0.0.1:${await freePort()}/a.png`));

  expect(error).toMatchObject({ code: 'media_download_failed', transient: true });
});

test.each(['127.0.0.1', 'localhost', '0x7f000001', '127.1', '[::ffff:127.0.0.1]'])(
  'without permission, nothing is fetched from %s',
  async (host) => {
    const server = await wireServer((_, socket) => socket.write(httpAnswer(200, png)));
    const { downloader } = await setUp({ addresses: new AddressPolicy([]) });
    const url = `http://${host}:${server.port}/a.png`;

    expect(await rejection(downloader.fetch(url))).toMatchObject({
      code: 'media_address_refused',
      subject: url,
    });
    expect(server.connections()).toBe(0);
  },
);

test('a name is permitted if all its addresses are allowed', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, png)));
  const { downloader } = await setUp({ addresses: new AddressPolicy(['127.0.0.0/8', '::1']) });
  await using fetched = await downloader.fetch(`http://localhost:${server.port}/a.png`);

  expect(fetched.size).toBe(png.length);
});

test('an aborted download leaves nothing', async () => {
  const controller = new AbortController();
  const { directory, downloader } = await setUp();
  const server = await wireServer((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\nx', () => controller.abort());
  });

  expect(await rejection(downloader.fetch(`${server.origin}/a.png`, controller.signal))).toMatchObject({
    code: 'media_download_failed',
  });
  expect(readdirSync(directory)).toEqual([]);
});
