import { expect, test } from 'vitest';
import { testLedger } from '../../support/ledger.ts';

test('rows that were left out are counted once each, and no more once they have come in', async () => {
  const { ledger, redis, campaign } = testLedger();
  const id = await campaign(1);
  await redis.hset(ledger.keys.campaign(id), 'leftOut', 2);
  await ledger.leftOut.remember(id, ['a', 'b']);
  const leftOut = async () => (await ledger.campaigns.find(id))?.leftOut;
  await ledger.leftOut.count(id, { leftOut: ['b', 'c'], cameIn: [] });
  expect(await leftOut()).toBe(3);
  await ledger.leftOut.count(id, { leftOut: [], cameIn: ['a', 'another'] });
  expect(await leftOut()).toBe(2);
  await ledger.leftOut.count(id, { leftOut: [], cameIn: ['a', 'b', 'c'] });
  expect(await leftOut()).toBe(0);
});
