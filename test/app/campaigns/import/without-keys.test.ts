/** Next versions of a plan without keys. */
import { describe, expect, it } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { bring, openPlan, withoutKeys } from './plan-versions.ts';

describe('of a plan without keys,', () => {
  const rows = withoutKeys(['a', 'b', 'c'].map((key) => videoRow(key)));
  const [a = {}, b = {}, c = {}] = rows;
  const of = (key: string, more: Cells = {}) => withoutKeys([videoRow(key, more)])[0] ?? {};

  it('another video with the caption of a posted row that was removed is new', async (test) => {
    const same = rows.map((row) => ({ ...row, caption: 'Shop now' }));
    const scene = await openPlan(test, same, {});
    await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
    const next = [...same.slice(1), of('d', { caption: 'Shop now' })];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 2, new: 1 });
  });

  it('a post of another creator in the line of a posted row is new', async (test) => {
    const scene = await openPlan(test, rows, {});
    await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
    const next = [a, of('d', { creator: 'demo_ben' }), c];
    scene.media(next);
    expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 2, new: 1 });
  });

  it('a row that may be a posted one, edited, has to be decided', async (test) => {
    const scene = await openPlan(test, rows, {});
    await asIf(scene.runner).ended('c1', [{ row: 1, state: 'posted' }]);
    const edited = { ...b, caption: 'Corrected', media: 'final.mp4' };
    scene.media([edited]);
    const asked = await bring(scene, 'plan-2.csv', [a, edited, c]);
    expect(asked).toMatchObject({ kind: 'problems', problems: ['may_be_row'] });
  });

  it('one clip for several products is one post for each', async (test) => {
    const product = (product_id: string) => of('a', { product_id });
    const scene = await openPlan(test, [product('11'), product('12')], {});
    await asIf(scene.runner).ended('c1', [{ row: 0, state: 'posted' }]);
    const { counts } = await bring(scene, 'plan-2.csv', [product('13'), product('11'), product('12')]);
    expect(counts).toEqual({ posted: 1, unchanged: 1, new: 1 });
  });
});
