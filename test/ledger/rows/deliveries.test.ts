import { expect, it } from 'vitest';
import { postedRow, result } from '../transitions/posted-row.ts';

const minute = 60_000;
const rules = (now: number) => ({ now, published: ['PUBLISHED'] });
const none = { live: 0, scheduled: 0, unconfirmed: 0, posted: 0, firstAt: undefined, lastAt: undefined };

/** A row whose post is planned for minute 62: rounded up to five minutes. */
async function planned() {
  const row = await postedRow({ plannedAt: 62 * minute });
  const { ledger } = row.test;
  return {
    ...row,
    counts: (now: number) => ledger.deliveries.ofOne(row.campaign, rules(now)),
    plannedUntil: async () => (await ledger.campaigns.find(row.campaign))?.plannedUntil,
  };
}

it('a post is scheduled until its time, then not confirmed, and live once the records say so', async () => {
  const { test, campaign, counts, plannedUntil } = await planned();
  const at = 65 * minute;
  expect(await plannedUntil()).toBe(at);
  expect(await counts(at - 1)).toEqual({ ...none, scheduled: 1, firstAt: at, lastAt: at });
  expect(await counts(at)).toEqual({ ...none, unconfirmed: 1 });
  const before = { ...result, plannedAt: 62 * minute };
  await test.ledger.publishing.follow(campaign, [{ row: 0, before, postStatus: 'PUBLISHED' }]);
  expect(await counts(at)).toEqual({ ...none, live: 1 });
  expect(await test.ledger.deliveries.countsWithStates(campaign, rules(at))).toEqual({
    bytes: Buffer.from('p\0'),
    deliveries: { ...none, live: 1 },
  });
});

it('a post that was not published counts no more, and neither does its time', async () => {
  const { fail, counts, plannedUntil } = await planned();
  await fail({ ...result, plannedAt: 62 * minute });
  expect(await counts(0)).toEqual(none);
  expect(await plannedUntil()).toBeUndefined();
});

it('a post without a time is posted, whatever the clock says', async () => {
  const { test, campaign } = await postedRow();
  expect(await test.ledger.deliveries.ofOne(campaign, rules(0))).toEqual({ ...none, posted: 1 });
});

it('damaged counts stop no post', async () => {
  const { test, campaign, fail, outcome } = await planned();
  await test.redis.set(test.ledger.keys.plannedTimes(campaign), 'damaged');
  expect(await fail({ ...result, plannedAt: 62 * minute })).toHaveLength(1);
  expect(await outcome()).toMatchObject({ state: 'failed' });
  expect(await test.ledger.deliveries.ofOne(campaign, rules(0))).toEqual(none);
});
