/** Only a post that waits for an approval is approved or rejected. */
import { describe, expect, it } from 'vitest';
import { type TestLedger, testLedger } from '../../support/ledger.ts';
import { end } from '../campaigns/end-rows.ts';

const error = { step: 'post', code: 'rejected', message: 'mei rejected the post.' } as const;
const rejection = { by: 'mei', reason: '', error };
type GateName = 'ready' | 'unapproved' | 'unpaid';

/** Running rows come to a gate. */
async function close(
  { ledger, clock }: TestLedger,
  campaign: string,
  rows: readonly number[],
  name: GateName,
) {
  const at = { verdict: 'ready', gate: { name, at: clock.now }, fields: [] } as const;
  for (const row of rows)
    await ledger.steps.finish({ campaign, row, revision: 0, step: 'post', jobId: 'job', end: at });
}

const seen = ({ clock }: TestLedger, row: number) => ({
  row,
  revision: 0,
  digest: 'as shown',
  opensAt: clock.now + 60_000,
});

/** Brings row 0 to each place where it waits for no approval. */
const places = {
  'still to be admitted': async () => undefined,
  running: (test, id) => test.admit(id, [0]),
  'ready, and waits for its day': async (test, id) => {
    await test.admit(id, [0]);
    await close(test, id, [0], 'ready');
  },
  'ready, and waits for spending': async (test, id) => {
    await test.admit(id, [0]);
    await close(test, id, [0], 'unpaid');
  },
  'approved already': async (test, id) => {
    await test.admit(id, [0]);
    await close(test, id, [0], 'unapproved');
    await test.ledger.approvals.approve(id, [{ ...seen(test, 0), digest: 'before' }], 'anna');
  },
  posted: async (test, id) => {
    await test.admit(id, [0]);
    await end(test, id, [0], 'posted');
  },
  failed: async (test, id) => {
    await test.admit(id, [0]);
    await end(test, id, [0], 'failed');
  },
  'in review': async (test, id) => {
    await test.admit(id, [0]);
    await end(test, id, [0], 'review');
  },
} satisfies Record<string, (test: TestLedger, id: string) => Promise<void>>;

describe.each(Object.entries(places))('a post that is %s', (_, bring) => {
  async function opened() {
    const test = testLedger();
    const id = await test.campaign(2);
    await bring(test, id);
    const look = async () => ({
      approval: await test.ledger.approvals.of(id, [0]),
      status: await test.ledger.rows.statuses(id, 0, 1),
      campaign: await test.ledger.campaigns.find(id),
    });
    return { test, id, look };
  }

  it('is not approved', async () => {
    const { test, id, look } = await opened();
    const before = await look();
    expect(await test.ledger.approvals.approve(id, [seen(test, 0)], 'mei')).toEqual(new Set());
    expect(await look()).toEqual(before);
  });

  it('is not rejected', async () => {
    const { test, id, look } = await opened();
    const before = await look();
    expect(await test.ledger.approvals.reject(id, [{ row: 0, revision: 0 }], rejection)).toEqual(new Set());
    expect(await look()).toEqual(before);
  });
});

describe('that all posts are decided', () => {
  async function opened() {
    const test = testLedger();
    await test.ledger.outbox.want(['approval.done']);
    const id = await test.campaign(3);
    await test.admit(id, [0, 1]);
    await close(test, id, [0, 1], 'unapproved');
    const told = () => test.ledger.outbox.pending();
    return { test, id, told, ...test.ledger };
  }

  it('is told with the last approval', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is told with the last rejection', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await approvals.reject(id, [{ row: 1, revision: 0 }], rejection);
    expect(await told()).toBe(1);
  });

  it('is not told again by a decision that comes too late', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await approvals.reject(id, [{ row: 0, revision: 0 }], rejection);
    expect(await told()).toBe(1);
  });
});
