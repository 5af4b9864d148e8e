import { expect, it } from 'vitest';
import { openPictures } from '../../src/campaigns/rows/pictures.ts';
import { pickCreators, pickProducts, pictureOfProduct } from '../../src/drafts/pickers/lists.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner } from '../support/in-process.ts';

async function setup() {
  const runner = await openRunner();
  const { runtime } = await openPages(runner);
  return { runner, runtime };
}

it('creators are found by a part of their name, those that cannot post last', async () => {
  const { runtime } = await setup();
  const { shown: creators, found } = await pickCreators(runtime, undefined, 'DEMO_H');
  expect(found).toBe(3);
  expect(creators.map(({ name, state }) => [name, state])).toEqual([
    ['demo_henry', 'valid'],
    ['demo_hanna', 'valid'],
    ['demo_hugo', 'expired'],
  ]);
});

it('says what a creator was found by, unless it is the name', async () => {
  const { runtime } = await setup();
  const { shown } = await pickCreators(runtime, undefined, 'demo_henry');
  expect(shown[0]?.foundBy).toBeUndefined();
  const byId = await pickCreators(runtime, undefined, shown[0]?.creatorId ?? '');
  expect(byId.shown[0]).toMatchObject({ name: 'demo_henry', foundBy: `creator id ${shown[0]?.creatorId}` });
});

it('one list of creators serves several searches', async () => {
  const { runner, runtime } = await setup();
  await pickCreators(runtime, undefined, 'anna');
  const calls = runner.sandbox.calls('listCreatorAccounts').length;
  await pickCreators(runtime, undefined, 'ben');
  expect(runner.sandbox.calls('listCreatorAccounts')).toHaveLength(calls);
});

it('products of a showcase come with title and price', async () => {
  const { runtime } = await setup();
  const { shown: products, found } = await pickProducts(runtime, undefined, 'demo_ben', '1729440002');
  expect(found).toBe(1);
  expect(products[0]).toMatchObject({ id: '1729440002', hasPicture: true });
  expect(products[0]?.price).toMatch(/^\d+\.\d\d [A-Z]{3}$/);
});

it('only pictures of the showcase are fetched', async () => {
  const { runtime } = await setup();
  const pictures = openPictures(runtime);
  await expect(pictureOfProduct({ runtime, pictures }, undefined, 'demo_ben', '1')).rejects.toMatchObject({
    message: 'the product has no picture',
  });
  const { contentType, close } = await pictureOfProduct(
    { runtime, pictures },
    undefined,
    'demo_ben',
    '1729440002',
  );
  expect(contentType).toBe('image/png');
  await close();
});
