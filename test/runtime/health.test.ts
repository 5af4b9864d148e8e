import { describe, expect, it } from 'vitest';
import { createReadinessCheck } from '../../src/runtime/health.ts';

const answering = async () => 'PONG';

describe('readiness', () => {
  it('is there when Redis answers and the workers run', async () => {
    const check = createReadinessCheck({ ping: answering, workersRun: () => true });
    expect(await check()).toEqual({ ready: true, checks: { redis: 'ok', workers: 'ok' } });
  });

  it('asks for no workers where there are to be none', async () => {
    expect(await createReadinessCheck({ ping: answering })()).toEqual({
      ready: true,
      checks: { redis: 'ok' },
    });
  });

  it('is gone when the workers stop', async () => {
    const check = createReadinessCheck({ ping: answering, workersRun: () => false });
    expect(await check()).toEqual({ ready: false, checks: { redis: 'ok', workers: 'not running' } });
  });

  it('is gone when the connection to Redis has ended', async () => {
    const check = createReadinessCheck({ ping: () => Promise.reject(new Error('closed')) });
    expect(await check()).toEqual({ ready: false, checks: { redis: 'not reachable' } });
  });

  it('is gone while Redis is silent, which is asked once however many probes come, and comes back', async () => {
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
