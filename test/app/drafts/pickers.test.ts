import { expect, it } from 'vitest';
import { listCreators } from '../../../src/app/campaigns/look-up.ts';
import { openPictures } from '../../../src/app/campaigns/rows/pictures.ts';
import { pickCreators, pickProducts, pictureOfProduct } from '../../../src/app/drafts/pickers.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';

async function setup() {
  const runner = await openRunner();
  const { runtime } = await openPages(runner);
  return { runner, runtime };
}

it('creators are found by a part of their name, those that cannot post last', async () => {
  const { runtime } = await setup();
  const { shown: creators, found } = await pickCreators(runtime, 'DEMO_H');
  expect(found).toBe(3);
  expect(creators.map(({ name, state }) => [name, state])).toEqual([
    ['demo_henry', 'valid'],
    ['demo_hanna', 'valid'],
    ['demo_hugo', 'expired'],
  ]);
});

it.each([
  ['Henry demo', ['demo_henry']],
  // No username has all of it.
  ['Dr. Henry', ['demo_henry']],
])('the words of a name may be in another order, or some of them missing: %s', async (text, expected) => {
  const { runtime } = await setup();
  const { shown } = await pickCreators(runtime, text);
  expect(shown.map(({ name }) => name)).toEqual(expected);
});

it('says what a creator was found by, unless it is the name', async () => {
  const { runtime } = await setup();
  const { shown } = await pickCreators(runtime, 'demo_henry');
  expect(shown[0]?.foundBy).toBeUndefined();
  const [{ creatorId } = { creatorId: '' }] = await listCreators(runtime, { usernames: ['demo_henry'] });
  const byId = await pickCreators(runtime, creatorId);
  expect(byId.shown[0]).toMatchObject({ name: 'demo_henry', foundBy: `creator id ${creatorId}` });
});

it('one list of creators serves several searches', async () => {
  const { runner, runtime } = await setup();
  await pickCreators(runtime, 'anna');
  const calls = runner.sandbox.calls('listCreatorAccounts').length;
  await pickCreators(runtime, 'ben');
  expect(runner.sandbox.calls('listCreatorAccounts')).toHaveLength(calls);
});

it('products of a showcase come with title and price', async () => {
  const { runtime } = await setup();
  const { shown: products, found } = await pickProducts(runtime, 'demo_ben', '1729440002');
  expect(found).toBe(1);
  expect(products[0]).toMatchObject({ id: '1729440002', hasPicture: true });
  expect(products[0]?.price).toMatch(/^\d+\.\d\d [A-Z]{3}$/);
});

it('what no row could have is not offered', async () => {
  const { runner, runtime } = await setup();
  const { client } = await runtime.service.need();
  const [ben] = await pickedIds(runtime, 'demo_ben');
  const productIds = ['https://shop.example/product/1730000417', '1730000425', '1730000426.0'];
  await client.showcase.add({ id: 1002, addType: 'PRODUCT_ID', productIds });
  expect(await pickedIds(runtime, '1002')).toEqual(expect.arrayContaining([ben, '1730000425']));
  expect((await pickedIds(runtime, '1002')).filter((id) => /[/.]/.test(id))).toEqual([]);
  expect(runner.sandbox.calls('addSocialShowcaseProducts')).toHaveLength(1);
});

async function pickedIds(runtime: Runtime, creator: string) {
  const { shown } = await pickProducts(runtime, creator, '');
  return shown.map(({ id }) => id);
}

it('only pictures of the showcase are fetched', async () => {
  const { runtime } = await setup();
  const pictures = openPictures(runtime);
  await expect(pictureOfProduct({ runtime, pictures }, 'demo_ben', '1')).rejects.toMatchObject({
    message: 'the product has no picture',
  });
  const { contentType, close } = await pictureOfProduct({ runtime, pictures }, 'demo_ben', '1729440002');
  expect(contentType).toBe('image/jpeg');
  await close();
});
