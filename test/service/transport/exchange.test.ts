import { Agent, RetryAgent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../../src/service/transport/exchange.ts';
import { rejection } from '../../support/client.ts';
import { patienceMs } from '../../support/events.ts';
import { wireServer } from '../../support/wire-server.ts';

test('a request is written once, even by a dispatcher that would repeat it', async () => {
  const server = await wireServer((_, socket) => socket.resetAndDestroy());
  const agent = new RetryAgent(new Agent(), {
    methods: ['POST'],
    minTimeout: 1,
    maxTimeout: 1,
    maxRetries: 3,
  });
  onTestFinished(() => agent.close());
  const request = { origin: server.origin, method: 'POST', path: '/', headers: [], body: 'x' } as const;
  const error = await rejection(exchange(agent, request, { timeoutMs: patienceMs, maxBytes: 100 }));

  expect(error).toMatchObject({ name: 'NoAnswerError', sent: true });
  expect(server.requests).toHaveLength(1);
});
