import { Job } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { ProcessorContext } from '../../../src/processors/runner/context.ts';
import { StepRun } from '../../../src/processors/runner/runs.ts';
import { Queues } from '../../../src/queues/queues.ts';
import { testLedger } from '../../support/ledger.ts';

/** A row that its poll has failed, and further runs of that job. */
async function failedRow() {
  const { ledger, redis, prefix, ...test } = testLedger();
  const campaign = await test.campaign(1);
  await test.admit(campaign, [0]);
  const queues = new Queues({ connection: redis, prefix, attempts: 5 });
  onTestFinished(() => queues.close());
  const context = { ledger, queues, now: () => test.clock.now } as unknown as ProcessorContext;
  const ref = { campaign, row: 0, revision: 0 };

  const poll = await queues.queue('poll');
  function runOf(stalledCounter: number): StepRun {
    const job = new Job(poll, 'poll', {}, {}, 'job-1');
    job.stalledCounter = stalledCounter;
    return new StepRun(context, { job, lock: '', step: 'poll', ref });
  }

  await runOf(0).endRows('failed', { code: 'generation_failed', message: 'It failed.' });
  const state = async () => (await ledger.rows.statuses(campaign, 0, 1))[0]?.state;
  expect(await state()).toBe('failed');
  return { runOf, state, queues };
}

describe('the job that failed a row', () => {
  it('sends it back to waiting, in its next revision, when somebody runs it again', async () => {
    const { runOf, state, queues } = await failedRow();
    expect(await runOf(0).start('')).toEqual({ kind: 'again' });
    expect(await state()).toBe('waiting');
    expect(await (await queues.queue('campaign')).count()).toBe(1);
    // It belongs to the revision before.
    expect(await runOf(0).start('')).toEqual({ kind: 'gone' });
  });

  it('leaves it when it was only taken over from a worker that was killed before it could say so', async () => {
    const { runOf, state } = await failedRow();
    expect(await runOf(1).start('')).toEqual({ kind: 'ended', state: 'failed' });
    expect(await state()).toBe('failed');
  });
});

describe('an attempt whose permission to send came late for an outage', () => {
  it('has not sent: the row that somebody gave up on meanwhile goes on', async () => {
    const { ledger, redis, prefix, ...test } = testLedger();
    const campaign = await test.campaign(1);
    await test.admit(campaign, [0]);
    const queues = new Queues({ connection: redis, prefix, attempts: 5 });
    onTestFinished(() => queues.close());
    const ref = { campaign, row: 0, revision: 0 };
    // As when the answer is lost with a connection: a peer finds the entry before the command is sent again.
    const start: typeof ledger.steps.start = async (step) => {
      await ledger.steps.start(step);
      await ledger.steps.start({ ...step, token: 'a peer' });
      return ledger.steps.start(step);
    };
    const finish = ledger.steps.finish.bind(ledger.steps);
    const context = {
      ledger: { ...ledger, steps: { start, finish } },
      queues,
      settings: checkSettings({}),
    } as unknown as ProcessorContext;
    const job = new Job(await queues.queue('post'), 'post', {}, {}, 'job-1');
    job.stalledCounter = 0;
    const run = new StepRun(context, { job, lock: '', step: 'post', ref });
    expect(await run.start('', { effect: 'post' })).toEqual({ kind: 'ended', state: 'review' });
    const [row] = await ledger.rows.statuses(campaign, 0, 1);
    expect(row).toEqual({ state: 'waiting', revision: 1 });
  });
});
