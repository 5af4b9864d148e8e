/** Answers that are malformed, cut, too large, or lead elsewhere. */
import { expect, test } from 'vitest';
import { MalformedAnswerError, OutcomeUnknownError, RefusedError } from '../../../src/service/errors.ts';
import { rejection, somePost, testClient, testKey } from '../../support/client.ts';
import { envelopeAnswer, httpAnswer, wireServer } from '../../support/wire-server.ts';
import { failedCreation, someGeneration } from './failed-creation.ts';

test.each([
  ['HTML', httpAnswer(200, '<html>Welcome</html>')],
  ['nothing', httpAnswer(200)],
  ['no content', httpAnswer(204)],
  ['half of the JSON', httpAnswer(200, '{"code":0,"data":{"schedul')],
  ['a list', httpAnswer(200, '[]')],
  ['null', httpAnswer(200, 'null')],
  ['no code', httpAnswer(200, '{"data":{"scheduleId":"s1"}}')],
  ['a code that is a text', httpAnswer(200, '{"code":"0","data":{"scheduleId":"s1"}}')],
  ['no data', httpAnswer(200, '{"code":0,"message":"ok"}')],
  ['data that is null', envelopeAnswer(null)],
  ['an id that is null', envelopeAnswer({ scheduleId: null })],
  ['an empty id', envelopeAnswer({ scheduleId: '' })],
  ['chunks that are none', Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\nnope')],
])('a success with %s is malformed, and its outcome unknown', async (_, answer) => {
  const error = await failedCreation(answer);

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect(error).toBeInstanceOf(OutcomeUnknownError);
});

test('a missing field is named', async () => {
  const error = await failedCreation(envelopeAnswer({ taskIds: [] }));

  expect((error as Error).message).toContain('data.scheduleId');
});

test('a post answered without its id is malformed, because it exists', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ status: 'SCHEDULED' })));
  const error = await rejection(testClient(server.origin).posts.create(somePost));

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect((error as Error).message).toContain('data.postId');
});

test('ids beyond 2^53 that should be texts keep their digits', async () => {
  const body = '{"code":0,"data":{"scheduleId":"s1","taskIds":[7123456789012345678]}}';
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, body)));
  const schedule = await testClient(server.origin).generations.create(someGeneration);

  expect(schedule).toMatchObject({ scheduleId: 's1', taskIds: ['7123456789012345678'] });
});

test('a message or a time of an odd type does not spoil the answer', async () => {
  const body = '{"code":0,"message":["ok"],"timestamp":"2026-11-20","data":{"scheduleId":"s1"}}';
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, body)));

  expect(await testClient(server.origin).generations.create(someGeneration)).toMatchObject({
    scheduleId: 's1',
  });
});

test('half a body is malformed', async () => {
  const error = await failedCreation((_, socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"code":0');
  });

  expect(error).toBeInstanceOf(MalformedAnswerError);
});

test('a status holds although the body is incomplete', async () => {
  const error = await failedCreation((_, socket) => {
    socket.end('HTTP/1.1 400 Bad\r\ncontent-length: 500\r\n\r\n{"code":1,"message":"no such model"}');
  });

  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ serviceMessage: 'no such model' });
});

test('an answer that says it is larger than the cap is not read', async () => {
  const error = await failedCreation(httpAnswer(200, ' '.repeat(2000)), { maxAnswerBytes: 1000 });

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect((error as Error).message).toContain('too large');
});

test('an answer that grows beyond the cap is cut off, and its connection with it', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const error = await failedCreation(
    (_, socket) => {
      socket.on('close', () => resolve());
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const pour = (): void => {
        if (socket.writable) socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`, () => setImmediate(pour));
      };
      pour();
    },
    { maxAnswerBytes: 100_000 },
  );

  expect(error).toBeInstanceOf(MalformedAnswerError);
  await closed;
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, and the key goes nowhere',
  async (status) => {
    const elsewhere = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));
    const error = await failedCreation(httpAnswer(status, '', { location: `${elsewhere.origin}/v1/stolen` }));

    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect((error as Error).message).toContain('redirect');
    expect(elsewhere.connections()).toBe(0);
  },
);

test.each([
  ['an envelope', envelopeAnswer({}, 9, 400, `key ${testKey} is odd`)],
  ['a text at the cut', httpAnswer(400, `${'x'.repeat(290)}${testKey}`)],
  ['broken HTTP', Buffer.from(`HTTP/1.1 ${testKey}\r\n\r\n`)],
])('a key echoed in %s is not handed on', async (_, answer) => {
  const error = await failedCreation(answer);

  expect(texts(error)).not.toContain(testKey.slice(0, 8));
});

/** Every text in an error and what caused it, hidden fields too. */
function texts(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.getOwnPropertyNames(value)
    .map((name) => texts((value as Record<string, unknown>)[name]))
    .join('\n');
}
