import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createProbesApp, createReadinessCheck } from '../../../src/app/runtime/health.ts';
import { describeClock } from '../../../src/manifest/wording.ts';

const taking = async () => undefined;
const running = { areRunning: true, clockAheadMs: undefined };

describe('readiness', () => {
  it('holds while Redis answers and the workers run', async () => {
    const check = createReadinessCheck({ findRefusal: taking, workers: running });
    expect(await check()).toEqual({
      ready: true,
      redis: 'writable',
      checks: { redis: 'ok', workers: 'ok' },
    });
  });

  it('is not ready while something is wrong with the workers, and says what', async () => {
    const workers = { ...running, clockAheadMs: 50_000 };
    expect(await createReadinessCheck({ findRefusal: taking, workers })()).toEqual({
      ready: false,
      redis: 'writable',
      checks: { redis: 'ok', workers: 'ok', clock: describeClock(50_000) },
    });
  });

  it('needs no workers in a process without workers', async () => {
    expect(await createReadinessCheck({ findRefusal: taking })()).toEqual({
      ready: true,
      redis: 'writable',
      checks: { redis: 'ok' },
    });
  });

  it('ends when the workers stop', async () => {
    const check = createReadinessCheck({ findRefusal: taking, workers: { ...running, areRunning: false } });
    expect(await check()).toMatchObject({ ready: false, checks: { redis: 'ok', workers: 'not running' } });
  });

  it('ends when the connection to Redis ends', async () => {
    const check = createReadinessCheck({ findRefusal: () => Promise.reject(new Error('closed')) });
    expect(await check()).toEqual({ ready: false, redis: 'away', checks: { redis: 'not reachable' } });
  });

  it.for([
    ["OOM command not allowed when used memory > 'maxmemory'.", 'its memory is full'],
    ['MISCONF Errors writing to the AOF file: No space left on device', 'it cannot save to its disk'],
    ['NOREPLICAS Not enough good replicas to write.', 'too few replicas follow it'],
  ] as const)('ends while Redis takes no writes, and says why: %s', async ([reply, why]) => {
    const refusal = new (ReplyError as new (message: string) => Error)(reply);
    const check = createReadinessCheck({ findRefusal: async () => refusal });
    expect(await check()).toEqual({
      ready: false,
      redis: 'refusing',
      checks: { redis: `takes no writes: ${why}` },
    });
  });

  it('ends while Redis is silent, with one write for all probes, and comes back', async () => {
    const answer = Promise.withResolvers<undefined>();
    let writes = 0;
    const findRefusal = () => {
      writes += 1;
      return answer.promise;
    };
    const check = createReadinessCheck({ findRefusal, answerMs: 5 });
    const probes = await Promise.all(Array.from({ length: 50 }, check));
    expect(probes).toEqual(
      probes.map(() => ({ ready: false, redis: 'away', checks: { redis: 'no answer within 5 ms' } })),
    );
    expect(writes).toBe(1);
    answer.resolve(undefined);
    expect(await check()).toEqual({ ready: true, redis: 'writable', checks: { redis: 'ok' } });
  });
});

it('requests for what is not there, many at once over one connection, are answered without their path and without a warning', async (test) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  test.onTestFinished(() => void process.off('warning', note));
  const check = createReadinessCheck({ findRefusal: taking });
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
