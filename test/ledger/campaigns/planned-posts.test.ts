import { expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { importFacts, testLedger } from '../../support/ledger.ts';
import { redisNamespace } from '../../support/redis/redis.ts';

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

it('that cannot be written are warned of, and do not fail the import', async () => {
  const { redis, prefix } = redisNamespace();
  const warnings: object[] = [];
  const ledger = createLedger({ redis, prefix, warn: (facts) => void warnings.push(facts) });
  const bucket = post(1).readUInt16BE(0) % 2048;
  await redis.set(ledger.keys.account('default', `posts:${bucket}`), 'not a hash');
  const staged = ledger.newImport();
  await staged.add([{ number: 1, cells: ['anna'], post: post(1) }]);
  const { id, kind } = await staged.commit({ ...importFacts, sha256: 'one' });
  expect(kind).toBe('created');
  expect(warnings).toEqual([{ campaign: id, error: expect.stringContaining('WRONGTYPE') }]);
});
