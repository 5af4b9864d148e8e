/** Answers that come otherwise than asked for: with a byte order mark, after `100 Continue`, or encoded. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MalformedAnswerError, RefusedError } from '../../../src/service/errors.ts';
import { rejection, testClient } from '../../support/client.ts';
import { envelopeAnswer, httpAnswer, wireServer } from '../../support/wire-server.ts';

const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;
const json = '{"code":0,"data":{"scheduleId":"s1"}}';
const interim = 'HTTP/1.1 100 Continue\r\nx-proxy: a\r\n\r\n';

async function scheduleOf(...parts: readonly (string | Buffer)[]) {
  const server = await wireServer((_, socket) => {
    socket.setNoDelay();
    const send = ([part, ...rest]: readonly (string | Buffer)[]) => {
      if (part !== undefined) socket.write(part, () => setImmediate(send, rest));
    };
    send(parts);
  });
  return testClient(server.origin).generations.create(generation);
}

test('a byte order mark before the JSON is skipped', async () => {
  expect(await scheduleOf(httpAnswer(200, `\ufeff${json}`))).toEqual({ scheduleId: 's1' });
});

test.each([
  ['in one piece', [Buffer.concat([Buffer.from(interim), httpAnswer(200, json)])]],
  ['apart', [interim, httpAnswer(200, json)]],
  ['twice', [interim + interim, httpAnswer(200, json)]],
  ['in pieces', ['HTTP/1.', '1 10', '0 Continue\r\n\r', '\n', httpAnswer(200, json)]],
  ['followed by 103', [interim, 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', httpAnswer(200, json)]],
])('100 Continue %s is skipped', async (_, parts) => {
  expect(await scheduleOf(...parts)).toEqual({ scheduleId: 's1' });
});

test('an answer that begins in pieces is read', async () => {
  const answer = httpAnswer(200, json);

  expect(await scheduleOf(answer.subarray(0, 9), answer.subarray(9))).toEqual({ scheduleId: 's1' });
});

test('100 Continue comes with every call of a kept connection', async () => {
  const server = await wireServer((_, socket) =>
    socket.write(Buffer.concat([Buffer.from(interim), envelopeAnswer({ list: [] })])),
  );
  const client = testClient(server.origin);
  for (let i = 0; i < 3; i += 1) expect((await client.generations.list('s1')).list).toEqual([]);

  expect(server.connections()).toBeLessThanOrEqual(2);
});

test('100 Continue is skipped by the storage, too', async () => {
  const server = await wireServer((_, socket) =>
    socket.write(Buffer.concat([Buffer.from(interim), httpAnswer(200)])),
  );
  const put = { uploadUrl: `${server.origin}/x`, contentType: 'image/png', size: 1, body: Buffer.from('x') };

  await expect(testClient(server.origin).files.put(put)).resolves.toEqual({});
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity', Buffer.from],
  ['deflate, gzip', (text: string) => gzipSync(deflateSync(text))],
])('a body in %s is read', async (encoding, encode) => {
  const body = encode(json) as Buffer;

  expect(await scheduleOf(httpAnswer(200, body, { 'content-encoding': encoding }))).toEqual({
    scheduleId: 's1',
  });
});

test.each([
  ['an unknown encoding', 'compress', Buffer.from(json)],
  ['a broken encoding', 'gzip', Buffer.from(json)],
  ['too much in little', 'gzip', gzipSync(' '.repeat(8 * 1024 * 1024))],
])('%s is malformed', async (_, encoding, body) => {
  const answer = httpAnswer(200, body, { 'content-encoding': encoding });

  expect(await rejection(scheduleOf(answer))).toBeInstanceOf(MalformedAnswerError);
});

test('a body of one byte is not called too large', async () => {
  const answer = httpAnswer(200, Buffer.from([0x78]), { 'content-encoding': 'deflate' });

  expect(await rejection(scheduleOf(answer))).toMatchObject({
    message: expect.stringContaining('unknown encoding'),
  });
});

test('an encoded refusal is quoted', async () => {
  const body = gzipSync('{"code":9,"message":"no such model"}');
  const error = await rejection(scheduleOf(httpAnswer(400, body, { 'content-encoding': 'gzip' })));

  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ serviceMessage: 'no such model' });
});

test('no encoding is asked for', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [] })));
  await testClient(server.origin).generations.list('s1');

  expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
});
