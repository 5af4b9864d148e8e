import { expect, it } from 'vitest';
import type { RowFilter } from '../../../src/ledger/rows/query.ts';
import { asIf, testLedger } from '../../support/ledger.ts';

/** A campaign of 1,203 rows: every 100th from 50 on has failed, of two causes in turn; row 700 is in review. */
async function open() {
  const test = testLedger();
  const { ledger, redis } = test;
  const id = await test.campaign(1203, { isWhole: true });
  const failed = Array.from({ length: 12 }, (_, index) => 50 + index * 100);
  await asIf(test).ended(id, [
    ...failed.map((row, index) => ({ row, state: 'failed' as const, error: { code: `e${index % 2}` } })),
    { row: 700, state: 'review', error: { code: 'e1', step: 'upload' } },
  ]);
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('the campaign is missing');
  const { query } = ledger;
  const find = (
    filter: RowFilter,
    options: { from?: number; limit?: number; descending?: boolean; left?: AbortSignal } = {},
  ) => query.page(campaign, filter, { limit: 50, ...options });
  return { failed, find, query, ledger, redis, campaign };
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
  expect((await find({ error: 'e1' })).rows).toEqual([
    ...odd.filter((row) => row < 700),
    700,
    ...odd.filter((row) => row > 700),
  ]);
  expect((await find({ step: 'upload' })).rows).toEqual([700]);
  expect((await find({ state: 'failed', error: 'e1' })).rows).toEqual(odd);
});

it('finds all rows of one cause where each state has fewer than one look takes, and both together more', async () => {
  const test = testLedger();
  const id = await test.campaign(700, { isWhole: true });
  const rows = Array.from({ length: 700 }, (_, row) => row);
  await asIf(test).ended(
    id,
    rows.map((row) => ({ row, state: row % 2 ? 'failed' : 'review', error: { code: 'e1' } }) as const),
  );
  const campaign = await test.ledger.campaigns.find(id);
  if (!campaign) throw new Error('the campaign is missing');
  const found = await Array.fromAsync(test.ledger.query.all(campaign, { error: 'e1' }));
  expect(found.flat()).toEqual(rows);
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

it('finds plain texts in key, caption and product, in any case, and creators as they are written', async () => {
  const { find } = await open();
  expect((await find({ text: 'A CAPTION' }, { limit: 2 })).rows).toEqual([0, 1]);
  expect((await find({ text: '1203' })).rows).toEqual([1202]);
  expect((await find({ text: '.*' })).rows).toEqual([]);
  expect((await find({ creator: 'Creator-7' })).rows).toEqual([]);
});

it('finds all matching rows, and those among given ones', async () => {
  const { failed, query, campaign } = await open();
  const all = await Array.fromAsync(query.all(campaign, { state: new Set(['failed', 'review']) }));
  expect(all.flat()).toEqual([...failed, 700].sort((row, other) => row - other));
  expect((await Array.fromAsync(query.all(campaign, {}))).flat()).toHaveLength(1203);
  const rows = new Set([50, 51, 150]);
  expect((await Array.fromAsync(query.all(campaign, { state: 'failed', rows }))).flat()).toEqual([50, 150]);
  expect(await query.among(campaign, { error: 'e1' }, [250, 150, 700, 3])).toEqual([150, 700]);
});

it('a search in texts ends when nobody waits for it, and names the key of damaged rows', async () => {
  const { find, ledger, redis, campaign } = await open();
  const reason = new Error('left');
  await expect(find({ text: 'x' }, { left: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const key = ledger.keys.rows(campaign.store, 0);
  await redis.set(key, 'damaged');
  await expect(find({ text: 'a caption' }, { limit: 1 })).rejects.toThrow(key);
});
