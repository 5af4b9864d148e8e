/** How the client reports failed connections: it is certain whether a call was sent. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { NotSentError, OutcomeUnknownError } from '../../src/api/errors.ts';
import { rejection, testClient } from '../support/client.ts';
import { freePort } from '../support/ports.ts';
import { envelopeAnswer, wireServer } from '../support/wire-server.ts';

const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

function failedCreation(origin: string, timeoutMs = 5000, signal?: AbortSignal): Promise<unknown> {
  return rejection(testClient(origin, { timeoutMs }).generations.create(generation, { signal }));
}

test('a refused connection: not sent', async () => {
  const error = await failedCreation(`http://127.0.0.1:${await freePort()}`);

  expect(error).toBeInstanceOf(NotSentError);
  expect((error as Error).message).toContain('ECONNREFUSED');
});

test('a host without an address: not sent', async () => {
  expect(await failedCreation('http://no-such-host.invalid')).toBeInstanceOf(NotSentError);
});

test('a failed TLS handshake: not sent', async () => {
  const server = await wireServer(
    () => undefined,
    (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );

  expect(await failedCreation(`https://127.0.0.1:${server.port}`)).toBeInstanceOf(NotSentError);
});

test('a deadline that passes before the connection is made: not sent', async () => {
  // It takes the connection and never answers the TLS handshake.
  const server = await wireServer(() => undefined);

  expect(await failedCreation(`https://127.0.0.1:${server.port}`, 100)).toBeInstanceOf(NotSentError);
});

test.each([
  ['a reset', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
  ['a FIN', (socket: { end(): void }) => socket.end()],
])('%s instead of an answer: the outcome is unknown', async (_, end) => {
  const server = await wireServer((_request, socket) => void end(socket));
  const error = await failedCreation(server.origin);

  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(server.requests).toHaveLength(1);
});

test('a call reset on a reused connection is not repeated', async () => {
  let count = 0;
  const server = await wireServer((_request, socket) => {
    count += 1;
    if (count === 1) socket.write(envelopeAnswer({ list: [] }));
    else socket.resetAndDestroy();
  });
  const client = testClient(server.origin);
  await client.generations.tasks('s1');

  expect(await rejection(client.generations.create(generation))).toBeInstanceOf(OutcomeUnknownError);
  expect(server.requests).toHaveLength(2);
});

test('no answer before the deadline: the outcome is unknown', async () => {
  const server = await wireServer(() => undefined);

  expect(await failedCreation(server.origin, 200)).toBeInstanceOf(OutcomeUnknownError);
});

test('a body that trickles does not outlast the deadline', async () => {
  const server = await wireServer((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(timer));
  });

  expect(await failedCreation(server.origin, 300)).toBeInstanceOf(OutcomeUnknownError);
});

test('a call given up beforehand is not sent', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));

  expect(await failedCreation(server.origin, 5000, AbortSignal.abort())).toBeInstanceOf(NotSentError);
  expect(server.connections()).toBe(0);
});

test('a call given up after it was sent: the outcome is unknown', async () => {
  const controller = new AbortController();
  const server = await wireServer(() => controller.abort());

  expect(await failedCreation(server.origin, 5000, controller.signal)).toBeInstanceOf(OutcomeUnknownError);
});

test('calls leave no listeners on the signal', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ list: [] })));
  const client = testClient(server.origin);
  const { signal } = new AbortController();
  for (let i = 0; i < 20; i += 1) await client.generations.tasks('s1', { signal });

  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
