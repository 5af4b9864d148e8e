import { describe, expect, it } from 'vitest';
import { createReadinessCheck } from '../../../src/runtime/observability/health.ts';

const answering = async () => 'PONG';

describe('readiness', () => {
  it('holds while Redis answers and the workers run', async () => {
    const check = createReadinessCheck({ ping: answering, workersRun: () => true });
    expect(await check()).toEqual({ ready: true, checks: { redis: 'ok', workers: 'ok' } });
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
