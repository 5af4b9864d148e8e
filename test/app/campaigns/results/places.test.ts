/** Results are written into the places that became rows of the campaign, whatever keys other places have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { type Edit, Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { openHall } from '../import/sheets-in-turn.ts';

async function openWorkbook(test: TestContext, rows: readonly Cells[], edit: Edit = {}) {
  const scene = await openHall(test);
  const { runtime, runner } = scene;
  const open = async (of: readonly Cells[]) => {
    scene.media(of);
    return openManifest(runtime, await writeWorkbook({ sheets: [worksheetOf('Plan', of)] }));
  };
  await using manifest = await open(rows);
  const edits = new Edits([{ ...edit, at: 0, by: 'ann', of: '' }]);
  await startCampaign(runtime, manifest, { mediaRoot: runner.folder, edits, problemsFile: null });
  const update = async (next: readonly Cells[] | string) => {
    await using manifest = await (typeof next === 'string' ? openManifest(runtime, next) : open(next));
    return updateCampaign(runtime, 'c1', manifest, { problemsFile: null, skipInvalid: true });
  };
  const results = async () => {
    const { path = '' } = await writeResults(runtime, 'c1', { to: join(runner.folder, 'r.xlsx') });
    return path;
  };
  const lines = async () => {
    const sheet = await openSheet(fileSource(await results()));
    const at = ['media', 'status'].map((name) => sheet.header.cells.indexOf(name));
    const rows = (await Array.fromAsync(sheet.rows)).flat();
    return rows.map(({ cells }) => at.map((position) => cells[position]).join(' '));
  };
  return { update, results, lines };
}

it('a row that was skipped is not posted by the results workbook that comes back', async (test) => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key));
  const { update, results, lines } = await openWorkbook(test, rows, { leaveOut: [3] });
  for (const _again of [1, 2]) {
    const { kind, matches, skippedAgain } = await update(await results());
    expect([kind, matches.new.count, matches.unchanged.count, skippedAgain.count]).toEqual([
      'updated',
      0,
      2,
      1,
    ]);
  }
  expect(await lines()).toEqual(['a.mp4 waiting', 'b.mp4 waiting', 'c.mp4 ']);
});

it('a row that is skipped again keeps its texts, though it now has the number of a removed row', async (test) => {
  const posts = ['One', 'Two', 'Three', 'Skipped'].map((caption) => videoRow(caption, { caption }));
  const numbered = (rows: readonly Cells[]) => rows.map((row, index) => ({ ...row, key: String(index + 1) }));
  const { update, lines } = await openWorkbook(test, numbered(posts), { leaveOut: [4] });
  await update(numbered(posts.toSpliced(2, 1)));
  expect((await lines()).slice(0, 3)).toEqual(['One.mp4 waiting', 'Two.mp4 waiting', 'Skipped.mp4 ']);
});

it('a row that her own status skips keeps its texts, though another row has its key', async (test) => {
  const scene = await openHall(test);
  const { runtime, runner } = scene;
  const rows = [videoRow('a', { Status: 'Ready' }), { ...videoRow('x'), key: 'a', Status: 'Cancelled' }];
  scene.media(rows);
  await startCampaign(runtime, scene.write(rows), { problemsFile: null, sheet: { ownStatus: 'skip' } });
  const { path = '' } = await writeResults(runtime, 'c1', { to: join(runner.folder, 'r.csv') });
  const [, first, second] = readFileSync(path, 'utf8').split('\n');
  expect(first).toMatch(/a\.mp4.*waiting/);
  expect(second).toMatch(/x\.mp4/);
  expect(second).not.toMatch(/waiting/);
});
