import { expect, it } from 'vitest';
import { importFacts, testLedger } from '../../support/ledger.ts';

const post = (number: number) => {
  const identity = Buffer.alloc(8);
  identity.writeUInt32BE(number * 7919, 0);
  identity.writeUInt32BE(number, 4);
  return identity;
};

it('knows the posts of a campaign only once the campaign exists', async () => {
  const { ledger } = testLedger();
  const staged = ledger.newImport();
  const rows = Array.from({ length: 1200 }, (_, row) => ({
    number: row + 1,
    cells: ['anna'],
    post: post(row),
  }));
  await staged.add(rows);
  expect(await ledger.posts.find('default', [post(3)])).toEqual([undefined]);
  const { id } = await staged.commit({ ...importFacts, sha256: 'one' });
  expect(await ledger.posts.find('default', [post(0), post(1199), post(1200)])).toEqual([id, id, undefined]);
  expect(await ledger.posts.find('other', [post(0)])).toEqual([undefined]);
});

it('names the newest campaign that has a post', async () => {
  const { ledger } = testLedger();
  for (const sha256 of ['one', 'two']) {
    const staged = ledger.newImport();
    await staged.add([{ number: 1, cells: ['anna'], post: post(1) }]);
    await staged.commit({ ...importFacts, sha256 });
  }
  expect(await ledger.posts.find('default', [post(1)])).toEqual(['c2']);
});

it('leaves nothing behind after a failed import', async () => {
  const { ledger, redis, prefix } = testLedger();
  const staged = ledger.newImport();
  await staged.add(
    Array.from({ length: 600 }, (_, row) => ({ number: row + 1, cells: ['a'], post: post(row) })),
  );
  await staged.discard();
  const left = (await redis.keys(`${prefix}:*`)).filter((key) => /:(posts|rows):/.test(key));
  // The rows of the chunk that was not full were never written.
  expect(left).toEqual([]);
});
