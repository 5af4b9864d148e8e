import { describe, expect, it } from 'vitest';
import { retryNow, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 5 };
const result = { postId: 'p', postStatus: '', fileIds: [], at: 5 };

/** Ends running rows of a revision. */
async function end(
  { ledger }: TestLedger,
  campaign: string,
  rows: readonly number[],
  as: 'posted' | 'failed' | 'review',
  revision = 0,
): Promise<void> {
  for (const row of rows) {
    const ref = { campaign, row, revision };
    const token = `t${row}`;
    if (as === 'failed') {
      const finish = { ...ref, step: 'upload' as const, jobId: 'job' };
      await ledger.steps.finish({ ...finish, end: { verdict: 'failed', error } });
      continue;
    }
    await ledger.steps.start({ ...stepStart(ref), effect: 'post', token });
    const finish = { ...ref, step: 'post' as const, jobId: 'job', effect: 'post' as const, token };
    await ledger.steps.finish(
      as === 'posted'
        ? {
            ...finish,
            end: { verdict: 'posted', result: { ...result, postId: `p${row}-${revision}` }, assets: [] },
          }
        : { ...finish, end: { verdict: 'review', error } },
    );
  }
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

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
    expect(await test.ledger.campaigns.find(id)).toMatchObject({ state: 'running', canaryRoom: 0 });
    await end(test, id, [1], 'failed');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      state: 'paused',
      pauseReason: { code: 'canary' },
      canaryRoom: undefined,
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

  it('lets a campaign end that has no more rows', async () => {
    const test = testLedger();
    const id = await test.campaign(2, { canary: 2 });
    await test.admit(id, [0, 1]);
    await end(test, id, [0, 1], 'posted');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('ended');
  });
});

describe('stop-after', () => {
  it('pauses when more than its percentage of at least twenty rows failed or needs a decision', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(17), 'posted');
    await end(test, id, [17], 'failed');
    await end(test, id, [18], 'review');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
    await end(test, id, [19], 'failed');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      state: 'paused',
      pauseReason: { code: 'stop_after', message: expect.stringContaining('3 of 20 ended rows') },
    });
  });

  it('does not judge fewer than twenty rows', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(19), 'failed');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('allows exactly its percentage', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 50 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(10), 'posted');
    await end(test, id, numbers(10, 10), 'failed');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('counts from zero once the campaign is resumed', async () => {
    const test = testLedger();
    const id = await test.campaign(60, { stopAfter: 10 });
    await test.admit(id, numbers(50));
    await end(test, id, numbers(20), 'failed');
    expect(await test.ledger.campaigns.resume(id)).toBe('running');
    await end(test, id, numbers(19, 20), 'failed');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
    await end(test, id, [39], 'failed');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('paused');
  });
});

describe('stop-after and rows that end more than once', () => {
  it('counts a row that fails again once', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(10));
    await end(test, id, numbers(10), 'failed');
    await retryNow(test.ledger, id, numbers(10));
    await test.admit(id, numbers(10));
    await end(test, id, numbers(10), 'failed', 1);
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
  });

  it('counts a row that failed and was posted at the retry as posted', async () => {
    const test = testLedger();
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(3), 'failed');
    await retryNow(test.ledger, id, numbers(3));
    await test.admit(id, numbers(3));
    await end(test, id, numbers(3), 'posted', 1);
    await end(test, id, numbers(15, 3), 'posted');
    await end(test, id, [18, 19], 'failed');
    expect((await test.ledger.campaigns.find(id))?.state).toBe('running');
    await end(test, id, [20], 'failed');
    expect(await test.ledger.campaigns.find(id)).toMatchObject({
      pauseReason: { message: expect.stringContaining('3 of 21 ended rows') },
    });
  });

  it('does not count rows down that failed before the resume', async () => {
    const test = testLedger();
    const id = await test.campaign(60, { stopAfter: 10 });
    await test.admit(id, numbers(50));
    await end(test, id, numbers(20), 'failed');
    test.clock.now += 1000;
    await test.ledger.campaigns.resume(id);
    await retryNow(test.ledger, id, numbers(20));
    await test.admit(id, numbers(20));
    await end(test, id, numbers(17), 'posted', 1);
    await end(test, id, numbers(3, 17), 'failed', 1);
    expect((await test.ledger.campaigns.find(id))?.state).toBe('paused');
  });
});

describe('stop-after and a decision that is taken back', () => {
  it.for([
    ['posted', { kind: 'posted', result: { ...result, postId: 'by-hand' }, assets: [] }],
    ['again', { kind: 'again', fields: [] }],
    ['failed', { kind: 'failed', error }],
  ] as const)('counts the row as before: %s', async ([, decision]) => {
    const test = testLedger();
    const { decisions, campaigns } = test.ledger;
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(17), 'posted');
    await end(test, id, [17, 18], 'review');
    for (const _again of numbers(3)) {
      const [status] = await test.ledger.rows.statusesOf(id, [18]);
      const ref = { campaign: id, row: 18, revision: status?.revision ?? 0 };
      await decisions.decide(ref, 'post', decision);
      expect(await decisions.undo(id, 18)).toMatchObject({ kind: 'undone' });
    }
    await end(test, id, [19], 'failed');
    expect((await campaigns.find(id))?.pauseReason?.message).toContain('3 of 20 ended rows');
  });

  it('does not count a row that ended before the resume', async () => {
    const test = testLedger();
    const { decisions, campaigns } = test.ledger;
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, [0], 'review');
    await decisions.decide({ campaign: id, row: 0, revision: 0 }, 'post', { kind: 'again', fields: [] });
    await campaigns.pause(id, { code: 'paused', message: 'by hand' });
    test.clock.now += 1000;
    await campaigns.resume(id);
    await decisions.undo(id, 0);
    await end(test, id, numbers(20, 1), 'failed');
    expect((await campaigns.find(id))?.pauseReason?.message).toContain('20 of 20 ended rows');
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
