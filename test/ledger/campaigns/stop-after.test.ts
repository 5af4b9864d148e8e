import { describe, expect, it } from 'vitest';
import { undoWindowMs } from '../../../src/ledger/transitions/decisions.ts';
import { retryNow, stepStart, testLedger } from '../../support/ledger.ts';
import { end, error, numbers, result } from './end-rows.ts';

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

  it('counts a row that the decision showed to be posted twice as before', async () => {
    const test = testLedger();
    const { decisions, steps, admission, campaigns } = test.ledger;
    const id = await test.campaign(40, { stopAfter: 10 });
    await test.admit(id, numbers(30));
    await end(test, id, numbers(17), 'posted');
    const [first, second] = [0, 1].map((revision) => ({ campaign: id, row: 18, revision }));
    if (!first || !second) expect.unreachable();
    await end(test, id, [17, 18], 'review');
    await decisions.decide(first, 'post', { kind: 'again', fields: [] });
    test.clock.now += undoWindowMs;
    await admission.releaseHeld(id);
    await test.admit(id, [18]);
    await steps.start({ ...stepStart(second), effect: 'post', token: 'second' });
    const late = { verdict: 'posted', result: { ...result, postId: 'late' }, assets: [] } as const;
    const call = { step: 'post', jobId: 'job', effect: 'post' } as const;
    await steps.finish({ ...first, ...call, token: 't18', end: late });
    await steps.finish({ ...second, ...call, token: 'second', end: { verdict: 'review', error } });
    for (const _again of numbers(3)) {
      const named = { kind: 'posted', result: { ...result, postId: 'by-hand' }, assets: [] } as const;
      expect(await decisions.decide(second, 'post', named)).toMatchObject({ state: 'review' });
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
