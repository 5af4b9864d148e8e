/** Only a post that waits for an approval is approved or rejected; only one that is approved and ready loses its approval. */
import { describe, expect, it } from 'vitest';
import { type TestLedger, testLedger } from '../../support/ledger.ts';
import { end } from '../campaigns/end-rows.ts';
import { close, rejection, seen } from './gates.ts';

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
