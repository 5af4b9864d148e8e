import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const products = (scene: Scene) =>
  scene.sandbox
    .calls('addSocialShowcaseProducts')
    .map(({ body }) => (body as { productIds?: string[] }).productIds);

describe('additions to a showcase', () => {
  it('fail only the rows whose product was refused, and a retry sends only that product', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({
      operation: 'addSocialShowcaseProducts',
      kind: 'product-errors',
      productIds: ['p-2'],
    });
    const rows = [videoRow('1'), videoRow('2'), videoRow('3', { product_id: 'p-2' }), videoRow('4')];
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(3);
    const statuses = () => scene.results().rows.map(({ status }) => status);
    expect(statuses()).toEqual(['posted', 'failed', 'failed', 'posted']);

    expect((await scene.run(['retry', 'c1', '--error', '16001001'])).code).toBe(0);
    expect((await scene.run(['run'])).code).toBe(0);
    expect(statuses()).toEqual(['posted', 'posted', 'posted', 'posted']);
    expect(products(scene)).toEqual([['p-1', 'p-2', 'p-4'], ['p-2']]);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('that are refused as a whole are made one by one, so that one bad product fails alone', async (test) => {
    const scene = await openScene(test);
    const operation = 'addSocialShowcaseProducts';
    scene.sandbox.faults.add({
      operation,
      kind: 'status',
      status: 400,
      match: { productIds: ['p-2'] },
      times: 'always',
    });
    expect((await scene.run(['run', scene.manifest(['1', '2', '3'].map((key) => videoRow(key)))])).code).toBe(
      3,
    );
    expect(scene.results().rows.map(({ status }) => status)).toEqual(['posted', 'failed', 'posted']);
    expect(products(scene)).toEqual([['p-1', 'p-2', 'p-3'], ['p-1'], ['p-2'], ['p-3']]);
  });

  it('are not made for a product that was added before', async (test) => {
    const scene = await openScene(test);
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    const later = scene.manifest([videoRow('2', { product_id: 'p-1' })], 'later.csv');
    expect((await scene.run(['run', later])).code).toBe(0);
    expect(products(scene)).toEqual([['p-1']]);
  });
});

describe('an authorization that has expired', () => {
  it('fails all rows of its creator after one call', async (test) => {
    const scene = await openScene(test, { settings: { concurrency: { post: 1 } } });
    const rows = ['1', '2', '3', '4'].map((key) => {
      const creator = key === '4' ? 'demo_anna' : 'demo_ines';
      return videoRow(key, { creator, product_source: 'SHOP' });
    });
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(3);
    const outcomes = scene.results().rows.map((row) => [row.status, row.error_code]);
    expect(outcomes).toEqual([
      ['failed', '40101'],
      ['failed', '40101'],
      ['failed', '40101'],
      ['posted', ''],
    ]);
    expect(scene.sandbox.counts().createCreatorPost).toBe(2);
    expectAgreement(scene.sandbox, scene.results());
  });
});
