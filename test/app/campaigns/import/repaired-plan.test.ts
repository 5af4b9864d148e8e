/** A plan without keys whose rows were fixed in a results sheet, and whose next version comes then. */
import { describe, expect, it, type TestContext } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { bring, contents, openPlan, results } from './plan-versions.ts';

const keyless = ['One', 'Two', 'Three'].map((caption): Cells => {
  const { key: _key, ...row } = videoRow('a', { caption, media: `${caption}.mp4` });
  return row;
});

const kinds = ['all results', 'the result of the row', 'the row of the plan'] as const;

/** The second row gets another product by another sheet. */
async function openRepaired(test: TestContext, kind: (typeof kinds)[number]) {
  const scene = await openPlan(test, keyless, {});
  const rows = kind === 'the row of the plan' ? keyless : await results(scene);
  const fixed = rows.map((row) => (row.caption === 'Two' ? { ...row, product_id: otherProduct } : row));
  const sheet = kind === 'all results' ? fixed : fixed.filter(({ caption }) => caption === 'Two');
  expect((await bring(scene, 'fixed.csv', sheet)).counts).toMatchObject({ changed: 1 });
  return scene;
}

const otherProduct = '1729000000000000999';

describe.each(kinds)('fixed by %s', (kind) => {
  it('has no new row in the next version but the added one', async (test) => {
    const scene = await openRepaired(test, kind);
    const { key: _key, ...added } = videoRow('d', { caption: 'Four', media: 'Four.mp4' });
    scene.media([added]);
    const { counts, absent } = await bring(scene, 'plan-2.csv', [...keyless, added]);
    expect(counts).toEqual({ unchanged: 3, new: 1 });
    expect(absent.count).toBe(0);
  });

  it('has its results in the row that was fixed', async (test) => {
    const rows = await contents(await openRepaired(test, kind));
    const shown = rows.map(({ caption, product_id: product, key }) => [
      caption,
      product === otherProduct,
      key,
    ]);
    expect(shown).toEqual([
      ['One', false, '1'],
      ['Two', true, '2'],
      ['Three', false, '3'],
    ]);
  });
});
