import { Job } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { ProcessorContext } from '../../../src/processors/frame/context.ts';
import { type JournalledCall, journalledCall } from '../../../src/processors/frame/journalled-call.ts';
import type { Outcome } from '../../../src/processors/frame/outcome.ts';
import type { RowInput } from '../../../src/processors/frame/row-step.ts';
import { StepRun } from '../../../src/processors/frame/step-run.ts';
import { BudgetSpent } from '../../../src/processors/frame/turn.ts';
import type { RowPayload } from '../../../src/queues/jobs.ts';
import { Queues } from '../../../src/queues/queues.ts';
import { rejection } from '../../support/client.ts';
import { testLedger } from '../../support/ledger.ts';
import { creator, videoOf } from '../../support/sheets/row-values.ts';

type Call = JournalledCall<string, string>;

/** A running row, and a call of its post whose parts a test replaces. */
async function runningRow({ granted = true } = {}) {
  const { ledger, redis, prefix, ...test } = testLedger();
  const campaign = await test.campaign(1);
  await test.admit(campaign, [0]);
  const queues = new Queues({ connection: redis, prefix, attempts: 5 });
  onTestFinished(() => queues.close());
  const moments: string[] = [];
  const context = {
    ledger,
    queues,
    now: () => test.clock.now,
    settings: checkSettings({}),
    failpoint: (name: string) => moments.push(name),
  } as unknown as ProcessorContext;
  const job = new Job(queues.queue('post'), 'post', {}, {}, 'job-1');
  job.stalledCounter = 0;
  const ref = { campaign, row: 0, revision: 0 };
  const run = new StepRun(context, { job, lock: '', queue: 'post', step: 'post', ref, account: 'default' });
  const turn = granted ? { granted } : { granted, waitMs: 70 };
  const account = { budgets: { take: async () => turn } };
  const input = { context, run, account, creator, target: videoOf() } as unknown as RowInput<RowPayload>;
  const sent: string[] = [];
  const journal = () => redis.hget(ledger.keys.progress(campaign, 0), 'journal:post');

  const call: Call = {
    operation: 'createCreatorPost',
    effect: 'post',
    prepare: () => ({ request: 'request' }),
    async send(request) {
      sent.push(request);
      return 'answer';
    },
    async record(postId) {
      await run.finish({
        verdict: 'posted',
        result: { postId, postStatus: '', fileIds: [], at: 0 },
        assets: [],
      });
    },
  };
  return {
    run,
    sent,
    moments,
    journal,
    make: (parts: Partial<Call> = {}) => journalledCall(input, { ...call, ...parts }),
    state: async () => (await ledger.rows.statuses(campaign, 0, 1))[0]?.state,
  };
}

const refused: Outcome = { kind: 'refused', failure: { code: 'late', message: 'It is late.' } };
const defect = new TypeError('x is not a function');

describe('a journalled call', () => {
  it('goes through turn, journal, request, send and record, in this order', async () => {
    const { make, moments, state, journal } = await runningRow();
    expect(await make()).toEqual({ kind: 'done' });
    expect(moments).toEqual(['before-sending', 'after-sending', 'after-answer', 'after-bookkeeping']);
    expect(await state()).toBe('posted');
    expect(await journal()).toBeNull();
  });

  it('has its entry in the journal while it is sent', async () => {
    const { make, journal } = await runningRow();
    let entry: string | null = null;
    await make({
      async send() {
        entry = await journal();
        return 'answer';
      },
    });
    expect(entry).toMatch(/^sending \S+ \d+ \d+ \d+$/);
  });

  it('does not touch the journal while its budget is spent', async () => {
    const { make, journal, sent } = await runningRow({ granted: false });
    expect(await rejection(make())).toEqual(new BudgetSpent(70));
    expect(await journal()).toBeNull();
    expect(sent).toEqual([]);
  });

  it.for([
    ['is refused', { prepare: () => ({ refused }) }],
    [
      'cannot be prepared',
      {
        prepare: () => {
          throw defect;
        },
      },
    ],
  ] as const)('leaves no entry in the journal when it %s, and is not sent', async ([, parts]) => {
    const { make, journal, sent, run } = await runningRow();
    const outcome = await make(parts).catch((error: unknown) => error);
    expect([refused, defect]).toContain(outcome);
    expect(await journal()).toBeNull();
    expect(run.isJournalled).toBe(false);
    expect(sent).toEqual([]);
  });

  it('keeps its entry when the outcome is unknown', async () => {
    const { make, journal, run } = await runningRow();
    expect(await rejection(make({ send: () => Promise.reject(defect) }))).toBe(defect);
    expect(await journal()).toMatch(/^sending /);
    expect(run.isJournalled).toBe(true);
  });

  it('is not sent again once its effect is known', async () => {
    const { make, sent } = await runningRow();
    await make();
    expect(await make()).toEqual({ kind: 'done' });
    expect(sent).toEqual(['request']);
  });
});
