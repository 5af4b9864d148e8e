import { Job } from 'bullmq';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { RowRef } from '../../../src/manifest/row.ts';
import type { ProcessorContext } from '../../../src/processors/runner/context.ts';
import { journalledCall } from '../../../src/processors/runner/journalled-call.ts';
import type { Outcome } from '../../../src/processors/runner/outcome.ts';
import { StepRun } from '../../../src/processors/runner/runs.ts';
import { RateLimitReached } from '../../../src/processors/runner/service.ts';
import type { RowInput } from '../../../src/processors/runner/step.ts';
import { Queues } from '../../../src/queues/queues.ts';
import type { Permission } from '../../../src/queues/rate-limits.ts';
import { rejection } from '../../support/client.ts';
import { testLedger } from '../../support/ledger.ts';
import { creator, videoOf } from '../../support/sheets/row-values.ts';

/** What a test replaces of a call. */
interface Parts {
  readonly prepare: () => Outcome | 'request';
  readonly send: (request: string) => Promise<string>;
}

/** Permits of a rate limit: those given in order, then no more. */
function permitsOf(given: readonly ('fresh' | 'over')[]) {
  const all = { taken: 0, used: 0, back: 0 };
  async function take(_operation: string, maxWaitMs: number): Promise<Permission> {
    const permit = given[all.taken];
    all.taken += 1;
    if (permit === undefined) return { granted: false, waitMs: maxWaitMs };
    let isUsed = false;
    const use = () => {
      isUsed = true;
      all.used += 1;
    };
    return {
      granted: true,
      isOver: permit === 'over',
      use,
      [Symbol.dispose]: () => {
        if (!isUsed) all.back += 1;
      },
    };
  }
  return { all, take };
}

/** A running row, and a call of its post whose parts a test replaces. */
async function runningRow(given: readonly ('fresh' | 'over')[] = ['fresh', 'fresh']) {
  const { ledger, redis, prefix, ...test } = testLedger();
  const campaign = await test.campaign(1);
  await test.admit(campaign, [0]);
  const queues = new Queues({ connection: redis, prefix, attempts: 5 });
  onTestFinished(() => queues.close());
  const moments: string[] = [];
  const { all: permits, take } = permitsOf(given);
  const context = {
    ledger,
    queues,
    service: { rateLimits: { take } },
    now: () => test.clock.now,
    settings: checkSettings({}),
    failpoint: (name: string) => moments.push(name),
  } as unknown as ProcessorContext;
  const job = new Job(await queues.queue('post'), 'post', {}, {}, 'job-1');
  job.stalledCounter = 0;
  const ref = { campaign, row: 0, revision: 0 };
  const run = new StepRun(context, { job, lock: '', step: 'post', ref });
  const input = { context, run, creator, target: videoOf() } as unknown as RowInput<RowRef>;
  const sent: string[] = [];
  const journal = () => redis.hget(ledger.keys.progress(campaign, 0), 'journal:post');

  const parts: Parts = {
    prepare: () => 'request',
    async send(request) {
      sent.push(request);
      return 'answer';
    },
  };
  const make = (others: Partial<Parts> = {}) => {
    const { prepare, send } = { ...parts, ...others };
    return journalledCall(input, {
      operation: 'createCreatorPost',
      effect: 'post',
      prepare() {
        const request = prepare();
        if (request !== 'request') return request;
        return async () => {
          const postId = await send(request);
          const result = { postId, postStatus: '', fileIds: [], at: 0 };
          return async () => void (await run.finish({ verdict: 'posted', result, assets: [] }));
        };
      },
    });
  };
  return {
    run,
    redis,
    permits,
    sent,
    moments,
    journal,
    make,
    state: async () => (await ledger.rows.statuses(campaign, 0, 1))[0]?.state,
  };
}

const refused: Outcome = { kind: 'refused', failure: { code: 'late', message: 'It is late.' } };
const defect = new TypeError('x is not a function');

describe('a journalled call', () => {
  it('goes through permit, journal, request, send and record, in this order', async () => {
    const { make, moments, state, journal } = await runningRow();
    expect(await make()).toEqual({ kind: 'done' });
    expect(moments).toEqual(['before-sending', 'after-journal', 'after-answer', 'after-bookkeeping']);
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

  it('does not touch the journal while its rate limit is spent', async () => {
    const { make, journal, sent } = await runningRow([]);
    expect(await rejection(make())).toBeInstanceOf(RateLimitReached);
    expect(await journal()).toBeNull();
    expect(sent).toEqual([]);
  });

  it.for([
    ['is refused', { prepare: () => refused }],
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

  it('takes its permit after a wait for Redis, not before', async () => {
    const { make, redis, permits, sent } = await runningRow();
    // The end of the first wait.
    await make({ prepare: () => refused });
    const { taken } = permits;
    redis.emit('close');
    const made = make();
    await redis.ping();
    expect(permits.taken).toBe(taken);
    redis.emit('ready');
    await made;
    expect(sent).toEqual(['request']);
  });

  it('gives its permit back when it is not sent', async () => {
    const { make, permits } = await runningRow();
    await make({ prepare: () => refused });
    expect(permits).toEqual({ taken: 1, used: 0, back: 1 });
  });

  it('takes another permit when the journal took longer than the first one lives', async () => {
    const { make, permits, sent } = await runningRow(['over', 'fresh']);
    expect(await make()).toEqual({ kind: 'done' });
    expect(permits).toEqual({ taken: 2, used: 1, back: 1 });
    expect(sent).toEqual(['request']);
  });

  it('is not sent when that permit would come late', async () => {
    const { make, permits, sent } = await runningRow(['over']);
    expect(await rejection(make())).toEqual(new RateLimitReached(1000));
    expect(permits).toMatchObject({ used: 0, back: 1 });
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
