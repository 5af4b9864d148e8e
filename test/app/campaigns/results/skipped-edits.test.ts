/** Edits of rows that are in no campaign: they were skipped, or left out with other problems. The next version of the sheet has them again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { cells, csvFile, header, type Imported, imported, line, results } from './own-sheet-scene.ts';

const [creator, caption, title] = [1, 3, 5];
const of = (n: number) => cells.with(0, `N-${n}`).with(4, `p-N-${n}`).with(caption, `Post ${n}`);
const long = 'A title that is much too long for its column';
/** Of the second row, only the title is fixed; the third is skipped. */
const plan = [of(1), of(2).with(title, long).with(creator, 'nobody'), of(3).with(title, long)];
const file = (rows: readonly (readonly string[])[]) =>
  csvFile(Buffer.from([header, ...rows].map((row) => line(row)).join('\n')));
const fixed = [2, 3].map((row) => ({ row, position: title, text: 'A short title' }));

async function bring({ runtime, id }: Imported, rows: readonly (readonly string[])[]) {
  await using manifest = await openManifest(runtime, await file(rows));
  const options = { skipInvalid: true, problemsFile: null };
  const { check } = await updateCampaign(runtime, id, manifest, options);
  return check.problems.kept.map(({ code, line: at }) => `${at} ${code}`);
}

it('a row that was left out keeps what was fixed, also in the version after the next', async (test) => {
  const edits = new Edits([{ at: 0, by: 'ann', of: '', cells: fixed, leaveOut: [3] }]);
  const campaign = await imported(test, await file(plan), {}, edits, true);
  const added = [of(4), of(5)];
  for (const more of [added.slice(0, 1), added]) {
    expect(await bring(campaign, [...plan, ...more])).toEqual(['3 creator_unknown']);
    await results(campaign, 'r.csv');
    const sheet = await openSheet(fileSource(join(campaign.folder, 'r.csv')));
    const at = sheet.header.cells.indexOf('error');
    const errors = (await Array.fromAsync(sheet.rows)).flat().map((row) => row.cells[at]);
    expect(errors[1]).toMatch(/^creator/);
    expect(errors[1]).not.toContain('title');
    expect(errors[2]).toBe('Skipped by you.');
  }
});
