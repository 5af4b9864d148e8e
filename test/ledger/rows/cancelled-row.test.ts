/** One row that a person cancels: nothing of its old revision can touch it any more. */
import { describe, expect, it } from 'vitest';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const error = { step: 'upload' as const, code: 'media_missing', message: 'no such file', at: 5 };

/** A row that waits at a gate. */
async function atGate(name: 'ready' | 'unapproved' | 'unpaid') {
  const test = testLedger();
  const id = await test.campaign(2);
  await test.admit(id, [0]);
  const ref = { campaign: id, row: 0, revision: 0 };
  const end = { verdict: 'ready', gate: { name, at: test.clock.now }, fields: [] } as const;
  await test.ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end });
  const status = async () => (await test.ledger.rows.statuses(id, 0, 1))[0];
  return { ...test, id, ref, status };
}

/** Saves the row as it is. */
async function bringBack({ ledger }: Pick<TestLedger, 'ledger'>, id: string, revision: number) {
  const campaign = (await ledger.campaigns.find(id)) ?? expect.unreachable();
  const { header, map } = campaign;
  const outdated = { files: false, cover: false, references: false, generations: false };
  const same = { header, map, creator: undefined, rows: undefined, chunk: 0, what: '' };
  return ledger.edits.edit(campaign, { row: 0, revision, outdated, ...same });
}

describe('a row that a person cancels', () => {
  it('goes into its next revision', async () => {
    const { ledger, id, ref, status } = await atGate('ready');
    expect(await ledger.rows.cancelOne(id, ref, 'mei')).toBe(true);
    expect(await status()).toEqual({ state: 'cancelled', revision: 1 });
  });

  it('does not change by a late step of its old revision', async () => {
    const { ledger, id, ref, status } = await atGate('ready');
    await ledger.rows.cancelOne(id, ref, 'mei');
    expect(await ledger.steps.start(stepStart(ref))).toEqual({ kind: 'gone' });
    const end = { verdict: 'failed', error } as const;
    expect(await ledger.steps.finish({ ...ref, step: 'upload', jobId: 'job', end })).toBe('stale');
    expect(await status()).toEqual({ state: 'cancelled', revision: 1 });
  });

  it('is brought back only by who has seen it cancelled', async () => {
    const { ledger, id, ref, status } = await atGate('ready');
    await ledger.rows.cancelOne(id, ref, 'mei');
    expect(await bringBack({ ledger }, id, 0)).toBe('moved');
    expect(await bringBack({ ledger }, id, 1)).toBeUndefined();
    expect(await status()).toEqual({ state: 'waiting', revision: 2 });
  });

  it('loses its approval', async () => {
    const { ledger, id, ref, clock } = await atGate('unapproved');
    await ledger.approvals.approve(id, [{ ...ref, digest: 'd', opensAt: clock.now + 1000 }], 'anna');
    await ledger.rows.cancelOne(id, ref, 'mei');
    expect(await ledger.approvals.of(id, [0])).toEqual([undefined]);
  });

  it('loses the allowance for its AI outputs', async () => {
    const { ledger, redis, id, ref } = await atGate('unpaid');
    await ledger.approvals.allowSpending(id, [ref], 'anna');
    await ledger.rows.cancelOne(id, ref, 'mei');
    expect(await redis.hget(ledger.keys.progress(id, 0), 'paid')).toBeNull();
  });
});
