/** How the client reports failed connections: it is certain whether a call was sent. */
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { NotSentError, OutcomeUnknownError, TooLateError } from '../../../src/service/errors.ts';
import { rejection, somePost, testClient } from '../../support/client.ts';
import { freePort } from '../../support/ports.ts';
import { envelopeAnswer, wireServer } from '../../support/wire-server.ts';

const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

/** An answer that no call asked for. */
const stray = envelopeAnswer({ list: [{ taskId: 'stray', status: 'PENDING' }], postId: 'stray' });

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
  await client.generations.list('s1');

  expect(await rejection(client.generations.list('s1'))).toBeInstanceOf(OutcomeUnknownError);
  expect(server.requests).toHaveLength(2);
});

/** A server that notes the connection of each call, and answers posts and generations alike. */
async function countingServer() {
  const sockets: Socket[] = [];
  const server = await wireServer((_request, socket) => {
    sockets.push(socket);
    socket.write(envelopeAnswer({ list: [], postId: 'p', scheduleId: 's' }));
  });
  return { server, sockets };
}

test('calls that must not be repeated get a connection each, before and after other calls', async () => {
  const { server, sockets } = await countingServer();
  const { generations, posts } = testClient(server.origin);
  await generations.list('s1');
  await generations.create(generation);
  await posts.create(somePost);
  await generations.list('s1');
  await posts.create(somePost);

  const [tasks, generated, posted, again, postedAgain] = sockets;
  expect(new Set([tasks, generated, posted, postedAgain]).size).toBe(4);
  expect([generated, posted, postedAgain]).not.toContain(again);
  expect(server.requests[1]?.headers.connection).toBe('close');
});

test('after such a call, and for what reads its answer, errors have stacks', async () => {
  const server = await wireServer((_request, socket) => socket.write(envelopeAnswer({}, 9)));
  const { posts } = testClient(server.origin);
  const refused = (await rejection(posts.create(somePost))) as Error;

  expect(refused.stack).toMatch(/\n +at .*answer\.ts/);
  expect(new Error('of the test').stack).toMatch(/\n +at .*connections\.test\.ts/);
});

/** A server whose side of a connection is gone once it has answered, as a client finds out with its next call. */
function forgetfulServer(late: (socket: Socket, answer: Buffer) => void) {
  const used = new WeakSet<Socket>();
  return wireServer((_request, socket) => {
    const answer = envelopeAnswer({ list: [], postId: 'p', scheduleId: 's' });
    if (used.has(socket)) late(socket, answer);
    else socket.write(answer);
    used.add(socket);
  });
}

test('a server that resets idle connections leaves no call of unknown outcome that must not be repeated', async () => {
  const server = await forgetfulServer((socket) => socket.resetAndDestroy());
  const { posts } = testClient(server.origin);
  const inRow = async () => {
    for (let i = 0; i < 50; i += 1) await posts.create(somePost);
  };
  await Promise.all([inRow(), inRow(), inRow(), inRow()]);

  expect(server.requests).toHaveLength(200);
});

test('an extra answer that crosses the next call is not credited to a post', async () => {
  const server = await forgetfulServer((socket, answer) => socket.write(Buffer.concat([stray, answer])));
  const { posts } = testClient(server.origin);
  for (let i = 0; i < 5; i += 1) expect((await posts.create(somePost)).postId).toBe('p');
});

test.each([
  ['in the same piece', (socket: Socket, answer: Buffer) => socket.write(Buffer.concat([answer, stray]))],
  ['a moment later', (socket: Socket, answer: Buffer) => socket.write(answer, () => socket.write(stray))],
])('an extra answer that comes %s is credited to nobody', async (_, send) => {
  let count = 0;
  const server = await wireServer((_request, socket) => {
    count += 1;
    send(socket, envelopeAnswer({ list: [{ taskId: `t${count}`, status: 'PENDING' }], postId: `p${count}` }));
  });
  const { generations, posts } = testClient(server.origin);
  const seen: (string | undefined)[] = [];
  for (let i = 0; i < 10; i += 1) {
    seen.push((await generations.list('s1')).list[0]?.taskId);
    seen.push((await posts.create(somePost)).postId);
  }

  expect(seen).toEqual(seen.map((_id, index) => `${index % 2 === 0 ? 't' : 'p'}${index + 1}`));
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

test('a call that is too late when its first byte would leave: not a byte of it leaves', async () => {
  const closed = Promise.withResolvers<number>();
  const server = await wireServer(
    () => undefined,
    (socket) => socket.on('close', () => closed.resolve(socket.bytesRead)),
  );
  // Late only once it is connected.
  const isTooLate = () => server.connections() === 1;
  const made = testClient(server.origin).generations.create(generation, { isTooLate });

  expect(await rejection(made)).toBeInstanceOf(TooLateError);
  expect(await closed.promise).toBe(0);
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
  for (let i = 0; i < 20; i += 1) await client.generations.list('s1', { signal });

  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
