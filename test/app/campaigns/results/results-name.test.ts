/** Results have the name of the planner's last version. */
import { expect, it } from 'vitest';
import { findCampaign } from '../../../../src/app/campaigns/find.ts';
import { resultsName } from '../../../../src/app/campaigns/results/own-sheet.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { bring, openPlan, results } from '../import/plan-versions.ts';

const rows = ['a', 'b', 'c'].map((key) => videoRow(key));

it('after an update with it, and not with some rows or a results sheet', async (test) => {
  const scene = await openPlan(test, rows, {});
  scene.media([videoRow('d'), videoRow('e')]);
  const named = async () => resultsName(scene.runtime, await findCampaign(scene.runtime, 'c1'));
  const names = [await named()];
  const sheets = [
    ['plan-2.csv', [...rows, videoRow('d')]],
    ['late.csv', [videoRow('e')]],
    ['plan-3.csv', [...rows, videoRow('d'), videoRow('e')]],
  ] as const;
  for (const [file, next] of sheets) {
    expect(await bring(scene, file, next)).toMatchObject({ kind: 'updated' });
    names.push(await named());
  }
  expect(await bring(scene, 'plan-3, results.csv', await results(scene))).toMatchObject({ kind: 'updated' });
  expect([...names, await named()]).toEqual(['plan-1', 'plan-2', 'plan-2', 'plan-3', 'plan-3']);
});

it('unless a person has named the campaign', async (test) => {
  const scene = await openPlan(test, rows, {});
  const campaign = { ...(await findCampaign(scene.runtime, 'c1')), name: 'Spring' };
  expect(await resultsName(scene.runtime, campaign)).toBe('Spring');
});
