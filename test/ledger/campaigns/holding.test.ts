import { describe, expect, it } from 'vitest';
import { retryNow, stepStart, testLedger } from '../../support/ledger.ts';
import { end, numbers } from './end-rows.ts';

describe('a canary', () => {
  it('limits the rows admitted', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 2 });
    await test.admit(id, [0, 1, 2]);
    expect((await test.ledger.campaigns.find(id))?.counts).toMatchObject({ waiting: 5, running: 0 });
    await test.admit(id, [0, 1]);
    await test.admit(id, [2]);
    expect((await test.ledger.campaigns.find(id))?.counts).toMatchObject({ waiting: 3, running: 2 });
  });

  it('pauses the campaign once its rows have ended, and not before', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 2 });
    await test.admit(id, [0, 1]);
    await end(test, id, [0], 'posted');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'running', canaryWindow: 0 });
    await end(test, id, [1], 'failed');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      state: 'paused',
      pauseReason: { code: 'canary' },
      canaryWindow: undefined,
    });
  });

  it('does not pause again once the campaign is resumed', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 1 });
    await test.admit(id, [0]);
    await end(test, id, [0], 'posted');
    expect((await test.ledger.campaigns.find(id))?.pauseReason?.message).toMatch(
      /^The first row has ended\./,
    );
    expect(await test.ledger.campaigns.resume(id)).toBe('running');
    await test.admit(id, [1, 2]);
    await end(test, id, [1, 2], 'posted');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('still pauses a campaign that was paused by hand while its rows ended', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 1 });
    await test.admit(id, [0]);
    await test.ledger.steps.start({
      ...stepStart({ campaign: id, row: 0, revision: 0 }),
      effect: 'post',
      token: 't0',
    });
    await test.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
    await end(test, id, [0], 'failed');
    expect((await test.ledger.campaigns.find(id))?.pauseReason?.code).toBe('paused');
    expect(await test.ledger.campaigns.resume(id)).toBe('paused');
    expect((await test.ledger.campaigns.find(id))?.pauseReason?.code).toBe('canary');
    expect(await test.ledger.campaigns.resume(id)).toBe('running');
  });

  it('keeps who paused it, who resumed it, and who released its canary', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 1 });
    const hands = async () => {
      const { pausedBy, released } = (await test.ledger.campaigns.find(id)) ?? expect.unreachable();
      return { pausedBy, released };
    };
    await test.admit(id, [0]);
    await end(test, id, [0], 'failed');
    await test.ledger.campaigns.resume(id, 'anna');
    const released = { did: 'released', by: 'anna', at: expect.any(Number) };
    expect(await hands()).toEqual({ pausedBy: undefined, released });
    const reason = { code: 'paused', message: 'by hand' };
    await test.ledger.campaigns.pause(id, reason, 'ben');
    expect(await hands()).toMatchObject({ pausedBy: { did: 'paused', by: 'ben' }, released });
    // Only the first of two pauses counts.
    await test.ledger.campaigns.pause(id, reason, 'cleo');
    expect(await hands()).toMatchObject({ pausedBy: { by: 'ben' } });
    await test.ledger.campaigns.resume(id, 'cleo');
    expect(await hands()).toMatchObject({ pausedBy: { did: 'resumed', by: 'cleo' }, released });
    await test.ledger.campaigns.pause(id, { code: 'key_refused', message: '401' });
    expect(await hands()).toEqual({ pausedBy: undefined, released });
  });

  it('names nobody who paused it when the runner has', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(20));
    await test.ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' }, 'anna');
    await test.ledger.campaigns.resume(id, 'anna');
    await end(test, id, numbers(20), 'failed');
    const campaign = await test.ledger.campaigns.find(id);
    expect(campaign).toMatchObject({ pauseReason: { code: 'stop_after' }, pausedBy: undefined });
  });

  it('takes another row in place of one that a person has cancelled', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 2 });
    await test.ledger.rows.cancelOne(id, { row: 0, revision: 0 }, 'mei');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ canaryWindow: 2 });
    await test.admit(id, [1, 2]);
    await end(test, id, [1], 'posted');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'running', canaryWindow: 0 });
    await end(test, id, [2], 'posted');
    const { pauseReason } = (await test.ledger.campaigns.find(id)) ?? {};
    expect(pauseReason?.message).toMatch(/^The first 2 rows have ended\./);
  });

  it('waits for no row that was cancelled at its gate, and does not count it', async () => {
    const test = testLedger();
    const id = await test.campaign(5, { canary: 2 });
    await test.admit(id, [0, 1]);
    const gate = { name: 'unapproved', at: test.clock.now } as const;
    const ref = { campaign: id, row: 0, revision: 0 };
    const closed = { verdict: 'ready', gate, fields: [] } as const;
    await test.ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end: closed });
    await end(test, id, [1], 'posted');
    await test.ledger.rows.cancelOne(id, ref, 'mei');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'running', canaryWindow: 1 });
    await test.admit(id, [2]);
    await end(test, id, [2], 'failed');
    expect((await test.ledger.campaigns.find(id))?.pauseReason?.code).toBe('canary');
  });

  it('lets a campaign end that has no more rows', async () => {
    const test = testLedger();
    const id = await test.campaign(2, { canary: 2 });
    await test.admit(id, [0, 1]);
    await end(test, id, [0, 1], 'posted');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('ended');
  });
});

describe('the time at work', () => {
  it('begins with the first row, and leaves out pauses and the time between an end and a retry', async () => {
    const test = testLedger();
    const { campaigns } = test.ledger;
    const id = await test.campaign(2);
    const later = (seconds: number) => {
      test.clock.now += seconds * 1000;
    };
    later(100_000);
    await test.admit(id, [0, 1]);
    later(3);
    await campaigns.pause(id, { code: 'paused', message: 'by hand' });
    later(50_000);
    await campaigns.resume(id);
    later(4);
    await end(test, id, [0], 'posted');
    await end(test, id, [1], 'failed');
    expect(await campaigns.find(id)).toMatchObject({ state: 'ended', workedMs: 7000 });
    later(90_000);
    await retryNow(test.ledger, id, [1]);
    later(2);
    await test.admit(id, [1]);
    await end(test, id, [1], 'posted', 1);
    expect(await campaigns.find(id)).toMatchObject({ state: 'ended', workedMs: 9000 });
  });
});

describe('creators who lack a permission', () => {
  /** A campaign of running rows, and a function that counts creators one after the other. */
  async function counted() {
    const test = testLedger();
    const id = await test.campaign(3);
    await test.admit(id, [0, 1, 2]);
    const { campaigns } = test.ledger;
    const count = async (creators: readonly string[], step: 'post' | 'upload' = 'post') => {
      const counts: number[] = [];
      for (const creator of creators) counts.push(await campaigns.countForbidden(id, step, creator));
      return counts;
    };
    return { ...test, test, id, count };
  }

  it('count once each, however often they are refused', async () => {
    const { count } = await counted();
    expect(await count(['a', 'a', 'b', 'a', 'b', 'c'])).toEqual([1, 1, 2, 2, 2, 3]);
  });

  it('count by step', async () => {
    const { count } = await counted();
    await count(['a', 'b']);
    expect(await count(['c'], 'upload')).toEqual([1]);
    expect(await count(['c'])).toEqual([3]);
  });

  it('count from zero after a success of the step, and of no other one', async () => {
    const { test, ledger, id, count } = await counted();
    await count(['a', 'b']);
    const step = { campaign: id, row: 1, revision: 0, step: 'upload' as const, jobId: 'job' };
    await ledger.steps.finish({ ...step, end: { verdict: 'ok', fields: [['file:0', '7']] } });
    expect(await count(['b'])).toEqual([2]);
    await end(test, id, [0], 'posted');
    expect(await count(['b', 'a'])).toEqual([1, 2]);
  });

  it('count from zero after a resume', async () => {
    const { ledger, clock, id, count } = await counted();
    await count(['a', 'b']);
    await ledger.campaigns.pause(id, { code: 'refused_for_everyone', message: '403' });
    clock.now += 1;
    await ledger.campaigns.resume(id);
    expect(await count(['c', 'a'])).toEqual([1, 2]);
  });

  it('are no more than a few in the record, and leave none for a campaign that is gone', async () => {
    const { ledger, redis, id, count } = await counted();
    await count(numbers(50).map((number) => `creator\n${number}`));
    const field = await redis.hget(ledger.keys.campaign(id), 'forbidden:post');
    expect(field?.split('\n')).toHaveLength(11);
    expect(await ledger.campaigns.countForbidden('c99', 'post', 'a')).toBe(0);
    expect(await redis.exists(ledger.keys.campaign('c99'))).toBe(0);
  });
});
