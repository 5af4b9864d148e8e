import { expect, it } from 'vitest';
import type { ShowcaseEntry } from '../../../src/ledger/service/creators.ts';
import { testLedger } from '../../support/ledger.ts';

const link = 'https://shop.example/p/1';
const byId = { creatorId: 'anna', productId: '1' };
const byLink = { ...byId, link };

/** A ledger with a campaign that adds products. */
async function additions() {
  const test = testLedger();
  const campaign = await test.campaign(1);
  const end = { campaign, jobId: 'job', ready: [], failed: [] };
  return {
    add: (...added: readonly ShowcaseEntry[]) => test.ledger.showcase.finish({ ...end, added }),
    known: (...entries: readonly ShowcaseEntry[]) => test.ledger.creators.knownProducts(entries),
    done: async () => (await test.ledger.campaigns.find(campaign))?.done.showcase,
  };
}

it('a product that was added by link is not known as added by id', async () => {
  const { add, known } = await additions();
  await add(byLink);
  const others = [
    { ...byId, creatorId: 'ben' },
    { ...byLink, link: `${link}?` },
  ];
  expect(await known(byLink, { ...byLink, productId: '2' }, byId, ...others)).toEqual([
    'added',
    'added',
    'linked',
    undefined,
    undefined,
  ]);
});

it('a product that was added by id is not known as added by link', async () => {
  const { add, known } = await additions();
  await add(byId);
  expect(await known(byId, byLink)).toEqual(['added', undefined]);
});

it.for([
  ['by link first', [byLink, byId]],
  ['by id first', [byId, byLink]],
] as const)('an addition in both ways counts twice, however often it is written (%s)', async ([, order]) => {
  const { add, known, done } = await additions();
  for (const entry of [...order, ...order]) await add(entry);
  expect(await known(byId, byLink)).toEqual(['added', 'added']);
  expect(await done()).toBe(2);
});
