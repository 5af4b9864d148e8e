import { expect, test } from 'vitest';
import { testLedger } from '../../support/ledger.ts';
import { keysOf } from '../../support/redis/redis.ts';

test('rows that were left out are counted once each, and no more once they have come in', async () => {
  const { ledger, campaign } = testLedger();
  const names = (...all: readonly string[]) => {
    const staged = ledger.leftOut.stage();
    for (const name of all) staged.push(name);
    return staged;
  };
  const id = await campaign(1, { leftOut: 2 });
  await ledger.leftOut.remember(id, names('a', 'b'));
  const leftOut = async () => (await ledger.campaigns.find(id))?.leftOut;
  await ledger.leftOut.count(id, { leftOut: names('b', 'c'), cameIn: names() });
  expect(await leftOut()).toBe(3);
  await ledger.leftOut.count(id, { leftOut: names(), cameIn: names('a', 'another') });
  expect(await leftOut()).toBe(2);
  await ledger.leftOut.count(id, { leftOut: names(), cameIn: names('a', 'b', 'c') });
  expect(await leftOut()).toBe(0);
});

test('those of the next version of a plan replace them, and there may be none', async () => {
  const { ledger, redis, campaign } = testLedger();
  const id = await campaign(1, { leftOut: 1 });
  for (const names of [['a', 'b', 'b'], []]) {
    const staged = ledger.leftOut.stage();
    for (const name of names) await staged.add(name);
    for (let time = 0; time < 2; time += 1) await ledger.leftOut.remember(id, staged);
    expect((await ledger.campaigns.find(id))?.leftOut).toBe(names.length);
    expect(await redis.scard(ledger.keys.leftOut(id))).toBe(new Set(names).size);
  }
});

test('names of an import that is given up are held in the ledger meanwhile, and go with it', async () => {
  const { ledger, redis } = testLedger();
  const staged = ledger.leftOut.stage();
  for (let row = 0; row < 1200; row += 1) await staged.add(`r${row}`);
  const key = ledger.keys.stagedNames(staged.store);
  expect(await redis.scard(key)).toBe(1000);
  expect(await redis.ttl(key)).toBeGreaterThan(0);
  await staged[Symbol.asyncDispose]();
  expect(await keysOf(redis, key)).toEqual([]);
});

test('names that are remembered are permanent', async () => {
  const { ledger, redis, campaign } = testLedger();
  const id = await campaign(1);
  const staged = ledger.leftOut.stage();
  await staged.add('a');
  for (let time = 0; time < 2; time += 1) await ledger.leftOut.remember(id, staged);
  expect(await redis.smembers(ledger.keys.leftOut(id))).toEqual(['a']);
  expect(await redis.ttl(ledger.keys.leftOut(id))).toBe(-1);
});
