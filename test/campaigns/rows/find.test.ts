import { expect, it } from 'vitest';
import { type FewEndedBadly, readFewEndedBadly } from '../../../src/campaigns/causes/few-ended-badly.ts';
import type { RowFilter } from '../../../src/campaigns/rows/candidates.ts';
import { findRows } from '../../../src/campaigns/rows/find.ts';
import { TextSearch } from '../../../src/campaigns/rows/text-search.ts';
import { importFacts, testLedger } from '../../support/ledger.ts';

/** A campaign of 1,203 rows: every 100th from 50 on has failed, of two causes in turn; row 700 is in review. */
async function open() {
  const { ledger, redis } = testLedger();
  const texts = new TextSearch();
  const staged = ledger.newImport();
  const cells = (row: number) => [`creator-${row}`, 'a.mp4', 'A caption', 'p', 'P'];
  await staged.add(Array.from({ length: 1203 }, (_, row) => ({ number: row + 1, cells: cells(row) })));
  const { id } = await staged.commit({
    ...importFacts,
    header: ['creator', 'media', 'caption', 'product_id', 'product_title'],
  });
  const { keys } = ledger;
  const failed = Array.from({ length: 12 }, (_, index) => 50 + index * 100);
  const end = async (row: number, state: 'failed' | 'review', code: string, step: string) => {
    await redis.setrange(keys.states(id), row * 2, state === 'failed' ? 'f' : 'v');
    await redis.zadd(keys.index(id, state), row, String(row));
    await redis.hset(keys.errors(id), row, JSON.stringify({ step, code, message: 'No.', at: 0 }));
  };
  for (const [index, row] of failed.entries()) await end(row, 'failed', `e${index % 2}`, 'post');
  await end(700, 'review', 'e1', 'upload');
  const find = async (
    filter: RowFilter,
    options: { from?: number; limit?: number; descending?: boolean; endedBadly?: FewEndedBadly } = {},
  ) => {
    const found = await ledger.campaigns.find(id);
    if (!found) throw new Error('the campaign is missing');
    const { descending = false, limit = 50 } = options;
    return findRows({ ledger, texts }, found, {
      filter,
      from: options.from ?? (descending ? 1202 : 0),
      limit,
      descending,
      ahead: { endedBadly: options.endedBadly },
    });
  };
  await redis.hset(keys.campaign(id), { failed: 12, review: 1 });
  const readFew = () => readFewEndedBadly(ledger, id);
  return { failed, find, readFew, redis, keys, id };
}

it('finds failed rows by their index, from any place, in both directions', async () => {
  const { failed, find } = await open();
  expect(await find({ state: 'failed' })).toEqual({ rows: failed, next: undefined });
  expect(await find({ state: 'failed' }, { from: 151, limit: 2 })).toEqual({ rows: [250, 350], next: 450 });
  expect(await find({ state: 'failed' }, { limit: 2, descending: true })).toEqual({
    rows: [1150, 1050],
    next: 950,
  });
});

it('finds rows of one cause or step, failed and in review, in their order', async () => {
  const { failed, find } = await open();
  const odd = failed.filter((_row, index) => index % 2 === 1);
  expect((await find({ code: 'e1' })).rows).toEqual([
    ...odd.filter((row) => row < 700),
    700,
    ...odd.filter((row) => row > 700),
  ]);
  expect((await find({ step: 'upload' })).rows).toEqual([700]);
  expect((await find({ state: 'failed', code: 'e1' })).rows).toEqual(odd);
});

it('finds the same rows among those that ended badly and are known, from any place, in both directions', async () => {
  const { find, readFew, redis, keys, id } = await open();
  const endedBadly = await readFew();
  await redis.del(keys.errors(id), keys.index(id, 'failed'), keys.index(id, 'review'));
  const findKnown: typeof find = (filter, options) => find(filter, { ...options, endedBadly });
  expect(await findKnown({ state: 'failed' }, { from: 151, limit: 2 })).toEqual({
    rows: [250, 350],
    next: 450,
  });
  expect(await findKnown({ code: 'e1' }, { limit: 3, descending: true })).toEqual({
    rows: [1150, 950, 750],
    next: 700,
  });
  expect((await findKnown({ state: 'review', code: 'e0' })).rows).toEqual([]);
  expect((await findKnown({ code: 'e1', creator: 'creator-700' })).rows).toEqual([700]);
});

it('does not trust known rows that are not all of them', async () => {
  const { failed, find, readFew } = await open();
  const few = await readFew();
  const endedBadly = few && { ...few, failed: few.failed.slice(1) };
  expect((await find({ state: 'failed' }, { endedBadly })).rows).toEqual(failed);
});

it('finds rows in other states, and the texts of those that match', async () => {
  const { find } = await open();
  expect(await find({ state: 'waiting' }, { from: 49, limit: 3 })).toEqual({ rows: [49, 51, 52], next: 53 });
  expect((await find({ state: 'waiting' }, { from: 51, limit: 3, descending: true })).rows).toEqual([
    51, 49, 48,
  ]);
  expect((await find({ creator: 'creator-1202' })).rows).toEqual([1202]);
  expect((await find({ state: 'failed', creator: 'creator-1150' })).rows).toEqual([1150]);
  expect((await find({ state: 'posted' })).rows).toEqual([]);
});
