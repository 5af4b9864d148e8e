import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StepEnd } from '../../../src/ledger/transitions/step-outcomes.ts';
import { sendWithinMs } from '../../../src/ledger/transitions/steps.ts';
import { retryNow, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const error = { step: 'post' as const, code: 'http_400', message: 'no', at: 1 };
const posted: StepEnd = {
  verdict: 'posted',
  result: { postId: 'p1', postStatus: 'SCHEDULED', fileIds: ['7'], at: 1000 },
  assets: [],
};

const cleared: StepEnd = { verdict: 'cleared' };
const failed: StepEnd = { verdict: 'failed', error };
const review: StepEnd = { verdict: 'review', error };
const generation = { scheduleId: 's1', taskIds: [], outputs: 1, since: 0 };
const generated: StepEnd = { verdict: 'ok', fields: [['gen1', JSON.stringify(generation)]] };

/** A campaign whose only row runs, with attempts to send its post. An attempt is named by its token. */
async function runningRow(test: TestLedger = testLedger()) {
  const { steps, rows, keys } = test.ledger;
  const campaign = await test.campaign(1);
  await test.admit(campaign, [0]);
  const ref = { campaign, row: 0, revision: 0 };
  const post = { effect: 'post', revision: 0 } as const;
  return {
    ...test,
    ref,
    /** Asks whether the attempt may send. */
    start: (token: string, { effect, revision }: Sending = post, jobId = 'job') =>
      steps.start({ ...stepStart({ ...ref, revision }, jobId), effect, token }),
    finish: (token: string, end: StepEnd, { effect, revision }: Sending = post) => {
      const step = effect === 'post' ? 'post' : 'generate';
      return steps.finish({ ...ref, revision, step, jobId: 'job', effect, token, end });
    },
    loseEntry: () => test.redis.hdel(keys.progress(campaign, 0), 'journal:post'),
    state: async () => (await rows.statuses(campaign, 0, 1))[0],
  };
}

interface Sending {
  readonly effect: 'post' | 'gen1';
  readonly revision: number;
}

const generate: Sending = { effect: 'gen1', revision: 0 };

describe('the send journal', () => {
  it('lets one attempt send, and records its post', async () => {
    const { start, finish, state } = await runningRow();
    expect(await start('a')).toMatchObject({ kind: 'go' });
    expect(await finish('a', posted)).toBe('ok');
    expect(await state()).toEqual({ state: 'posted', revision: 0 });
  });

  it('sends the row to review when another attempt finds `sending`', async () => {
    const { start, state } = await runningRow();
    await start('a');
    expect(await start('b')).toEqual({ kind: 'unknown' });
    expect(await state()).toMatchObject({ state: 'review' });
  });

  it('removes the entry of an attempt that asks twice and may not send the second time', async () => {
    const { start, ref, ledger } = await runningRow();
    await start('a');
    await ledger.campaigns.pause(ref.campaign, { code: 'paused', message: 'by hand' });
    expect(await start('a')).toEqual({ kind: 'paused' });
    await ledger.campaigns.resume(ref.campaign);
    expect(await start('b')).toMatchObject({ kind: 'go' });
  });

  it('whose entry was lost still sends a row to review when no answer came', async () => {
    const { start, finish, loseEntry, state } = await runningRow();
    await start('a');
    await loseEntry();
    await finish('a', review);
    expect(await state()).toMatchObject({ state: 'review' });
  });

  it('lets the same attempt ask twice, as a command that was resent does', async () => {
    const { start } = await runningRow();
    await start('a');
    expect(await start('a')).toMatchObject({ kind: 'go' });
  });

  it('leaves no entry of an attempt that asks twice and is refused for a loss known by then', async () => {
    const { start, ref, ledger, redis } = await runningRow();
    await start('a');
    await redis.hset(ledger.keys.journal, 'lost:noticed', '1');
    expect(await start('a')).toMatchObject({ kind: 'behind' });
    expect(await ledger.rows.progress(ref.campaign, 0)).toMatchObject({ unknownEffect: undefined });
  });

  it('settles an unknown outcome by the late answer of the same attempt', async () => {
    const { start, finish, state } = await runningRow();
    await start('a');
    await start('b');
    await finish('a', posted);
    expect(await state()).toMatchObject({ state: 'posted' });
  });

  it('ignores the failure of an attempt that holds no entry', async () => {
    const { start, finish, state } = await runningRow();
    await start('a');
    expect(await finish('x', { verdict: 'failed', error })).toBe('stale');
    expect(await state()).toMatchObject({ state: 'running' });
  });

  it('allows a call again once it is known to have had no effect', async () => {
    const { start, finish } = await runningRow();
    await start('a');
    await finish('a', cleared);
    expect(await start('b')).toMatchObject({ kind: 'go' });
  });

  it('lets a row go on that was given up before its attempt had sent', async () => {
    const { start, finish, state } = await runningRow();
    await start('a');
    await start('b');
    // The answer to the first was lost in an outage: the same command is sent again.
    expect(await start('a')).toEqual({ kind: 'ended', state: 'review' });
    await finish('a', cleared);
    expect(await state()).toEqual({ state: 'waiting', revision: 1 });
  });

  it('does not repeat a confirmed generation', async () => {
    const { start, finish } = await runningRow();
    await start('a', generate);
    await finish('a', generated, generate);
    expect(await start('b', generate)).toMatchObject({ kind: 'known' });
  });

  it('lets a row in review go on by itself when its schedule id comes late', async () => {
    const { start, finish, state, ref, ledger } = await runningRow();
    await start('a', generate);
    await start('b', generate);
    await finish('a', generated, generate);
    expect(await state()).toEqual({ state: 'waiting', revision: 1 });
    expect((await ledger.rows.progress(ref.campaign, 0)).generations.get(1)).toEqual(generation);
  });

  it('lets no other job send for a row that failed', async () => {
    const { start, finish } = await runningRow();
    await start('a');
    await finish('a', failed);
    expect(await start('b', undefined, 'other')).toEqual({ kind: 'ended', state: 'failed' });
  });

  it('sends a failed row again only for the very job that failed it', async () => {
    const { start, finish, state } = await runningRow();
    await start('a');
    await finish('a', failed);
    expect(await start('b')).toEqual({ kind: 'again' });
    expect(await state()).toMatchObject({ state: 'waiting', revision: 1 });
  });

  it('never lets two attempts be under way or succeed, in any order of events', async () => {
    const ends = { posted, cleared, failed, review };
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
        const { start, finish, ref } = await runningRow(test);
        let revision = 0;
        let runs = 0;
        const sent = new Map<number, string>();
        let mayHavePosted = 0;
        for (const { attempt, what } of history) {
          const open = sent.get(attempt);
          const sending = { effect: 'post', revision } as const;
          if (what === 'start') {
            // A processor that starts again is another run, with a token of its own; the earlier one is lost.
            const token = `t${runs++}`;
            if ((await start(token, sending)).kind === 'go') {
              sent.set(attempt, token);
              mayHavePosted += 1;
            }
          } else if (what === 'retry') {
            const redone = await retryNow(test.ledger, ref.campaign, [0]);
            if (redone.length > 0) {
              revision += 1;
              await test.admit(ref.campaign, [0]);
            }
          } else if (open) {
            await finish(open, ends[what], sending);
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

describe('a call of unknown outcome', () => {
  it('is reported before anything else, even if the creator is on hold', async () => {
    const { start, ledger } = await runningRow();
    await start('a');
    await ledger.creators.openBreaker('creator', 'expired');
    expect(await start('b')).toEqual({ kind: 'unknown' });
  });

  it('sends a row to review that would otherwise end as failed', async () => {
    const { start, state, ref, ledger } = await runningRow();
    await start('a');
    await ledger.steps.finish({ ...ref, step: 'upload', jobId: 'other', end: failed });
    expect(await state()).toMatchObject({ state: 'review' });
    expect(await ledger.rows.errors(ref.campaign, [0])).toMatchObject([{ code: 'outcome_unknown' }]);
  });

  it('is not ended by a showcase job that runs again: the job of the call ends its row', async () => {
    const { start, finish, state, ref, ledger } = await runningRow();
    await start('a');
    const job = { campaign: ref.campaign, jobId: 'showcase' };
    await ledger.showcase.finish({ ...job, added: [], ready: [], failed: [{ ...ref, error }] });
    expect(await state()).toEqual({ state: 'running', revision: 0 });
    expect(await ledger.rows.errors(ref.campaign, [0])).toEqual([undefined]);
    expect(await finish('a', posted)).toBe('ok');
  });

  it('is decided by its answer even if the journal lost the entry', async () => {
    const { start, finish, loseEntry, state } = await runningRow();
    await start('a');
    await loseEntry();
    expect(await finish('a', posted)).toBe('ok');
    expect(await state()).toMatchObject({ state: 'posted' });
  });
});

describe('a journal entry', () => {
  async function sending() {
    const { start, clock } = await runningRow();
    const verdict = await start('a');
    if (verdict.kind !== 'go') return expect.unreachable();
    return { clock, isTooLate: verdict.isTooLate };
  }

  it('allows its call to be sent for some seconds', async () => {
    const { clock, isTooLate } = await sending();
    clock.now += sendWithinMs;
    expect(isTooLate()).toBe(false);
    clock.now += 1;
    expect(isTooLate()).toBe(true);
  });

  it('forbids its call when somebody has set the clock back', async () => {
    const { clock, isTooLate } = await sending();
    clock.now -= sendWithinMs + 1;
    expect(isTooLate()).toBe(true);
  });

  it('forbids its call when the steady clock has run on, whatever the clock of the wall says', async () => {
    const { isTooLate } = await sending();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + sendWithinMs + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(isTooLate()).toBe(true);
  });
});
