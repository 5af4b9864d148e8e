import { expect, it } from 'vitest';
import { bucketCount, identityBytes } from '../../src/ledger/planned-posts.ts';
import { importFacts, type TestLedger, testLedger } from '../support/ledger.ts';

const post = (number: number, time = 0) => {
  const identity = Buffer.alloc(identityBytes);
  identity.writeUInt16BE((number * 7919) % bucketCount, 0);
  identity.writeUInt32BE(number + 1, 2);
  identity.writeUIntBE(time, 6, 3);
  return identity;
};

async function importPosts(
  { ledger }: Pick<TestLedger, 'ledger'>,
  posts: readonly Buffer[],
  sha256: string,
  postsVersion?: string,
) {
  const staged = ledger.newImport();
  await staged.add(posts.map((each, row) => ({ number: row + 1, cells: ['anna'], post: each })));
  return staged.commit({ ...importFacts, sha256, postsVersion });
}

const many = Array.from({ length: 1200 }, (_, row) => post(row));

it('knows the posts of a campaign only once the campaign exists', async () => {
  const { ledger } = testLedger();
  const staged = ledger.newImport();
  await staged.add(many.map((each, row) => ({ number: row + 1, cells: ['anna'], post: each })));
  expect(await ledger.posts.find([post(3)])).toEqual([[]]);
  const { id } = await staged.commit({ ...importFacts, sha256: 'one' });
  expect(await ledger.posts.find([post(0), post(777), post(1199), post(1200)])).toEqual([
    [{ campaign: id, row: 0, isSameTime: true }],
    [{ campaign: id, row: 777, isSameTime: true }],
    [{ campaign: id, row: 1199, isSameTime: true }],
    [],
  ]);
});

it('names the rows at the same time first, the newest of them first', async () => {
  const test = testLedger();
  await importPosts(test, [post(1, 5)], 'one');
  await importPosts(test, [post(1, 6)], 'two');
  await importPosts(test, [post(2), post(1, 5)], 'three');
  expect(await test.ledger.posts.find([post(1, 5)])).toEqual([
    [
      { campaign: 'c3', row: 1, isSameTime: true },
      { campaign: 'c1', row: 0, isSameTime: true },
      { campaign: 'c2', row: 0, isSameTime: false },
    ],
  ]);
});

it('finds entries only where they begin', async () => {
  const test = testLedger();
  const first = post(1);
  const second = post(1);
  // The tail of one is found in the middle of the other, too.
  first.writeUIntBE(0x0a0b0c, 6, 3);
  second.writeUInt32BE(0x0a0b0c00, 2);
  await importPosts(test, [first], 'one');
  expect(await test.ledger.posts.find([second])).toEqual([[]]);
});

it('remembers the posts of last year, and forgets those of the year before', async () => {
  const test = testLedger();
  test.clock.now = Date.UTC(2025, 0, 1);
  await importPosts(test, [post(1)], 'one');
  test.clock.now = Date.UTC(2026, 11, 31);
  expect((await test.ledger.posts.find([post(1)]))[0]).toHaveLength(1);
  test.clock.now = Date.UTC(2027, 1, 1);
  expect((await test.ledger.posts.find([post(1)]))[0]).toHaveLength(0);
  const { redis, prefix } = test;
  for (const key of await redis.keys(`${prefix}:planned:2025:*`)) {
    expect(await redis.pttl(key)).toBeGreaterThan(2 * 364 * 24 * 3_600_000);
  }
});

it('an import that was overtaken by the same post is refused, and leaves nothing behind', async () => {
  const test = testLedger();
  const { ledger, redis, prefix } = test;
  const seen = await ledger.posts.version();
  await importPosts(test, [post(1)], 'one');
  expect(await importPosts(test, [post(2), post(1, 9)], 'two', seen)).toEqual({ id: '', kind: 'overtaken' });
  expect((await redis.keys(`${prefix}:*`)).filter((key) => key.includes('staged'))).toEqual([]);
  expect(await ledger.campaigns.count()).toBe(1);
  expect(await importPosts(test, [post(2)], 'two', seen)).toEqual({ id: 'c2', kind: 'created' });
});

it('leaves nothing behind after a failed import', async () => {
  const { ledger, redis, prefix } = testLedger();
  const staged = ledger.newImport();
  await staged.add(many.slice(0, 600).map((each, row) => ({ number: row + 1, cells: ['a'], post: each })));
  await staged[Symbol.asyncDispose]();
  const left = (await redis.keys(`${prefix}:*`)).filter((key) => /:(planned|rows):/.test(key));
  expect(left).toEqual([]);
});

it('two million equal posts do not fill a bucket beyond its bound, nor an answer', async () => {
  const { ledger, redis } = testLedger();
  const key = ledger.keys.planned('2026', 5);
  await redis.set(key, Buffer.alloc(11 * 2_000_000, 7));
  const same = Buffer.alloc(identityBytes, 7);
  same.writeUInt16BE(5, 0);
  const staged = ledger.newImport();
  await staged.add([{ number: 1, cells: ['anna'], post: same }]);
  await staged.commit({ ...importFacts, sha256: 'one' });
  expect(await redis.strlen(key)).toBe(11 * 1024 * 1024);
  expect((await ledger.posts.find([same]))[0]).toEqual([{ campaign: 'c1', row: 0, isSameTime: true }]);
});
