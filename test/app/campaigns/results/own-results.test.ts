/** Which sheet the results are written into: the planner's own file, as long as it has the rows. */
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findCampaign } from '../../../../src/app/campaigns/find.ts';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import { findNotInSheet } from '../../../../src/app/campaigns/rows/not-in-sheet.ts';
import { cancelCampaign, deleteCampaign } from '../../../../src/app/campaigns/steer.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';

import { cells, csvFile, header, imported, line, results, row } from './own-sheet-scene.ts';

const { key, caption } = row;

it('an update with some of its rows leaves it as the file of the results', async (test) => {
  const two = [...cells.with(0, 'N-2').with(4, 'p-N-2')];
  const text = `${line(header)}\n${line(cells)}\n${line(two)}\n`;
  const campaign = await imported(test, await csvFile(Buffer.from(text)));
  const edited = await csvFile(Buffer.from(`${line(header)}\n${line(two.with(3, 'Another caption'))}\n`));
  await using manifest = await openManifest(campaign.runtime, edited);
  expect((await updateCampaign(campaign.runtime, campaign.id, manifest)).kind).toBe('updated');
  const written = (await results(campaign, 'r.csv')).toString().split('\n');
  expect(written[1]).toContain(line(cells));
  expect(written[2]).toMatch(/^"N-2";.*;"caption: Another caption";/);
});

it('rows and columns that another sheet adds stand below and beside hers', async (test) => {
  const campaign = await imported(test, await csvFile(Buffer.from(`${line(header)}\n${line(cells)}\n`)));
  const { runtime, id, folder } = campaign;
  const two = [...cells.with(0, 'N-2').with(4, 'p-N-2'), 'mine'];
  const added = await csvFile(Buffer.from(`${line([...header, '_mine'])}\n${line(two)}\n`));
  await using manifest = await openManifest(runtime, added);
  expect((await updateCampaign(runtime, id, manifest)).kind).toBe('updated');
  const [, own] = (await results(campaign, 'r.csv')).toString().split('\n');
  expect(own).toContain(line(cells));
  const sheet = await openSheet(fileSource(join(folder, 'r.csv')));
  const at = ['key', '_mine', 'note', 'status'].map((name) => sheet.header.cells.indexOf(name));
  const rows = (await Array.fromAsync(sheet.rows)).flat();
  expect(rows.map((each) => at.map((position) => each.cells[position]))).toEqual([
    ['N-1', '', '', 'waiting'],
    ['N-2', 'mine', 'Added by another sheet.', 'waiting'],
  ]);
  const { sent } = await findNotInSheet(runtime, await findCampaign(runtime, id));
  expect(sent.count).toBe(0);
});

it.for(['csv', 'xlsx'])(
  'the next version lacks a row: its results stand at the end of it, %s',
  async (kind, test) => {
    const names = [...header, '_note'];
    const row = (key: string, note: string) => [...cells.with(0, key).with(4, `p-${key}`), note];
    const file = (rows: readonly (readonly string[])[]) =>
      kind === 'csv'
        ? csvFile(Buffer.from([names, ...rows].map(line).join('\n')))
        : writeWorkbook({ rows: [names, ...rows].map((each) => textRow(each)).join('') });
    const campaign = await imported(test, await file([row('N-1', 'one'), row('N-2', 'two'), row('N-3', '')]));
    const { runtime, id } = campaign;
    for (const added of [[], [row('N-4', 'four')]]) {
      await using manifest = await openManifest(
        runtime,
        await file([row('N-1', 'now'), ...added, row('N-3', '')]),
      );
      expect((await updateCampaign(runtime, id, manifest)).kind).toBe('updated');
      await results(campaign, `r.${kind}`);
      const sheet = await openSheet(fileSource(join(campaign.folder, `r.${kind}`)));
      const at = ['key', '_note', 'note', 'status'].map((name) => sheet.header.cells.indexOf(name));
      const written = (await Array.fromAsync(sheet.rows))
        .flat()
        .map((each) => at.map((position) => each.cells[position]));
      expect(written).toEqual([
        ['N-1', 'now', '', 'waiting'],
        ...added.map(() => ['N-4', 'four', '', 'waiting']),
        ['N-3', '', '', 'waiting'],
        ['N-2', 'two', 'No longer in the sheet.', 'waiting'],
      ]);
    }
  },
);

it('a row that her sheet lacks says so in a column of ours if she has none for notes', async (test) => {
  const file = (...rows: readonly (readonly string[])[]) =>
    csvFile(Buffer.from([header, ...rows].map(line).join('\n')));
  const [one, two, three] = ['1', '2', '3'].map((n) => cells.with(0, `N-${n}`).with(4, `p-${n}`));
  const campaign = await imported(test, await file(one ?? [], two ?? [], three ?? []));
  await using manifest = await openManifest(campaign.runtime, await file(one ?? [], three ?? []));
  await updateCampaign(campaign.runtime, campaign.id, manifest);
  await results(campaign, 'r.csv');
  const sheet = await openSheet(fileSource(join(campaign.folder, 'r.csv')));
  const note = sheet.header.cells.indexOf('note');
  const rows = (await Array.fromAsync(sheet.rows)).flat();
  expect(rows.map((each) => each.cells[note])).toEqual(['', '', 'No longer in the sheet.']);
});

it.for([
  ['skipped', [2]],
  ['refused', []],
] as const)(
  'a %s line with the key of another row keeps its texts, and says that it is skipped',
  async ([, leaveOut], test) => {
    const other = cells.with(3, 'Other');
    const file = await writeWorkbook({ rows: [header, cells, other].map((each) => textRow(each)).join('') });
    const edits = new Edits([{ leaveOut: [...leaveOut], at: 0, by: 'ann', of: '' }]);
    const campaign = await imported(test, file, {}, edits, true);
    await results(campaign, 'r.xlsx');
    const sheet = await openSheet(fileSource(join(campaign.folder, 'r.xlsx')));
    const [status, text] = ['status', 'caption'].map((name) => sheet.header.cells.indexOf(name));
    const written = (await Array.fromAsync(sheet.rows))
      .flat()
      .map((each) => [each.cells[text ?? -1], each.cells[status ?? -1]]);
    expect(written).toEqual([
      [caption, 'waiting'],
      ['Other', 'skipped'],
    ]);
  },
);

it.for([
  ['xlsx', 'csv'],
  ['csv', 'xlsx'],
] as const)(
  'its rows that are no posts, or were skipped, are in other formats too: %s as %s',
  async ([kind, other], test) => {
    const of = (n: number) => cells.with(0, `N-${n}`).with(4, `p-${n}`);
    const lines = [header, ['Week 1', '', '', '', '', ''], of(1), of(2), of(3).with(1, 'nobody'), of(4)];
    const file =
      kind === 'csv'
        ? await csvFile(Buffer.from(lines.map(line).join('\n')))
        : await writeWorkbook({ rows: lines.map((each) => textRow(each)).join('') });
    const edits = new Edits([{ leaveOut: [3], at: 0, by: 'ann', of: '' }]);
    const campaign = await imported(test, file, {}, edits, true);
    await using manifest = await openManifest(
      campaign.runtime,
      await csvFile(Buffer.from([header, of(5)].map(line).join('\n'))),
    );
    await updateCampaign(campaign.runtime, campaign.id, manifest);
    const { rows: posts } = await writeResults(campaign.runtime, campaign.id, {
      to: join(campaign.folder, `r.${other}`),
    });
    expect(posts).toBe(3);
    const sheet = await openSheet(fileSource(join(campaign.folder, `r.${other}`)));
    const at = ['key', 'status', 'error'].map((name) => sheet.header.cells.indexOf(name));
    const written = (await Array.fromAsync(sheet.rows)).flat();
    expect(written.map((each) => at.map((position) => each.cells[position] ?? ''))).toEqual([
      ['Week 1', '', ''],
      ['N-1', 'waiting', ''],
      ['N-2', 'skipped', 'Skipped by you.'],
      ['N-3', 'skipped', expect.stringContaining('creator')],
      ['N-4', 'waiting', ''],
      ['N-5', 'waiting', ''],
    ]);
  },
);

it('some rows of it, and another format, are a sheet of their own', async (test) => {
  const campaign = await imported(test, await csvFile(Buffer.from(`${line(header)}\n${line(cells)}\n`)));
  const { runtime, id, folder } = campaign;
  await writeResults(runtime, id, { to: join(folder, 'some.csv'), state: 'waiting' });
  expect(readFileSync(join(folder, 'some.csv'), 'utf8')).toMatch(/^\ufeffkey;creator;/);
  expect(JSON.parse((await results(campaign, 'r.json')).toString())).toMatchObject([
    { key, status: 'waiting' },
  ]);
});

it('one that was changed where it is kept is not used', async (test) => {
  const campaign = await imported(test, await csvFile(Buffer.from(`${line(header)}\n${line(cells)}\n`)));
  const kept = join(campaign.runtime.environment.dataDir, 'sheets');
  for (const name of readdirSync(kept))
    if (!name.endsWith('.json')) writeFileSync(join(kept, name), 'damaged');
  expect((await results(campaign, 'r.csv')).toString()).toMatch(/^\ufeffkey;creator;/);
});

it.runIf(existsSync('/proc/self/fd')).for(['csv', 'xlsx'])(
  'no file of it stays open: %s',
  async (kind, test) => {
    const rows = Array.from({ length: 300 }, (_, index) => cells.with(0, `N-${index}`).with(4, `p-${index}`));
    const file =
      kind === 'csv'
        ? await csvFile(Buffer.from([header, ...rows].map(line).join('\n')))
        : await writeWorkbook({ rows: [header, ...rows].map((each) => textRow(each)).join('') });
    const campaign = await imported(test, file);
    await results(campaign, `r.${kind}`);
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      const path = join('/proc/self/fd', fd);
      return existsSync(path) ? [readlinkSync(path)] : [];
    });
    expect(
      open.filter((path) => path.startsWith(join(campaign.runtime.environment.dataDir, 'sheets'))),
    ).toEqual([]);
  },
);

it('it goes with its campaign', async (test) => {
  const { runtime, id } = await imported(
    test,
    await csvFile(Buffer.from(`${line(header)}\n${line(cells)}\n`)),
  );
  const kept = () => readdirSync(join(runtime.environment.dataDir, 'sheets'));
  expect(kept()).toHaveLength(2);
  await cancelCampaign(runtime, id);
  await deleteCampaign(runtime, id);
  expect(kept()).toEqual([]);
});

it('rows that a choice skipped stay in it, and the choice holds for its next version', async (test) => {
  const second = ['N-2', ...cells.slice(1)];
  const text = (caption: string) =>
    [
      ['status', ...header].join(';'),
      line(['ready', ...cells.with(3, caption)]),
      line(['cancelled', ...second]),
    ].join('\n');
  const campaign = await imported(test, await csvFile(Buffer.from(text('One'))), { ownStatus: 'skip' });
  const written = (await results(campaign, 'r.csv')).toString().split('\n');
  expect(written[2]).toMatch(/^"cancelled";"N-2";.*[^;];*$/);
  const { runtime, id } = campaign;
  const next = await csvFile(Buffer.from(text('Another')));
  await using manifest = await openManifest(runtime, next);
  expect(await updateCampaign(runtime, id, manifest)).toMatchObject({
    kind: 'updated',
    matches: { changed: { count: 1 }, new: { count: 0 } },
    check: { problems: { total: 0 } },
  });
});

it('a column that an edit added stands behind hers', async (test) => {
  const [all, names] = [cells.toSpliced(4, 1), header.toSpliced(4, 1)];
  const campaign = await imported(
    test,
    await csvFile(Buffer.from(`${line(names)}\n${line(all)}\n`)),
    {},
    new Edits([
      {
        at: 0,
        by: '',
        of: '',
        addColumns: { at: names.length, columns: [{ name: 'product_id', text: '' }] },
        cells: [{ row: 1, position: names.length, text: 'p-1' }],
      },
    ]),
  );
  const written = (await results(campaign, 'r.csv')).toString().split('\n');
  expect(written[0]).toMatch(new RegExp(`^${line(names)};"?product_id"?;`));
  expect(written[1]).toMatch(new RegExp(`^${line(all).replace('?', '\\?')};"p-1";`));
});
