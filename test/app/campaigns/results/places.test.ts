/** Results are written into the places that became rows of the campaign, whatever keys other places have. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Edit } from '../../../../src/app/campaigns/import/edit.ts';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { openHall } from '../import/sheets-in-turn.ts';

const formats = ['xlsx', 'csv'] as const;

async function openPlan(
  test: TestContext,
  format: (typeof formats)[number],
  { rows, edit = {}, names }: { rows: readonly Cells[]; edit?: Edit; names?: readonly string[] },
) {
  const scene = await openHall(test);
  const { runtime, runner } = scene;
  let files = 0;
  const write = async (of: readonly Cells[], columns: readonly string[] = Object.keys(of[0] ?? {})) => {
    if (format === 'xlsx') return writeWorkbook({ sheets: [worksheetOf('Plan', of, columns)] });
    files += 1;
    const path = join(runner.folder, `plan-${files}.csv`);
    const blank = Object.fromEntries(columns.map((name) => [name, '']));
    writeFileSync(path, sheetText(of.map((row) => ({ ...blank, ...row }))));
    return path;
  };
  const open = async (of: readonly Cells[]) => {
    scene.media(of);
    return openManifest(runtime, await write(of, names));
  };
  await using manifest = await open(rows);
  const edits = new Edits([{ ...edit, at: 0, by: 'ann', of: '' }]);
  await startCampaign(runtime, manifest, {
    mediaRoot: runner.folder,
    edits,
    problemsFile: null,
    skipInvalid: true,
  });
  const update = async (next: readonly Cells[] | string) => {
    await using manifest = await (typeof next === 'string' ? openManifest(runtime, next) : open(next));
    return updateCampaign(runtime, 'c1', manifest, { problemsFile: null, skipInvalid: true });
  };
  const results = async () => {
    const { path = '' } = await writeResults(runtime, 'c1', { to: join(runner.folder, `r.${format}`) });
    return path;
  };
  const read = async () => {
    const sheet = await openSheet(fileSource(await results()));
    const rows = (await Array.fromAsync(sheet.rows)).flat();
    return rows.map(
      ({ cells }): Cells =>
        Object.fromEntries(sheet.header.cells.map((name, position) => [name, cells[position] ?? ''])),
    );
  };
  const lines = async () => (await read()).map(({ media, status }) => `${media} ${status}`);
  const reasons = async () =>
    Object.fromEntries((await read()).map(({ key, status, error }) => [key, `${status} ${error}`]));
  /** The results in which the skipped rows were edited. */
  const edited = async (edit: Cells) => {
    const of = (await read()).map((row) => (row.status === 'skipped' ? { ...row, ...edit } : row));
    return write(of);
  };
  return { update, results, lines, reasons, edited };
}

const why = {
  a: 'waiting ',
  b: 'skipped Skipped by you.',
  c: 'skipped caption is empty. Fill in caption. Text of the post, at most 4,000 characters.',
  June: ' ',
};
const plan = [{ key: 'June' }, ...['a', 'b', 'c'].map((key) => videoRow(key))].map((row) =>
  row.key === 'c' ? { ...row, caption: '' } : row,
);
const names = Object.keys(videoRow('a'));

describe.each(formats)('%s', (format) => {
  it('a row that was skipped is not posted by the results that come back', async (test) => {
    const rows = ['a', 'b', 'c'].map((key) => videoRow(key));
    const { update, results, lines } = await openPlan(test, format, { rows, edit: { leaveOut: [3] } });
    for (const _again of [1, 2]) {
      const { kind, matches, skippedAgain } = await update(await results());
      expect([kind, matches.new.count, matches.unchanged.count, skippedAgain.count]).toEqual([
        'updated',
        0,
        2,
        1,
      ]);
    }
    expect(await lines()).toEqual(['a.mp4 waiting', 'b.mp4 waiting', 'c.mp4 skipped']);
  });

  it('a row that was skipped says why, and a heading says nothing', async (test) => {
    const { update, results, reasons } = await openPlan(test, format, {
      rows: plan,
      edit: { leaveOut: [3] },
      names,
    });
    expect(await reasons()).toEqual(why);
    const { kind, matches, skippedAgain } = await update(await results());
    expect([kind, matches.new.count, skippedAgain.count]).toEqual(['updated', 0, 1]);
    expect(await reasons()).toEqual(why);
  });

  it('a row that was skipped comes in with its results once it is edited', async (test) => {
    const { update, edited, reasons } = await openPlan(test, format, {
      rows: plan,
      edit: { leaveOut: [3] },
      names,
    });
    const { kind, matches, check } = await update(await edited({ caption: 'Now written' }));
    expect(check.problems.kept).toEqual([]);
    expect([kind, matches.new.count, matches.unchanged.count]).toEqual(['updated', 2, 1]);
    expect(await reasons()).toEqual({ ...why, b: 'waiting ', c: 'waiting ' });
  });

  it('a row that is skipped again keeps its texts, though it now has the number of a removed row', async (test) => {
    const posts = ['One', 'Two', 'Three', 'Skipped'].map((caption) => videoRow(caption, { caption }));
    const numbered = (rows: readonly Cells[]) =>
      rows.map((row, index) => ({ ...row, key: String(index + 1) }));
    const { update, lines } = await openPlan(test, format, {
      rows: numbered(posts),
      edit: { leaveOut: [4] },
    });
    await update(numbered(posts.toSpliced(2, 1)));
    expect((await lines()).slice(0, 3)).toEqual([
      'One.mp4 waiting',
      'Two.mp4 waiting',
      'Skipped.mp4 skipped',
    ]);
  });
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
