/** What stays of the planner's own file when results are written into it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { Package } from '../../../../src/sheets/xlsx/workbook.ts';
import { partsOf, textRow, writeParts, writeWorkbook } from '../../../support/sheets/workbook.ts';

import { cells, csvFile, header, imported, line, results } from './own-sheet-scene.ts';

it('a CSV file keeps its encoding, separator, quotes, blank lines and line ends', async (test) => {
  const text = [line(header), '', line(cells), ''].join('\r\n');
  const campaign = await imported(test, await csvFile(iconv.encode(text, 'windows-1252')), {
    encoding: 'windows-1252',
  });
  const written = iconv.decode(await results(campaign, 'r.csv'), 'windows-1252');
  const lines = written.split('\r\n');
  expect(lines.map((each) => each.split(';"')[0])).toEqual(
    text.split('\r\n').map((each) => each.split(';"')[0]),
  );
  expect(lines[0]).toContain(`${line(header)};"posted_with";"ledger";"campaign";"status";"post_id"`);
  expect(lines[2]).toContain(`${line(cells)};`);
  expect(lines[2]).toContain(`;"${campaign.id}";"waiting";`);
});

it('a CSV file whose encoding lacks characters of a fix becomes UTF-8', async (test) => {
  const text = [line(header), line(cells), ''].join('\r\n');
  const file = await csvFile(iconv.encode(text, 'windows-1252'));
  const edited = [{ row: 1, position: header.indexOf('caption'), text: 'Süß? ☕ 😀' }];
  const edits = new Edits([{ at: 0, by: '', of: '', cells: edited }]);
  const campaign = await imported(test, file, { encoding: 'windows-1252' }, edits);
  const written = (await results(campaign, 'r.csv')).toString();
  expect(written.startsWith(`\ufeff${line(header)}`)).toBe(true);
  expect(written).toContain('"caption: Süß? ☕ 😀"');
});

it('a workbook keeps every part but the worksheet of its posts', async (test) => {
  const notes = { name: 'Notes', rows: textRow(['not ours']) };
  const plan = {
    name: 'Plan',
    rows: `${textRow(['Spring'])}${textRow(header)}${textRow(cells)}`,
    merges: ['A1:B1'],
  };
  const file = await writeWorkbook({ sheets: [plan, notes] });
  const campaign = await imported(test, file);
  await results(campaign, 'r.xlsx');
  await using before = await Package.open(file);
  await using after = await Package.open(join(campaign.folder, 'r.xlsx'));
  const read = async (from: Package, name: string) =>
    Buffer.concat(await Array.fromAsync(from.read(name))).toString();
  const differing: string[] = [];
  for (const { name } of before.list())
    if ((await read(before, name)) !== (await read(after, name))) differing.push(name);
  expect(differing).toEqual(['xl/worksheets/sheet1.xml']);
  const xml = await read(after, 'xl/worksheets/sheet1.xml');
  expect(xml).toContain(textRow(['Spring']));
  expect(xml).toMatch(/>campaign<.*>status<.*>c1<.*>waiting</s);
  const [widths = ''] = /<cols>.*<\/cols>/.exec(xml) ?? [];
  expect(widths).toMatch(
    /^<cols><col min="7" max="7" width="42" customWidth="1"\/>.*<col min="20"[^>]*\/><\/cols>$/,
  );
});

it.for(['workbook', 'workbook2'])(
  '%s.xml loses its list of formulas, which may name cells that have none any more',
  async (name, test) => {
    const named = Object.entries(partsOf({ rows: `${textRow(header)}${textRow(cells)}` }));
    const parts = Object.fromEntries(
      named.map(
        (part) =>
          part.map((text) => String(text).replaceAll('workbook.xml', `${name}.xml`)) as [string, string],
      ),
    );
    const rels = `xl/_rels/${name}.xml.rels`;
    const types = '[Content_Types].xml';
    const added = {
      [types]: '<Types><Override PartName="/xl/calcChain.xml" ContentType="any"/><Default/></Types>',
      [rels]: String(parts[rels]).replace(
        '</Relationships>',
        '<Relationship Id="chain" Type="http://any/calcChain" Target="calcchain.xml"></Relationship></Relationships>',
      ),
      'xl/calcChain.xml': '<calcChain><c r="A2" i="1"/></calcChain>',
    };
    const campaign = await imported(test, await writeParts({ ...parts, ...added }));
    await results(campaign, 'r.xlsx');
    await using written = await Package.open(join(campaign.folder, 'r.xlsx'));
    const read = async (name: string) => Buffer.concat(await Array.fromAsync(written.read(name))).toString();
    expect(written.list().map(({ name }) => name)).toEqual(Object.keys(parts));
    expect(await read(types)).toBe('<Types><Default/></Types>');
    expect(await read(rels)).toBe(parts[rels]);
  },
);

it('a cell that an update changed is changed in it, and the results are the file of the next update', async (test) => {
  const campaign = await imported(test, await csvFile(Buffer.from(`${line(header)}\n${line(cells)}\n`)));
  const first = await results(campaign, 'r.csv');
  const changed = await csvFile(Buffer.from(first.toString().replace('Tropfen', 'Creme')));
  await using manifest = await openManifest(campaign.runtime, changed);
  const updated = await updateCampaign(campaign.runtime, campaign.id, manifest);
  expect(updated.check.problems.kept).toEqual([]);
  expect(updated.kind).toBe('updated');
  expect((await results(campaign, 'r2.csv')).toString()).toBe(readFileSync(changed, 'utf8'));
});

it.for(['csv', 'xlsx'])(
  'a year that was added to a date is told in the form of the date: %s',
  async (format, test) => {
    const names = [...header, 'scheduled_tz', 'scheduled_at'];
    const texts = [...cells, 'Europe/Berlin', '03.02. 18:00'];
    const text = `${line(names)}\r\n${line(texts)}\r\n`;
    const file =
      format === 'csv'
        ? await csvFile(Buffer.from(text))
        : await writeWorkbook({ rows: `${textRow(names)}${textRow(texts)}` });
    const edited = [{ row: 1, position: 7, text: '2028-02-03 18:00' }];
    const campaign = await imported(test, file, {}, new Edits([{ at: 0, by: '', of: '', cells: edited }]));
    const written = fileSource(join(campaign.folder, `r.${format}`));
    await results(campaign, `r.${format}`);
    const sheet = await openSheet(written);
    const [row] = (await Array.fromAsync(sheet.rows)).flat();
    expect(row?.cells.slice(7, 9)).toEqual(['03.02. 18:00', 'scheduled_at: 03.02.2028 18:00']);
  },
);
