import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepEnd } from '../../../src/ledger/transitions/steps.ts';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 1 };
const posted: StepEnd = {
  verdict: 'posted',
  result: { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7'], at: 1000 },
  assets: [],
};

async function runningRow(test: TestLedger) {
  const campaign = await test.campaign(1);
  await test.admit(campaign, [0]);
  return { campaign, row: 0, revision: 0 };
}

async function stateOf({ ledger }: TestLedger, campaign: string, row = 0) {
  const [status] = await ledger.rows.statuses(campaign, row, 1);
  return status;
}

describe('the send journal', () => {
  it('lets one attempt send, and records its post', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' })).toMatchObject({
      kind: 'go',
    });
    const reply = await steps.finish({
      ...ref,
      step: 'post',
      jobId: 'job',
      effect: 'post',
      token: 'a',
      end: posted,
    });
    expect(reply).toBe('ok');
    expect(await stateOf(test, ref.campaign)).toEqual({ state: 'posted', revision: 0 });
  });

  it('sends the row to review when another attempt finds `sending`', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' })).toEqual({ kind: 'unknown' });
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'review' });
  });

  it('removes the entry of an attempt that asks twice and may not send the second time', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps, campaigns } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await campaigns.pause(ref.campaign, { code: 'paused', message: 'by hand' });
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' })).toEqual({ kind: 'paused' });
    await campaigns.resume(ref.campaign);
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' })).toMatchObject({
      kind: 'go',
    });
  });

  it('whose entry was lost still sends a row to review when no answer came', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const attempt = { ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a' } as const;
    await test.ledger.steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await test.redis.hdel(test.ledger.keys.progress(ref.campaign, 0), 'journal:post');
    await test.ledger.steps.finish({ ...attempt, end: { verdict: 'review', error } });
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'review' });
  });

  it('lets the same attempt ask twice, as a command that was resent does', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' })).toMatchObject({
      kind: 'go',
    });
  });

  it('settles an unknown outcome by the late answer of the same attempt', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' });
    await steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end: posted });
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'posted' });
  });

  it('ignores the answer of an attempt that holds no entry', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    const late = {
      ...ref,
      step: 'post' as const,
      jobId: 'job',
      effect: 'post' as const,
      token: 'x',
      end: posted,
    };
    expect(await steps.finish(late)).toBe('stale');
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'running' });
  });

  it('allows a call again once it is known to have had no effect', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    const cleared = { verdict: 'cleared' } as const;
    await steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end: cleared });
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' })).toMatchObject({
      kind: 'go',
    });
  });

  it('lets a row go on that was given up before its attempt had sent', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' });
    // The answer to the first was lost in an outage: the same command is sent again.
    const late = await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    expect(late).toEqual({ kind: 'ended', state: 'review' });
    const cleared = { verdict: 'cleared' } as const;
    await steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end: cleared });
    expect(await stateOf(test, ref.campaign)).toEqual({ state: 'waiting', revision: 1 });
  });

  it('does not repeat a confirmed generation', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'gen1', token: 'a' });
    const record = { scheduleId: 's1', taskIds: [], outputs: 1, since: 0 };
    const end = { verdict: 'ok', fields: [['gen1', JSON.stringify(record)]] } as const;
    await steps.finish({ ...ref, step: 'generate', jobId: 'job', effect: 'gen1', token: 'a', end });
    const again = await steps.start({ ...stepStart(ref), effect: 'gen1', token: 'b' });
    expect(again).toMatchObject({ kind: 'known' });
  });

  it('lets a row in review go on by itself when its schedule id comes late', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'gen1', token: 'a' });
    await steps.start({ ...stepStart(ref), effect: 'gen1', token: 'b' });
    const record = { scheduleId: 's1', taskIds: [], outputs: 1, since: 0 };
    const end = { verdict: 'ok', fields: [['gen1', JSON.stringify(record)]] } as const;
    await steps.finish({ ...ref, step: 'generate', jobId: 'job', effect: 'gen1', token: 'a', end });
    expect(await stateOf(test, ref.campaign)).toEqual({ state: 'waiting', revision: 1 });
    expect((await test.ledger.rows.progress(ref.campaign, 0)).generations.get(1)).toEqual(record);
  });

  it('lets no other job send for a row that failed', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    const end = { verdict: 'failed', error } as const;
    await steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end });
    const other = await steps.start({ ...stepStart(ref, 'other'), effect: 'post', token: 'b' });
    expect(other).toEqual({ kind: 'ended', state: 'failed' });
  });

  it('revives a failed row only for the very job that failed it', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    const end = { verdict: 'failed', error } as const;
    await steps.finish({ ...ref, step: 'post', jobId: 'job', effect: 'post', token: 'a', end });
    const again = await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' });
    expect(again).toMatchObject({ kind: 'go', revived: true });
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'running' });
  });

  it('never lets two attempts be under way or succeed, in any order of events', async () => {
    const events = fc.array(
      fc.record({
        attempt: fc.integer({ min: 0, max: 3 }),
        what: fc.constantFrom('start', 'posted', 'cleared', 'failed', 'review', 'retry'),
      }),
      { maxLength: 30 },
    );
    const test = testLedger();
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        const ref = await runningRow(test);
        let revision = 0;
        let runs = 0;
        const sent = new Map<number, string>();
        let mayHavePosted = 0;
        for (const { attempt, what } of history) {
          const open = sent.get(attempt);
          if (what === 'start') {
            // A processor that starts again is another run, with a token of its own; the earlier one is lost.
            const token = `t${runs++}`;
            const verdict = await test.ledger.steps.start({
              ...stepStart({ ...ref, revision }),
              effect: 'post',
              token,
            });
            if (verdict.kind === 'go') {
              sent.set(attempt, token);
              mayHavePosted += 1;
            }
          } else if (what === 'retry') {
            const redone = await test.ledger.rows.redo(ref.campaign, [0]);
            if (redone.length > 0) {
              revision += 1;
              await test.admit(ref.campaign, [0]);
            }
          } else if (open) {
            const ends: Record<string, StepEnd> = {
              posted,
              cleared: { verdict: 'cleared' },
              failed: { verdict: 'failed', error },
              review: { verdict: 'review', error },
            };
            const end = ends[what] as StepEnd;
            await test.ledger.steps.finish({
              ...ref,
              revision,
              step: 'post',
              jobId: 'job',
              effect: 'post',
              token: open,
              end,
            });
            sent.delete(attempt);
            // Only a known lack of effect lets the call go out again.
            if (what === 'cleared' || what === 'failed') mayHavePosted -= 1;
          }
          expect(mayHavePosted).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('a call in doubt', () => {
  it('is reported before anything else, even if the creator is on hold', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps, creators } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await creators.openBreaker('default', 'creator', 'expired');
    expect(await steps.start({ ...stepStart(ref), effect: 'post', token: 'b' })).toEqual({ kind: 'unknown' });
  });

  it('sends a row to review that would otherwise end as failed', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps, rows } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await steps.finish({ ...ref, step: 'upload', jobId: 'other', end: { verdict: 'failed', error } });
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'review' });
    expect(await rows.errors(ref.campaign, [0])).toMatchObject([{ code: 'outcome_unknown' }]);
  });

  it('is decided by its answer even if the journal lost the entry', async () => {
    const test = testLedger();
    const ref = await runningRow(test);
    const { steps, keys } = test.ledger;
    await steps.start({ ...stepStart(ref), effect: 'post', token: 'a' });
    await test.redis.hdel(keys.progress(ref.campaign, 0), 'journal:post');
    const end = {
      ...ref,
      step: 'post' as const,
      jobId: 'job',
      effect: 'post' as const,
      token: 'a',
      end: posted,
    };
    expect(await steps.finish(end)).toBe('ok');
    expect(await stateOf(test, ref.campaign)).toMatchObject({ state: 'posted' });
  });
});
