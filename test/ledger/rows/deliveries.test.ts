import { expect, it } from 'vitest';
import { error, post, postedRow, result } from '../transitions/posted-row.ts';

const minute = 60_000;
const rules = (now: number) => ({ now, published: ['PUBLISHED'] });
const none = { live: 0, scheduled: 0, unconfirmed: 0, posted: 0, firstAt: undefined, lastAt: undefined };

/** A row whose post is planned within minute 62: rounded up. */
async function planned() {
  const row = await postedRow({ plannedAt: 61.5 * minute });
  const { ledger } = row.test;
  return {
    ...row,
    counts: (now: number) => ledger.deliveries.ofOne(row.campaign, rules(now)),
    plannedUntil: async () => (await ledger.campaigns.find(row.campaign))?.plannedUntil,
  };
}

it('a post is scheduled until its time, then not confirmed, and live once the records say so', async () => {
  const { test, campaign, counts, plannedUntil } = await planned();
  const at = 62 * minute;
  expect(await plannedUntil()).toBe(at);
  expect(await counts(at - 1)).toEqual({ ...none, scheduled: 1, firstAt: at, lastAt: at });
  expect(await counts(at)).toEqual({ ...none, unconfirmed: 1 });
  const before = { ...result, plannedAt: 61.5 * minute };
  await test.ledger.publishing.follow(campaign, [{ row: 0, before, postStatus: 'PUBLISHED' }]);
  expect(await counts(at)).toEqual({ ...none, live: 1 });
});

it('a post that was not published counts no more, and neither does its time', async () => {
  const { fail, counts, plannedUntil } = await planned();
  await fail({ ...result, plannedAt: 61.5 * minute });
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
  expect(await fail({ ...result, plannedAt: 61.5 * minute })).toHaveLength(1);
  expect(await outcome()).toMatchObject({ state: 'failed' });
  await expect(test.ledger.deliveries.ofOne(campaign, rules(0))).rejects.toThrow('WRONGTYPE');
});

it('many planned times are counted by the hour, and never lost', async () => {
  const { test, campaign, fail } = await planned();
  const key = test.ledger.keys.plannedTimes(campaign);
  await fail({ ...result, plannedAt: 61.5 * minute });
  const many = Array.from({ length: 10_000 }, (_, at) => [`${(at + 1000).toString(36)} S`, '1']).flat();
  await test.redis.hset(key, ...many);
  const other = await test.campaign(1);
  await test.redis.rename(key, test.ledger.keys.plannedTimes(other));
  await test.admit(other, [0]);
  await post(test, other, 'p2', 0, 61.5 * minute);
  const hour = { live: 0, unconfirmed: 1, posted: 0 };
  expect(await test.ledger.deliveries.ofOne(other, rules(120 * minute))).toMatchObject(hour);
  expect(await test.ledger.deliveries.ofOne(other, rules(119 * minute))).toMatchObject({ unconfirmed: 0 });
  const before = { ...result, postId: 'p2', plannedAt: 61.5 * minute };
  await test.ledger.failedPosts.fail(other, [{ row: 0, before, postStatus: 'FAILED', error }]);
  expect(await test.redis.hlen(test.ledger.keys.plannedTimes(other))).toBe(10_000);
});
