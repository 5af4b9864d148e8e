/** No cell of the planner's own file is written with its results: what differs stands in columns of ours, and comes back without a change. */
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { findCampaign } from '../../../../src/app/campaigns/find.ts';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { type UpdateCampaignOptions, updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import type { ColumnName } from '../../../../src/manifest/columns.ts';
import { noteMark } from '../../../../src/manifest/headers/column-map.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { asIf } from '../../../support/ledger.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { cells, csvFile, header, type Imported, imported, line, results } from './own-sheet-scene.ts';

const names = [...header, 'scheduled_at', 'scheduled_tz', 'Note'];
const [key, creator, media, caption, , title, time, note] = [0, 1, 2, 3, 4, 5, 6, 8];
const rowOf = (n: number) =>
  [...cells, '2029-04-03 18:00', 'Europe/Berlin', `note ${n}`].with(key, `N-${n}`).with(4, `p-N-${n}`);
const sheetOf = async (format: string, rows: readonly (readonly string[])[]) =>
  format === 'csv'
    ? csvFile(Buffer.from([names, ...rows].map(line).join('\r\n')))
    : writeWorkbook({ rows: [names, ...rows].map((row) => textRow(row)).join('') });

const asNote = { map: new Map([['Note', noteMark] as const]) };

type Cell = readonly [row: number, position: number, text: string];

function editsOf(written: readonly Cell[]) {
  const edited = written.map(([row, position, text]) => ({ row, position, text }));
  return new Edits([{ at: 0, by: 'ann', of: '', cells: edited }]);
}

async function openPlan(
  test: TestContext,
  format: string,
  rows: readonly (readonly string[])[],
  fixes: readonly Cell[] = [],
) {
  return imported(test, await sheetOf(format, rows), asNote, editsOf(fixes));
}

async function read(path: string) {
  const sheet = await openSheet(fileSource(path));
  const rows = (await Array.fromAsync(sheet.rows)).flat();
  const own = sheet.header.cells.slice(0, names.length);
  const at = (name: string) => sheet.header.cells.lastIndexOf(name);
  return {
    own,
    hers: rows.map((row) => row.cells.slice(0, names.length)),
    of: (name: string) => rows.map((row) => row.cells[at(name)] ?? ''),
  };
}

async function download(campaign: Imported, name: string) {
  await results(campaign, name);
  return read(join(campaign.folder, name));
}

async function bring({ runtime, id }: Imported, path: string, options: UpdateCampaignOptions = {}) {
  await using manifest = await openManifest(runtime, path);
  const { kind, matches, check } = await updateCampaign(runtime, id, manifest, options);
  const counts = Object.entries(matches).filter(([, { count }]) => count > 0);
  return [kind, ...check.problems.kept.map(({ code }) => code), ...counts.map(([match]) => match)];
}

async function change(campaign: Imported, of: string, column: ColumnName, text: string, revision = 0) {
  const edit = { campaign: campaign.id, key: of, revision, cells: new Map([[column, text] as const]) };
  await editRow(campaign.runtime, edit, { dryRun: false, by: 'ann' });
}

describe.each(['csv', 'xlsx'])('%s', (format) => {
  const plan = [
    rowOf(1).with(title, 'A title that is much too long for its column').with(time, '3.4. 18:00'),
    rowOf(2),
  ];
  const fixes: readonly Cell[] = [
    [1, title, 'A short title'],
    [1, time, '2029-04-03 18:00'],
    [1, creator, 'demo_ben'],
  ];

  it('what fixes changed stands beside them', async (test) => {
    const campaign = await openPlan(test, format, plan, fixes);
    const written = await download(campaign, `r.${format}`);
    expect(written.hers).toEqual(plan);
    expect(written.of('posted_with')).toEqual([
      'creator: demo_ben; product_title: A short title; scheduled_at: 3.4.2029 18:00',
      '',
    ]);
    expect(written.of('note')).toEqual(['', '']);
  });

  it('the file comes back without a change, and again, with her edits, and after an edit on a page', async (test) => {
    const campaign = await openPlan(test, format, plan, fixes);
    const path = join(campaign.folder, `r.${format}`);
    for (const _again of [1, 2]) {
      const written = await download(campaign, `r.${format}`);
      expect(written.hers).toEqual(plan);
      expect(await bring(campaign, path)).toEqual(['updated', 'unchanged']);
    }
    await change(campaign, 'N-2', 'caption', 'Edited on its page');
    expect(await bring(campaign, path)).toEqual(['updated', 'unchanged']);
    const written = await download(campaign, `r.${format}`);
    expect(written.of('posted_with')[1]).toBe('caption: Edited on its page');
    expect(written.hers).toEqual(plan);
  });
});

it('an edit in them is taken, and the fixes of its row stay', async (test) => {
  const campaign = await openPlan(
    test,
    'csv',
    [rowOf(1).with(creator, 'Anna'), rowOf(2)],
    [[1, creator, 'demo_anna']],
  );
  const text = (await results(campaign, 'r.csv')).toString();
  const edited = await csvFile(Buffer.from(text.replace('""Tropfen""', '""Creme""')));
  expect(await bring(campaign, edited)).toEqual(['updated', 'changed', 'unchanged']);
  const { hers, of } = await download(campaign, 'r2.csv');
  expect(hers[0]?.[caption]).toBe('Öl; "Creme"');
  expect(of('posted_with')).toEqual(['creator: demo_anna', '']);
});

it('a text of the campaign that is taken back in plain results is an edit', async (test) => {
  const campaign = await openPlan(
    test,
    'xlsx',
    [rowOf(1).with(caption, 'Hers'), rowOf(2)],
    [[1, caption, 'Fixed']],
  );
  const text = (await results(campaign, 'r.csv')).toString();
  expect(text).toContain('Fixed');
  expect(text).not.toContain('posted_with');
  const edited = await csvFile(Buffer.from(text.replace('Fixed', 'Hers')));
  expect(await bring(campaign, edited)).toEqual(['updated', 'changed', 'unchanged']);
});

it('neither empty keys nor keys of other rows are written, and its rows are found again', async (test) => {
  const rows = [rowOf(1).with(key, '').with(creator, 'Anna'), rowOf(2).with(media, 'clips/b.mp4')];
  const campaign = await openPlan(test, 'csv', rows, [
    [1, creator, 'demo_anna'],
    [2, media, cells[media] ?? ''],
  ]);
  const { hers } = await download(campaign, 'r.csv');
  expect(hers).toEqual(rows);
  expect(await bring(campaign, join(campaign.folder, 'r.csv'))).toEqual(['updated', 'unchanged']);
});

it('her own notes stay hers, also where a remark of ours stands beside them', async (test) => {
  const campaign = await openPlan(test, 'csv', [rowOf(1), rowOf(2), rowOf(3)]);
  const next = await sheetOf('csv', [rowOf(1).with(note, 'now'), rowOf(3)]);
  expect(await bring(campaign, next)).toEqual(['updated', 'unchanged']);
  const { hers, of } = await download(campaign, 'r.csv');
  expect(hers.map((row) => row[note])).toEqual(['now', 'note 3', 'note 2']);
  expect(of('note')).toEqual(['', '', 'No longer in the sheet.']);
});

it('an ignored edit comes back without a change, and is told again', async (test) => {
  const other = rowOf(2).with(time, '2029-05-01 18:00');
  const campaign = await openPlan(
    test,
    'csv',
    [rowOf(1).with(creator, 'Anna'), other],
    [[1, creator, 'demo_anna']],
  );
  const { runner, id } = campaign;
  await asIf(runner).ended(id, [{ row: 0, state: 'posted' }]);
  await bring(
    campaign,
    await sheetOf('csv', [rowOf(1).with(creator, 'Anna').with(caption, 'Too late'), other]),
  );
  for (const name of ['r.csv', 'r2.csv']) {
    const { hers, of } = await download(campaign, name);
    expect(hers[0]?.[caption]).toBe('Too late');
    expect([of('posted_with')[0], of('note')[0]]).toEqual([
      'creator: demo_anna',
      `Ignored: the sheet says caption "Too late", posted as ${JSON.stringify(cells[caption]).replaceAll('\\', '')}.`,
    ]);
    expect(await bring(campaign, join(campaign.folder, name))).toEqual([
      'updated',
      'posted',
      'unchanged',
      'edited',
    ]);
  }
});

it('a failed row of them is retried with its fixes, and edits of its page', async (test) => {
  const campaign = await openPlan(
    test,
    'csv',
    [rowOf(1).with(creator, 'Anna'), rowOf(2)],
    [[1, creator, 'demo_anna']],
  );
  const { runner, runtime, id } = campaign;
  await asIf(runner).ended(id, [{ row: 0, state: 'failed' }]);
  await change(campaign, 'N-1', 'caption', 'Edited on its page');
  await asIf(runner).ended(id, [{ row: 0, state: 'failed' }]);
  await download(campaign, 'r.csv');
  expect(await bring(campaign, join(campaign.folder, 'r.csv'))).toEqual(['updated', 'redone', 'unchanged']);
  const stored = await runtime.ledger.store.read(await findCampaign(runtime, id), 0);
  expect(stored.cells).toEqual(expect.arrayContaining(['demo_anna', 'Edited on its page']));
});

it('keys that were made anew stay hers, and the file comes back without a change', async (test) => {
  const rows = [1, 2, 3].map((n) =>
    rowOf(n).with(caption, `Post ${n}`).with(media, `${n}.mp4`).with(creator, `Anna ${n}`),
  );
  const fix = (row: number): Cell[] => [
    [row, creator, 'demo_anna'],
    [row, media, cells[media] ?? ''],
  ];
  const campaign = await openPlan(test, 'csv', rows, [...fix(1), ...fix(2), ...fix(3)]);
  const added = rowOf(0).with(caption, 'First of all');
  const next = [added, ...rows].map((row, index) => row.with(key, `N-${index + 1}`));
  expect(await bring(campaign, await sheetOf('csv', next))).toEqual(['updated', 'new', 'unchanged']);
  for (const name of ['r.csv', 'r2.csv']) {
    expect((await download(campaign, name)).hers).toEqual(next);
    expect(await bring(campaign, join(campaign.folder, name))).toEqual(['updated', 'unchanged']);
  }
});

it('without keys of hers, a row that is edited in all cells is found by the key beside it', async (test) => {
  const bare = [names, rowOf(1), rowOf(2).with(caption, 'Second')].map((row) => line(row.slice(1)));
  const campaign = await imported(test, await csvFile(Buffer.from(bare.join('\n'))), asNote);
  writeMedia(campaign.folder, ['other.mp4']);
  const edited = (await results(campaign, 'r.csv'))
    .toString()
    .replace('"demo_anna";"N-1.mp4";"Öl; ""Tropfen"""', '"demo_ben";"other.mp4";"Other words"')
    .replace('p-N-1', 'p-other');
  expect(edited).toContain('"Other words"');
  const back = await bring(campaign, await csvFile(Buffer.from(edited)));
  expect(back).toEqual(['updated', 'changed', 'unchanged']);
});
