/** Names that a planner wrote for creators and products, and dates in her order, stay in her file when results are written into it. */
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { Package } from '../../../../src/sheets/xlsx/workbook.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { cells, csvFile, header, type Imported, imported, line, results } from './own-sheet-scene.ts';

const names = [...header, 'scheduled_at', 'scheduled_tz', '_posts'];
const [creator, caption, product, time] = [1, 3, 4, 6];
const hers = [...cells, '03/04/2029 18:00', 'Europe/Berlin', '']
  .with(creator, 'Anna  K.')
  .with(product, 'Mug');
const fixed = { [creator]: 'demo_anna', [product]: 'p-N-1', [time]: '2029-04-03 18:00' };

const formats = ['csv', 'xlsx'] as const;
type Format = (typeof formats)[number];

async function openPlan(test: TestContext, format: Format, fixes: Readonly<Record<number, string>> = fixed) {
  const file =
    format === 'csv'
      ? await csvFile(Buffer.from(`${line(names)}\r\n${line(hers)}\r\n`))
      : await writeWorkbook({ rows: `${textRow(names)}${textRow(hers)}` });
  const written = Object.entries(fixes).map(([position, text]) => ({ row: 1, position: +position, text }));
  const edits = new Edits([{ at: 0, by: 'ann', of: '', cells: written }]);
  const campaign = await imported(test, file, {}, edits);
  const { runtime } = campaign;
  await setAlias(runtime, { kind: 'creator', name: 'anna k.', means: '@demo_anna', by: 'ann' });
  await setAlias(runtime, { kind: 'product', name: 'Mug', means: 'p-N-1', by: 'ann' });
  return campaign;
}

async function rowOf({ folder }: Imported, file: string, width = names.length) {
  const sheet = await openSheet(fileSource(join(folder, file)));
  const [row] = (await Array.fromAsync(sheet.rows)).flat();
  return row?.cells.slice(0, width) ?? [];
}

const bring = async ({ runtime, id }: Imported, path: string) => {
  await using manifest = await openManifest(runtime, path);
  const { kind, matches, check } = await updateCampaign(runtime, id, manifest);
  const counts = Object.entries(matches).filter(([, { count }]) => count > 0);
  return [kind, ...check.problems.kept.map(({ code }) => code), ...counts.map(([match]) => match)];
};

describe.each(formats)('%s', (format) => {
  it('they stay as she wrote them, and the file comes back without a change', async (test) => {
    const campaign = await openPlan(test, format);
    const first = await results(campaign, `r.${format}`);
    expect(await rowOf(campaign, `r.${format}`)).toEqual(hers);
    for (const _again of [1, 2]) {
      expect(await bring(campaign, join(campaign.folder, `r.${format}`))).toEqual(['updated', 'unchanged']);
      const again = await results(campaign, `again.${format}`);
      if (format === 'csv') expect(again.toString()).toBe(first.toString());
      expect(await rowOf(campaign, `again.${format}`)).toEqual(hers);
    }
  });

  it('what means another thing is told: another creator, a text, a name that means nothing', async (test) => {
    const other = { ...fixed, [creator]: 'demo_ben', [caption]: 'Another text', [product]: 'p-N-2' };
    const campaign = await openPlan(test, format, other);
    await results(campaign, `r.${format}`);
    expect(await rowOf(campaign, `r.${format}`)).toEqual(hers);
    const told = 'creator: demo_ben; caption: Another text; product_id: p-N-2';
    expect(await rowOf(campaign, `r.${format}`, names.length + 1)).toEqual([...hers, told]);
  });
});

it('the account is told also where she wrote a name for it', async (test) => {
  const campaign = await openPlan(test, 'csv');
  await results(campaign, 'r.csv');
  expect((await rowOf(campaign, 'r.csv', names.length + 1)).at(-1)).toBe('creator: demo_anna');
});

it('a row that is edited in the results keeps its name', async (test) => {
  const campaign = await openPlan(test, 'csv');
  const text = (await results(campaign, 'r.csv')).toString();
  const edited = await csvFile(Buffer.from(text.replace('Tropfen', 'Creme')));
  expect(await bring(campaign, edited)).toEqual(['updated', 'changed']);
  await results(campaign, 'r2.csv');
  expect(await rowOf(campaign, 'r2.csv')).toEqual(hers.with(caption, 'Öl; "Creme"'));
});

it('their cells are the same XML, so that formulas that count names find them', async (test) => {
  const campaign = await openPlan(test, 'xlsx');
  await results(campaign, 'r.xlsx');
  await using written = await Package.open(join(campaign.folder, 'r.xlsx'));
  const xml = Buffer.concat(await Array.fromAsync(written.read('xl/worksheets/sheet1.xml'))).toString();
  expect(xml).toContain(textRow(hers).replace('</row>', ''));
});
