/** How calls are observed, and how they are cut off. */
import { expect, test } from 'vitest';
import { OutcomeUnknownError } from '../../src/service/errors.ts';
import type { ObservedCall } from '../../src/service/transport/transport.ts';
import { rejection, testClient } from '../support/client.ts';
import { freePort } from '../support/ports.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

const page = { pageSize: 1, pageNumber: 1 };
const operation = 'listCreatorAccounts';

async function observed(origin: string): Promise<readonly ObservedCall[]> {
  const calls: ObservedCall[] = [];
  const client = testClient(origin, { timeoutMs: 500, observe: (call) => void calls.push(call) });
  await client.creators.list(page).catch(() => undefined);
  return calls;
}

test('every answer is observed with its status and date', async () => {
  const date = 'Mon, 01 Jun 2026 12:00:00 GMT';
  const server = await wireServer((_request, socket) => void socket.end(httpAnswer(500, '', { date })));
  expect(await observed(server.origin)).toEqual([{ operation, kind: 'answered', status: 500, date }]);
});

test('a 429 is observed as throttled', async () => {
  const server = await wireServer((_request, socket) => void socket.end(httpAnswer(429)));
  expect(await observed(server.origin)).toMatchObject([{ operation, kind: 'throttled' }]);
});

test.each([
  ['a refused connection', async () => `http://127.0.0.1:${await freePort()}`],
  ['a reset', async () => (await wireServer((_request, socket) => socket.resetAndDestroy())).origin],
  ['a deadline that passes', async () => (await wireServer(() => undefined)).origin],
])('%s is told as no answer, with the reason', async (_, open) => {
  expect(await observed(await open())).toMatchObject([
    { operation, kind: 'unanswered', reason: expect.stringContaining(operation) },
  ]);
});

test('calls that are cut off end at once, and are not observed', async () => {
  const calls: ObservedCall[] = [];
  const asked = Promise.withResolvers<void>();
  const server = await wireServer(() => asked.resolve());
  const client = testClient(server.origin, { timeoutMs: 600_000, observe: (call) => void calls.push(call) });
  const failed = rejection(client.creators.list(page));
  await asked.promise;
  await client.cutOff();
  expect(await failed).toBeInstanceOf(OutcomeUnknownError);
  expect(calls).toEqual([]);
});
