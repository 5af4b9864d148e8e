/** Rows that are changed before the canary of their campaign goes out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { CanaryChoice } from '../../../../src/app/campaigns/import/canary.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key));

async function openCanary(test: TestContext, canary: CanaryChoice) {
  const runner = await openRunner({}, test);
  const { runtime } = await openPages(runner, test);
  const save = (file: string, of: readonly Cells[]) => {
    writeMedia(runner.folder, localFiles(of));
    const path = join(runner.folder, file);
    writeFileSync(path, sheetText(of));
    return { file: path, path, name: file, folder: runner.folder };
  };
  await startCampaign(runtime, save('plan-1.csv', rows), { problemsFile: null, canary });
  const admitted = async () => {
    await runner.admit('c1');
    const states = (await runner.rows('c1')).map(({ state }) => state);
    return rows.flatMap(({ key }, index) => (states[index] === 'running' ? [key] : []));
  };
  return { runtime, save, admitted };
}

it.for<[string, CanaryChoice, number, string[]]>([
  ['first', 1, 3, ['a']],
  ['chosen', { rows: [3] }, 0, ['c']],
  ['chosen', { rows: [3] }, 2, ['c']],
])('the %s rows are the canary %j, although an update changes row %i', async ([, canary, at, out], test) => {
  const { runtime, save, admitted } = await openCanary(test, canary);
  const next = rows.with(at, { ...rows[at], caption: 'Edited' });
  const { matches } = await updateCampaign(runtime, 'c1', save('plan-2.csv', next), { problemsFile: null });
  expect(matches.changed.count).toBe(1);
  expect(await admitted()).toEqual(out);
});

it('a row that is edited in the console does not go out before the first ones', async (test) => {
  const { runtime, admitted } = await openCanary(test, 2);
  const cells = new Map([['caption', 'Edited']] as const);
  await editRow(runtime, { campaign: 'c1', key: 'd', revision: 0, cells }, { dryRun: false, by: 'ann' });
  await editRow(runtime, { campaign: 'c1', key: 'b', revision: 0, cells }, { dryRun: false, by: 'ann' });
  expect(await admitted()).toEqual(['a', 'b']);
});
