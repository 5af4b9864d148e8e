/** A plan with running numbers as keys, whose next version has been renumbered. */
import { expect, it, type TestContext } from 'vitest';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { bring, openPlan, results } from './plan-versions.ts';

const captions = ['One', 'Two', 'Three', 'Four', 'Five'];
const postOf = (caption: string): Cells => videoRow(caption, { caption, media: `${caption}.mp4` });
const numbered = (rows: readonly Cells[]): Cells[] =>
  rows.map((row, index) => ({ ...row, key: String(index + 1) }));

/** Its third row is posted, and the creator of its fourth was fixed. */
async function openNumbered(test: TestContext) {
  const rows = numbered(captions.map(postOf)).with(3, { ...postOf('Four'), key: '4', creator: 'demo ben' });
  const fixed = { row: 4, position: Object.keys(rows[3] ?? {}).indexOf('creator'), text: 'demo_ben' };
  const scene = await openPlan(test, rows, { cells: [fixed] });
  await asIf(scene.runner).ended('c1', [{ row: 2, state: 'posted' }]);
  return { scene, rows };
}

it('a row that is inserted is the only new one, and no post is sent again', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const added = postOf('Between');
  scene.media([added]);
  const { counts, problems, absent } = await bring(
    scene,
    'plan-2.csv',
    numbered(rows.toSpliced(1, 0, added)),
  );
  expect({ counts, problems }).toEqual({ counts: { unchanged: 4, posted: 1, new: 1 }, problems: [] });
  expect(absent.count).toBe(0);
  const posts = (await results(scene)).map(({ caption, creator }) => `${caption} ${creator}`);
  expect(posts.toSorted()).toEqual([
    'Between demo_anna',
    'Five demo_anna',
    'Four demo_ben',
    'One demo_anna',
    'Three demo_anna',
    'Two demo_anna',
  ]);
});

it('a row that is removed is the only one that is missing, and an edit beside it comes in', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const next = numbered(rows.toSpliced(0, 1)).map((row) =>
    row.caption === 'Five' ? { ...row, product_id: '1729000000000000999' } : row,
  );
  const { counts, changes, absent } = await bring(scene, 'plan-2.csv', next);
  expect(counts).toEqual({ unchanged: 2, posted: 1, changed: 1 });
  expect(changes).toMatchObject([{ key: '5', cells: [{ column: 'product_id' }] }]);
  expect(absent).toEqual({ count: 1, keys: ['1'] });
});

it('a row that was skipped is skipped again under its new number', async (test) => {
  const rows = numbered(captions.map(postOf));
  const scene = await openPlan(test, rows, { leaveOut: [4] });
  const added = postOf('Between');
  scene.media([added]);
  const { counts, skippedAgain } = await bring(scene, 'plan-2.csv', numbered([added, ...rows]));
  expect(counts).toEqual({ unchanged: 4, new: 1 });
  expect(skippedAgain).toMatchObject({ count: 1 });
});

it('a fix is not carried into another post with the key of its row', async (test) => {
  const rows = [postOf('One'), { ...postOf('Two'), creator: '' }];
  const fixed = { row: 2, position: Object.keys(rows[0] ?? {}).indexOf('creator'), text: 'demo_ben' };
  const scene = await openPlan(test, rows, { cells: [fixed] });
  const other = { ...postOf('Other'), key: 'Two', creator: '' };
  scene.media([other]);
  expect((await bring(scene, 'plan-2.csv', [postOf('One'), other])).problems).toEqual(['missing_value']);
});

it('keys that are edited where they stand are those of their rows', async (test) => {
  const { scene, rows } = await openNumbered(test);
  const next = rows.with(0, { ...rows[0], caption: 'Uno' });
  expect((await bring(scene, 'plan-2.csv', next)).counts).toEqual({ unchanged: 3, posted: 1, changed: 1 });
});
