import { describe, expect, it } from 'vitest';
import { callSandbox, testSandbox } from '../support/sandbox.ts';

const add = '/v1/creator/socialshop/product/addToShowcase';
const list = '/v1/creator/socialshop/product/listByShowcase?origin=SHOWCASE';
const carla = 1003;
const now = Date.UTC(2026, 5, 1);

describe('addSocialShowcaseProducts', () => {
  it('answers an empty object and the time when all were added', async () => {
    await using sandbox = await testSandbox({ clock: { now: () => now } });
    const reply = await callSandbox(sandbox, add, {
      id: carla,
      addType: 'PRODUCT_ID',
      productIds: ['1', '2'],
    });
    expect(reply).toEqual({ status: 200, code: 0, data: {}, message: 'success', timestamp: now });
    expect(sandbox.effects().showcase).toMatchObject([{ id: carla, added: ['1', '2'], refused: [] }]);
  });

  it('reports the products that failed with code 0, and adds the others', async () => {
    await using sandbox = await testSandbox();
    const productIds = ['1', 'unavailable-2'];
    const reply = await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_ID', productIds });
    expect(reply).toMatchObject({ status: 200, code: 0 });
    expect(reply.data.errors).toEqual([
      { code: 16001001, message: expect.any(String), detail: { productId: 'unavailable-2' } },
    ]);
    expect(sandbox.effects().showcase).toMatchObject([{ added: ['1'], refused: ['unavailable-2'] }]);
  });

  it.each([
    ['expired', 1059],
    ['not valid', 1058],
  ])('answers 40101 in Chinese for an authorization that is %s', async (_, id) => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, add, { id, addType: 'PRODUCT_ID', productIds: ['1'] });
    expect(reply).toMatchObject({ status: 200, code: 40101, data: {}, message: '授权已过期，请重新授权' });
    expect(reply.timestamp).toEqual(expect.any(Number));
    expect(sandbox.effects().showcase).toEqual([]);
  });

  it('refuses a creator whose authorization lacks the scopes, with a business code', async () => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, add, { id: 1057, addType: 'PRODUCT_ID', productIds: ['1'] });
    expect(reply.status).toBe(200);
    expect(reply.code).not.toBe(0);
    expect(reply.message).toContain('creator.showcase.write');
  });

  it('adds by link: the last part of its path is the product', async () => {
    await using sandbox = await testSandbox();
    const productLink = 'https://shop.example/view/product/1729?x=1';
    await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_LINK', productLink });
    expect(sandbox.effects().showcase).toMatchObject([{ added: ['1729'] }]);
  });

  it.each([
    ['https://shop.example/p/%C9%CC', '%C9%CC'],
    ['https://shop.example/p/%E5%95%86', '商'],
    ['https://shop.example', 'shop.example'],
    ['urn:product:1729', 'product:1729'],
  ])('takes %s as the link of %s', async (productLink, productId) => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_LINK', productLink });
    expect(reply).toMatchObject({ status: 200, code: 0 });
    expect(sandbox.effects().showcase).toMatchObject([{ added: [productId] }]);
  });

  it.each([
    ['productIds', { productIds: [] }],
    ['productIds', { productIds: Array.from({ length: 21 }, (_, index) => String(index)) }],
    ['productIds', {}],
    ['addType', { addType: 'PRODUCT_NAME', productIds: ['1'] }],
    ['productLink', { addType: 'PRODUCT_LINK', productLink: 'a.example/1' }],
    ['productLink', { addType: 'PRODUCT_LINK', productLink: 'https://a.example/a b' }],
    ['productLink', { addType: 'PRODUCT_LINK', productLink: 'https://a.example:65536/1' }],
    ['productLink', { addType: 'PRODUCT_LINK', productLink: 'http://' }],
    ['productLink', { addType: 'PRODUCT_LINK', productLink: 'file:///' }],
    ['id', { id: 'demo_carla', productIds: ['1'] }],
    ['id', { id: 999, productIds: ['1'] }],
  ])('names the field %s in %o', async (field, change) => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_ID', ...change });
    expect(reply).toMatchObject({ status: 400, data: { field } });
  });
});

describe('listSocialShowcaseProducts', () => {
  it('gives all pages by tokens, each within the cap, none twice', async () => {
    await using sandbox = await testSandbox({ maxPageSize: 20 });
    const ids: string[] = [];
    const sizes: number[] = [];
    let token = '';
    do {
      const query = token ? `&pageToken=${token}` : '';
      const { data } = await callSandbox(sandbox, `${list}&id=1001&pageSize=100${query}`);
      const products = data.products as { id: string }[];
      ids.push(...products.map((product) => product.id));
      sizes.push(products.length);
      expect(data.totalCount).toBe(45);
      token = String(data.nextPageToken);
    } while (token !== '');
    expect(sizes).toEqual([20, 20, 5]);
    expect(new Set(ids).size).toBe(45);
  });

  it('answers 40101 for an authorization that has expired, as every operation of the creator', async () => {
    await using sandbox = await testSandbox();
    const reply = await callSandbox(sandbox, `${list}&id=1059&pageSize=5`);
    expect(reply).toEqual({ status: 200, code: 40101, data: {}, message: '授权已过期，请重新授权' });
  });

  it('takes no token of another showcase', async () => {
    await using sandbox = await testSandbox();
    const { data } = await callSandbox(sandbox, `${list}&id=1001&pageSize=1`);
    const reply = await callSandbox(sandbox, `${list}&id=1002&pageSize=1&pageToken=${data.nextPageToken}`);
    expect(reply).toMatchObject({ status: 400, data: { field: 'pageToken' } });
  });

  it('shows a product that was added, with title, price and image', async () => {
    await using sandbox = await testSandbox();
    for (const _ of [1, 2]) {
      await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_ID', productIds: ['77'] });
    }
    const { data } = await callSandbox(sandbox, `${list}&id=${carla}&pageSize=5`);
    const [product, ...others] = data.products as { id: string; images: { url: string }[] }[];
    expect(others).toEqual([]);
    expect(product).toMatchObject({
      id: '77',
      title: expect.any(String),
      price: { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'USD' },
      images: [{ width: 320, height: 320 }],
    });
    const picture = await fetch(product?.images[0]?.url ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  it('shows a price, however long the id of the product is', async () => {
    await using sandbox = await testSandbox();
    await callSandbox(sandbox, add, { id: carla, addType: 'PRODUCT_ID', productIds: ['7'.repeat(250)] });
    const { data } = await callSandbox(sandbox, `${list}&id=${carla}&pageSize=5`);
    expect(data.products).toMatchObject([{ price: { amount: expect.stringMatching(/^\d+\.\d\d$/) } }]);
  });

  it.each([
    ['origin', '/v1/creator/socialshop/product/listByShowcase?id=1001&pageSize=5'],
    ['pageSize', `${list}&id=1001`],
    ['id', `${list}&id=anna&pageSize=5`],
    ['pageToken', `${list}&id=1001&pageSize=5&pageToken=nonsense`],
    ['titleKeyword', `${list}&id=1001&pageSize=5&titleKeyword=x`],
  ])('names the parameter %s', async (field, path) => {
    await using sandbox = await testSandbox();
    expect(await callSandbox(sandbox, path)).toMatchObject({ status: 400, data: { field } });
  });
});
