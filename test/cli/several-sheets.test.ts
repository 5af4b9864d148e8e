import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkbook } from '../../src/sheets/xlsx/workbook.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, type Scene } from '../support/processes/scene.ts';
import { writeMedia } from '../support/sheets/media.ts';
import { localFiles, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../support/sheets/workbook.ts';

const both = ['--sheet', 'Week 1', '--sheet', 'Week 2'];
const week1 = [videoRow('a'), videoRow('b')];

/** Writes `plan.xlsx` with a worksheet for each week, and the media of the rows. */
async function writePlan(scene: Scene, ...weeks: readonly (readonly Cells[])[]): Promise<void> {
  const sheets = weeks.map((rows, index) => worksheetOf(`Week ${index + 1}`, rows));
  copyFileSync(await writeWorkbook({ sheets }), join(scene.folder, 'plan.xlsx'));
  writeMedia(scene.folder, localFiles(weeks.flat()));
}

describe('several sheets of a workbook', () => {
  it('are offered by the check, which then names the worksheet of each problem', async (test) => {
    const scene = await openScene(test);
    await writePlan(scene, week1, [videoRow('c'), videoRow('d', { caption: '' }), videoRow('a')]);
    const first = await scene.run(['check', 'plan.xlsx']);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("--sheet 'Week 1' --sheet 'Week 2'");

    const all = await scene.run(['check', 'plan.xlsx', ...both, '--problems', 'problems.csv']);
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(/Week 2, line 3 +d +caption/);
    expect(all.stdout).toMatch(/Week 2, line 4 +a +key .*\n +The row on Week 1, line 2 has the same key/);
    const places = scene.results('problems.csv').rows.map(({ key, line }) => [key, line]);
    expect(places).toEqual([
      ['d', 'Week 2, line 3'],
      ['a', 'Week 2, line 4'],
    ]);
  });

  it('become one campaign, which is found again, updated, and answered in the workbook', async (test) => {
    const scene = await openScene(test);
    await writePlan(scene, week1, [videoRow('c')]);
    expect((await scene.run(['run', 'plan.xlsx', ...both])).code).toBe(0);
    const again = await scene.run(['run', 'plan.xlsx', ...both]);
    expect(again.stderr).toContain('this sheet was imported before, as campaign c1');

    await writePlan(scene, week1, [videoRow('c'), videoRow('d')]);
    const only = ['--sheet', 'Week 1', '--into', 'c1', '--dry-run', '--json'];
    const planned = await scene.run(['run', 'plan.xlsx', ...only]);
    expect(JSON.parse(planned.stdout).matches).toMatchObject({ posted: 2, new: 0 });
    const updated = await scene.run(['run', 'plan.xlsx', '--into', 'c1', '--json']);
    expect(JSON.parse(updated.stdout).matches).toMatchObject({ posted: 3, new: 1 });
    await using workbook = await openWorkbook(join(scene.folder, 'plan.results.xlsx'));
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['Week 1', 'Week 2']);
    const { stderr } = await scene.run(['report', 'c1', '--out', 'all.csv']);
    expect(stderr).toContain('To get them in your own file, choose the format of that file.');
    const { rows } = scene.results('all.csv');
    expect(rows.map(({ key, status }) => `${key} ${status}`)).toEqual([
      'a posted',
      'b posted',
      'c posted',
      'd posted',
    ]);
    expectAgreement(scene.sandbox, scene.results('all.csv'));
  });
});
