/** A small sheet with new rows only, between two versions of the plan. */
import { expect, it } from 'vitest';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { bring, contents, openPlan } from './plan-versions.ts';

it('what was fixed and skipped in the plan is kept by its next version', async (test) => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key));
  const more = videoRow('d');
  const scene = await openPlan(test, rows, { leaveOut: [3] });
  const fix = { campaign: 'c1', key: 'b', revision: 0, cells: new Map([['caption', 'Fixed']] as const) };
  await editRow(scene.runtime, fix, { dryRun: false, by: 'ann' });
  scene.media([more]);
  expect(await bring(scene, 'more.csv', [more])).toMatchObject({ counts: { new: 1 } });
  const next = await bring(scene, 'plan-2.csv', [...rows, more]);
  expect(next).toMatchObject({ counts: { unchanged: 3 }, skippedAgain: { count: 1 } });
  expect((await contents(scene))[1]).toMatchObject({ key: 'b', caption: 'Fixed' });
});
