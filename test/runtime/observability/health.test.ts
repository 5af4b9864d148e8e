import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createProbesApp, createReadinessCheck } from '../../../src/runtime/observability/health.ts';

const answering = async () => 'PONG';

describe('readiness', () => {
  it('holds while Redis answers and the workers run', async () => {
    const check = createReadinessCheck({ ping: answering, workersRun: () => true });
    expect(await check()).toEqual({ ready: true, checks: { redis: 'ok', workers: 'ok' } });
  });

  it('is not ready while something is wrong with the workers, and says what', async () => {
    const troubles = { keeper: 'has not run for 50 s' };
    const sources = { ping: answering, workersRun: () => true };
    expect(await createReadinessCheck({ ...sources, troubles: () => troubles })()).toEqual({
      ready: false,
      checks: { redis: 'ok', workers: 'ok', ...troubles },
    });
    expect(await createReadinessCheck({ ...sources, troubles: () => ({}) })()).toEqual({
      ready: true,
      checks: { redis: 'ok', workers: 'ok' },
    });
  });

  it('needs no workers in a process without workers', async () => {
    expect(await createReadinessCheck({ ping: answering })()).toEqual({
      ready: true,
      checks: { redis: 'ok' },
    });
  });

  it('ends when the workers stop', async () => {
    const check = createReadinessCheck({ ping: answering, workersRun: () => false });
    expect(await check()).toEqual({ ready: false, checks: { redis: 'ok', workers: 'not running' } });
  });

  it('ends when the connection to Redis ends', async () => {
    const check = createReadinessCheck({ ping: () => Promise.reject(new Error('closed')) });
    expect(await check()).toEqual({ ready: false, checks: { redis: 'not reachable' } });
  });

  it('ends while Redis is silent, with one ping for all probes, and comes back', async () => {
    const answer = Promise.withResolvers<string>();
    let pings = 0;
    const ping = () => {
      pings += 1;
      return answer.promise;
    };
    const check = createReadinessCheck({ ping, answerMs: 5 });
    const probes = await Promise.all(Array.from({ length: 50 }, check));
    expect(probes).toEqual(probes.map(() => ({ ready: false, checks: { redis: 'no answer within 5 ms' } })));
    expect(pings).toBe(1);
    answer.resolve('PONG');
    expect(await check()).toEqual({ ready: true, checks: { redis: 'ok' } });
  });
});

it('requests for what is not there, many at once over one connection, are answered without their path and without a warning', async (test) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  test.onTestFinished(() => void process.off('warning', note));
  const check = createReadinessCheck({ ping: answering });
  const app = createProbesApp(check, { contentType: 'text/plain', metrics: async () => '' });
  const server = app.listen(0, '127.0.0.1');
  test.onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const requests = ['/nowhere', '/%'].flatMap((path) =>
    Array.from({ length: 20 }, () => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`),
  );
  socket.write(`${requests.join('')}GET /healthz HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n`);
  const answers = await text(socket);
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual([...Array(40).fill('HTTP/1.1 404'), 'HTTP/1.1 200']);
  expect(answers).not.toContain('nowhere');
  expect(warnings).toEqual([]);
});
