/** The PUT to a presigned URL. */
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UploadFailedError, UploadUrlExpiredError } from '../../src/service/errors.ts';
import { Storage } from '../../src/service/storage.ts';
import { rejection, testKey } from '../support/client.ts';
import { freePort } from '../support/ports.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

function testStorage(timeoutMs = 5000): Storage {
  const storage = new Storage({ timeoutMs });
  onTestFinished(() => storage.close());
  return storage;
}

const bytes = Buffer.from('the bytes');

function put(origin: string, body: Buffer | Readable = bytes, size = bytes.length, timeoutMs?: number) {
  const uploadUrl = `${origin}/bucket/a%20b?X-Signature=a%2Fb&e=1`;
  return testStorage(timeoutMs).put({ uploadUrl, contentType: 'video/mp4', size, body });
}

test.each([
  ['bytes', () => bytes],
  ['a stream', () => Readable.from([bytes.subarray(0, 4), bytes.subarray(4)])],
])('%s are sent with their length and type, without chunks and without the key', async (_, body) => {
  const server = await wireServer((_request, socket) => socket.write(httpAnswer(200)));
  await put(server.origin, body());

  const [request] = server.requests;
  expect(request?.method).toBe('PUT');
  expect(request?.target).toBe('/bucket/a%20b?X-Signature=a%2Fb&e=1');
  expect(request?.headers).toMatchObject({ 'content-type': 'video/mp4', 'content-length': '9' });
  expect(request?.headers['transfer-encoding']).toBeUndefined();
  expect(request?.headers['x-api-key']).toBeUndefined();
  expect(JSON.stringify(request?.headers)).not.toContain(testKey);
  expect(String(request?.body)).toBe('the bytes');
});

test('403 means that the URL has expired', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(403)));

  expect(await rejection(put(server.origin))).toBeInstanceOf(UploadUrlExpiredError);
});

test.each([400, 404, 411, 429, 500, 503])('HTTP %i is a failed upload', async (status) => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(status)));
  const error = await rejection(put(server.origin));

  expect(error).toBeInstanceOf(UploadFailedError);
  expect(error).not.toBeInstanceOf(UploadUrlExpiredError);
  expect(error).toMatchObject({ status });
});

test('a redirect is not followed', async () => {
  const elsewhere = await wireServer((_, socket) => socket.write(httpAnswer(200)));
  const server = await wireServer((_, socket) =>
    socket.write(httpAnswer(307, '', { location: `${elsewhere.origin}/` })),
  );

  expect(await rejection(put(server.origin))).toMatchObject({ status: 307 });
  expect(elsewhere.connections()).toBe(0);
});

test('a connection that is cut in the middle is a failed upload, and the stream is closed', async () => {
  const server = await wireServer(
    () => undefined,
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
  );
  const body = Readable.from(endless(), { objectMode: false });
  const error = await rejection(put(server.origin, body, 2 ** 40));

  expect(error).toBeInstanceOf(UploadFailedError);
  expect(body.destroyed).toBe(true);
});

test('a stream that was never started is closed, too', async () => {
  const body = Readable.from(endless(), { objectMode: false });
  const error = await rejection(put(`http://127.0.0.1:${await freePort()}`, body, 2 ** 40));

  expect(error).toBeInstanceOf(UploadFailedError);
  expect(body.destroyed).toBe(true);
});

test('an error of the stream itself is thrown as it is', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200)));
  const broken = new Error('the disk is gone');
  const body = Readable.from(
    (async function* () {
      yield bytes;
      throw broken;
    })(),
    { objectMode: false },
  );

  expect(await rejection(put(server.origin, body, 100))).toBe(broken);
});

test.each([
  ['fewer', 10],
  ['more', 8],
])('a stream with %s bytes than declared does not arrive', async (_, size) => {
  const server = await wireServer((_request, socket) => socket.write(httpAnswer(200)));

  expect(await rejection(put(server.origin, Readable.from([bytes]), size))).toBeInstanceOf(UploadFailedError);
});

test('a storage that never answers is not waited for', async () => {
  const server = await wireServer(() => undefined);

  expect(await rejection(put(server.origin, bytes, bytes.length, 150))).toBeInstanceOf(UploadFailedError);
});

test('a storage that takes no more bytes is not waited for, whatever the size', async () => {
  const stalled = await wireServer(
    () => undefined,
    (socket) => socket.pause(),
  );
  const body = Readable.from(endless(), { objectMode: false });
  const error = await rejection(put(stalled.origin, body, 2 ** 40, 150));

  expect(error).toBeInstanceOf(UploadFailedError);
  expect(error).toMatchObject({ message: 'The upload stalled.' });
  expect(body.destroyed).toBe(true);
});

test('a slow line is waited for as long as bytes go out', async () => {
  const patienceMs = 5000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const received = new EventEmitter();
  const server = await wireServer(
    (_request, socket) => socket.write(httpAnswer(200)),
    (socket) => socket.on('data', () => received.emit('data')),
  );
  const piece = Buffer.alloc(250_000);
  const pieces = async function* () {
    for (let count = 0; count < 4; count += 1) {
      const arrival = once(received, 'data');
      yield piece;
      await arrival;
      vi.advanceTimersByTime(0.8 * patienceMs);
    }
  };
  // Together 16 seconds, beyond the patience.
  await put(server.origin, Readable.from(pieces(), { objectMode: false }), 4 * piece.length, patienceMs);
  expect(server.requests).toHaveLength(1);
});

test('an upload that is given up ends and closes its stream', async () => {
  const controller = new AbortController();
  const server = await wireServer(
    () => undefined,
    (socket) => socket.once('data', () => controller.abort()),
  );
  const body = Readable.from(endless(), { objectMode: false });
  const closed = once(body, 'close');
  const request = { uploadUrl: `${server.origin}/`, contentType: 'video/mp4', size: 2 ** 40, body };

  expect(await rejection(testStorage().put(request, { signal: controller.signal }))).toBeInstanceOf(
    UploadFailedError,
  );
  await closed;
});

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024);
}
