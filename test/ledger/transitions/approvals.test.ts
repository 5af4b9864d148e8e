/** Only a post that waits for an approval is approved or rejected; only one that is approved and ready loses its approval. */
import { describe, expect, it } from 'vitest';
import { retryNow, type TestLedger, testLedger } from '../../support/ledger.ts';
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

async function broughtBy(bring: (test: TestLedger, id: string) => Promise<void>) {
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

describe.each(Object.entries(places))('a post that is %s', (_, bring) => {
  it('is not approved', async () => {
    const { test, id, look } = await broughtBy(bring);
    const before = await look();
    expect(await test.ledger.approvals.approve(id, [seen(test, 0)], 'mei')).toEqual(new Set());
    expect(await look()).toEqual(before);
  });

  it('is not rejected', async () => {
    const { test, id, look } = await broughtBy(bring);
    const before = await look();
    expect(await test.ledger.approvals.reject(id, [{ row: 0, revision: 0 }], rejection)).toEqual(new Set());
    expect(await look()).toEqual(before);
  });
});

const { 'approved already': _approved, ...others } = places;

it.each(Object.entries(others))('a post that is %s has no approval to withdraw', async (_, bring) => {
  const { test, id, look } = await broughtBy(bring);
  const before = await look();
  const row = { row: 0, revision: 0, plannedAt: undefined };
  expect(await test.ledger.approvals.withdraw(id, [row], 'mei')).toEqual(new Set());
  expect(await look()).toEqual(before);
});

it('a list of posts that wait goes on from a place, also if its row has left', async () => {
  const test = testLedger();
  const id = await test.campaign(25);
  const rows = Array.from({ length: 25 }, (_, row) => row);
  await test.admit(id, rows);
  for (const first of [0, 8, 16]) {
    await close(test, id, rows.slice(first, first + 8), 'unapproved');
    test.clock.now += 1000;
  }
  const { approvals } = test.ledger;
  const all = await approvals.waiting(id);
  expect(all).toHaveLength(24);
  for (const [index, from] of all.entries()) {
    expect(await approvals.waiting(id, { from, most: 3 })).toEqual(all.slice(index, index + 3));
    await approvals.approve(id, [seen(test, from.row)], 'mei');
    expect(await approvals.waiting(id, { from })).toEqual(all.slice(index + 1));
  }
});

describe('an approval', () => {
  async function opened() {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.admit(id, [0, 1]);
    await close(test, id, [0, 1], 'unapproved');
    const { approvals, campaigns, rows, admission } = test.ledger;
    const approve = (row: number) => approvals.approve(id, [seen(test, row)], 'mei');
    const withdraw = (row: number, revision = 0) =>
      approvals.withdraw(id, [{ row, revision, plannedAt: test.clock.now + 90_000 }], 'anna');
    const look = async () => ({
      approvals: await approvals.of(id, [0, 1]),
      statuses: await rows.statuses(id, 0, 2),
      waiting: await approvals.waiting(id),
      ready: await admission.readyAt(id, 0),
      campaign: await campaigns.find(id),
    });
    return { test, id, approve, withdraw, look };
  }

  it('is withdrawn: its row waits for another one, at its planned time, in its next revision', async () => {
    const { test, approve, withdraw, look } = await opened();
    await approve(0);
    expect(await withdraw(0)).toEqual(new Set([0]));
    expect(await look()).toMatchObject({
      approvals: [undefined, undefined],
      statuses: [
        { state: 'ready', revision: 1 },
        { state: 'ready', revision: 0 },
      ],
      waiting: [
        { row: 1, at: test.clock.now },
        { row: 0, at: test.clock.now + 90_000 },
      ],
      ready: undefined,
      campaign: { unapproved: 2, state: 'running' },
    });
  });

  it('is withdrawn by somebody, as the history of its row says', async () => {
    const { test, id, approve, withdraw } = await opened();
    await approve(0);
    await withdraw(0);
    const history = await test.ledger.histories.read(id, 0);
    expect(history.at(-1)).toMatchObject({ outcome: 'approval withdrawn', message: 'anna' });
  });

  it('is withdrawn once', async () => {
    const { approve, withdraw, look } = await opened();
    await approve(0);
    await withdraw(0);
    const before = await look();
    expect([await withdraw(0), await withdraw(0, 1)]).toEqual([new Set(), new Set()]);
    expect(await look()).toEqual(before);
  });

  it('of the row as it was before does not count after that', async () => {
    const { approve, withdraw, look } = await opened();
    await approve(0);
    await withdraw(0);
    const before = await look();
    expect(await approve(0)).toEqual(new Set());
    expect(await look()).toEqual(before);
  });

  it('of a row that has been taken up stays', async () => {
    const { test, id, approve, withdraw, look } = await opened();
    await approve(0);
    test.clock.now += 120_000;
    await test.ledger.admission.wakeReady(id, 1);
    const before = await look();
    expect([await withdraw(0), await withdraw(0, 1)]).toEqual([new Set(), new Set()]);
    await test.admit(id, [0]);
    expect(await withdraw(0, 1)).toEqual(new Set());
    expect((await look()).approvals).toEqual(before.approvals);
  });

  it('that cannot be read is none', async () => {
    const { test, id, approve, withdraw, look } = await opened();
    await approve(0);
    await test.redis.hset(test.ledger.keys.approvals(id), '0', '{"is":');
    expect(await withdraw(0)).toEqual(new Set());
    expect((await look()).statuses).toMatchObject([{ state: 'ready', revision: 0 }, {}]);
  });

  it('of a cancelled campaign stays', async () => {
    const { test, id, approve, withdraw } = await opened();
    await approve(0);
    await test.ledger.cancellation.begin(id);
    expect(await withdraw(0)).toEqual(new Set());
  });
});

it('of approved posts that are due, the one with the nearest time is first', async () => {
  const test = testLedger();
  const id = await test.campaign(2);
  await test.admit(id, [0, 1]);
  await close(test, id, [0, 1], 'unapproved');
  const { now } = test.clock;
  const due = (row: number, hours: number) => ({ ...seen(test, row), opensAt: now - hours * 3_600_000 });
  await test.ledger.approvals.approve(id, [due(0, 1), due(1, 2)], 'mei');
  await test.ledger.admission.wakeReady(id, 2);
  expect(await test.ledger.admission.rowsToRedo(id, 2)).toEqual([1, 0]);
});

describe('that all posts are decided', () => {
  async function opened(rows = 2) {
    const test = testLedger();
    await test.ledger.outbox.want(['approval.done']);
    const id = await test.campaign(rows);
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

  it('is told when the last post that waits is cancelled', async () => {
    const { test, id, told, approvals, rows } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await rows.cancelOne(id, { row: 1, revision: 0 }, 'mei');
    expect(await told()).toBe(1);
  });

  it('is not told while another row may still ask, and then once', async () => {
    const { test, id, told, approvals } = await opened(3);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
    await test.admit(id, [2]);
    await close(test, id, [2], 'unapproved');
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 2)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is told although a post that was approved before is on its way', async () => {
    const { test, id, told, approvals, admission } = await opened();
    await approvals.approve(id, [{ ...seen(test, 0), opensAt: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await test.admit(id, [0]);
    expect(await told()).toBe(0);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(1);
  });

  it('is not told while a row makes media that were allowed', async () => {
    const { test, id, told, approvals, admission } = await opened(3);
    await test.admit(id, [2]);
    await close(test, id, [2], 'unpaid');
    await approvals.allowSpending(id, [{ row: 2, revision: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
  });

  it('is not told while a post that was approved is made again', async () => {
    const { test, id, told, approvals, admission } = await opened();
    await approvals.approve(id, [{ ...seen(test, 0), opensAt: 0 }], 'mei');
    await admission.wakeReady(id, 1);
    await test.admit(id, [0]);
    await end(test, id, [0], 'failed', 1);
    await retryNow(test.ledger, id, [0]);
    await approvals.approve(id, [seen(test, 1)], 'mei');
    expect(await told()).toBe(0);
  });

  it('is told once the last row that may ask has ended otherwise', async () => {
    const { test, id, told, approvals } = await opened(3);
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await test.admit(id, [2]);
    await end(test, id, [2], 'failed');
    expect(await told()).toBe(1);
  });

  it('is told again only after an approval was withdrawn', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await approvals.withdraw(id, [{ row: 0, revision: 0, plannedAt: undefined }], 'anna');
    expect(await told()).toBe(1);
    await approvals.approve(id, [{ ...seen(test, 0), revision: 1 }], 'mei');
    expect(await told()).toBe(2);
  });

  it('is told with the counts as they are then', async () => {
    const { test, id, approvals, rows, outbox } = await opened();
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await rows.cancelOne(id, { row: 1, revision: 0 }, 'mei');
    expect(await outbox.due(1)).toMatchObject([{ counts: { waiting: 0, ready: 1, cancelled: 1 } }]);
  });

  it('is not told of a campaign that is cancelled', async () => {
    const { id, told, cancellation } = await opened();
    await cancellation.begin(id);
    await cancellation.cancelRows(id, 0, 2);
    expect(await told()).toBe(0);
  });

  it('is not told again by a decision that comes too late', async () => {
    const { test, id, told, approvals } = await opened();
    await approvals.approve(id, [seen(test, 0), seen(test, 1)], 'mei');
    await approvals.approve(id, [seen(test, 0)], 'mei');
    await approvals.reject(id, [{ row: 0, revision: 0 }], rejection);
    expect(await told()).toBe(1);
  });
});
