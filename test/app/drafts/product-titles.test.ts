/** Titles that are codes, short names or typos of those that a list of products has for viewers. */
import { describe, expect, it } from 'vitest';
import { checkBeforeImport } from '../../../src/app/campaigns/import/earlier-import.ts';
import { knownNames } from '../../../src/app/drafts/suggestions/known-names.ts';
import { openManifest } from '../../../src/importers/open/manifest-file.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../support/sheets/rows.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';
import { dropWorkbook } from './suggestions/listed-names.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const [lamp, mug, cap] = ['1729560103', '1729560102', '1729560108'];
const products = [
  ['Product', 'SKU', 'TikTok product ID', 'Shop Link', 'Retail'],
  ['Evening Table Lamp', 'LAMP-EVE', lamp, `https://shop.example/product/${lamp}`, '54'],
  ['Stoneware Mug 350 ml', 'MUG-350', mug, `https://shop.example/product/${mug}`, '20'],
  ['Everyday Cap', 'CAP-EV', cap, `https://shop.example/product/${cap}`, '26'],
  ['Linen Notebook A5', 'NOTE-A5', '1729560106', 'https://shop.example/product/1729560106', '16'],
];
const produkte = [
  ['Kurzname (intern)', 'Artikel-Nr. Kunde', 'Shop-Titel', 'TikTok-Produkt-ID'],
  ['Leselampe', 'HH-4134', 'Evening Table Lamp', lamp],
  ['Steinzeugtasse', 'HH-4117', 'Stoneware Mug 350 ml', mug],
  ['Basecap', 'HH-4219', 'Everyday Cap', cap],
];

async function offered(
  list: readonly (readonly string[])[],
  titles: readonly (readonly [title: string, id: string])[],
) {
  const rows = titles.map(([product_title, product_id], at) =>
    videoRow(String(at), { product_title, product_id }),
  );
  const draft = await openTestDraft(rows);
  await dropWorkbook(draft, rows, { Products: list });
  return { draft, found: await found(draft) };
}

async function found({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  const groups = [...(checked?.groups ?? []), ...(checked?.warnings ?? [])];
  const own = groups.filter(({ code }) => code === 'title_is_code' || code === 'title_differs');
  return Promise.all(
    own.map(async ({ id: group, code, numbers }) => {
      const all = await drafts.suggestions(id, group);
      return [code, numbers, all.map(({ label, confidence = '' }) => `${label} ${confidence}`.trim())];
    }),
  );
}

describe('a title that the list of products has another one for', () => {
  it('is a code', async () => {
    const { draft, found } = await offered(products, [
      ['LAMP-EVE', lamp],
      ['Stoneware Mug 350 ml', mug],
      ['lamp-eve', lamp],
    ]);
    expect(await draft.drafts.products(draft.id, '')).toEqual([
      { title: 'Evening Table Lamp', id: lamp, rows: 2 },
      { title: 'Stoneware Mug 350 ml', id: mug, rows: 1 },
    ]);
    expect(found).toEqual([
      [
        'title_is_code',
        [1, 3],
        ['Use Evening Table Lamp in 1 row sure', 'Use Evening Table Lamp in 1 row sure'],
      ],
    ]);
    const { checked } = await draft.look();
    const [group] = checked?.groups ?? [];
    const [first] = await draft.drafts.suggestions(draft.id, group?.id ?? '');
    expect(first?.evidence).toBe('In the worksheet Products, SKU LAMP-EVE is Evening Table Lamp.');
  });

  it('is a short name or an article number of the agency', async () => {
    const { found } = await offered(produkte, [
      ['Basecap', cap],
      ['HH-4117', mug],
      ['Evening Table Lamp', lamp],
    ]);
    expect(found).toEqual([
      [
        'title_is_code',
        [1, 2],
        [
          'Use the titles that are known in 2 rows sure',
          'Use Everyday Cap in 1 row sure',
          'Use Stoneware Mug 350 ml in 1 row sure',
        ],
      ],
    ]);
  });

  it('is a typo, which is sure once the row has its id', async () => {
    const { found } = await offered(products, [
      ['Everday Cap', cap],
      ['Stone ware mug (350)', mug],
    ]);
    expect(found.map(([, numbers, labels]) => [numbers, labels])).toEqual([
      [
        [1, 2],
        [
          'Use the titles that are known in 2 rows sure',
          'Use Everyday Cap in 1 row sure',
          'Use Stoneware Mug 350 ml in 1 row sure',
        ],
      ],
    ]);
    const open = await offered(produkte, [['Stein-zeug Tasse', '']]);
    expect(open.found).toEqual([
      ['title_is_code', [1], ['Use Stoneware Mug 350 ml in 1 row', 'Keep the sheet’s titles in 1 row']],
    ]);
  });

  it('may be kept where the list has two names for people', async () => {
    const names = [
      ['Name', 'Titel', 'Produkt-ID'],
      ['Lampe Abend', 'Evening Table Lamp', lamp],
      ['Tasse', 'Stoneware Mug 350 ml', mug],
    ];
    const { draft, found: before } = await offered(names, [['Lampe Abend', lamp]]);
    expect(before).toEqual([
      ['title_is_code', [1], ['Use Evening Table Lamp in 1 row', 'Keep the sheet’s titles in 1 row']],
    ]);
    const { checked } = await draft.look();
    const [, keep] = await draft.drafts.suggestions(draft.id, checked?.groups[0]?.id ?? '');
    const kept = await draft.edit({ cells: [...(keep?.edits ?? [])] });
    expect(kept.checked?.groups).toEqual([]);
  });

  it('is no question in words of its own, nor beside a title that is too long', async () => {
    const long = ['Evening Table Lamp for the reading corner', 'LAMP-XL', '1729560199', '', ''];
    const { draft, found: before } = await offered(
      [...products, long],
      [
        ['The light I read by', lamp],
        ['LAMP-XL', '1729560199'],
        ['candle set', ''],
      ],
    );
    expect(before).toEqual([]);
    const { checked } = await draft.look();
    const at = checked?.columns.find(({ column }) => column === 'product_id')?.position ?? -1;
    await draft.edit({ cells: [{ row: 3, position: at, text: cap }] });
    expect(await found(draft)).toEqual([
      ['title_differs', [3], ['Use Everyday Cap in 1 row', 'Keep the sheet’s titles in 1 row']],
    ]);
  });
});

it('a check without a page warns of it, with the title', async (test) => {
  const runner = await openRunner({}, test);
  const { runtime } = await openPages(runner, test);
  const { folder } = runner;
  const rows = [videoRow('a', { product_title: 'LAMP-EVE', product_id: lamp })];
  writeMedia(folder, localFiles(rows));
  const [header = [], ...lines] = products;
  const list = lines.map((cells) => Object.fromEntries(cells.map((text, at) => [header[at], text])));
  const path = await writeWorkbook({ sheets: [worksheetOf('Posts', rows), worksheetOf('Products', list)] });
  await using manifest = await openManifest(runtime, path);
  const names = await knownNames(runtime, manifest);
  const { check } = await checkBeforeImport(runtime, manifest, { mediaRoot: folder, ...names });
  expect(check.accepted).toBe(1);
  expect(check.warnings.kept).toMatchObject([
    {
      code: 'title_is_code',
      column: 'product_title',
      meant: 'Evening Table Lamp',
      fix: 'Write Evening Table Lamp: In the worksheet Products, SKU LAMP-EVE is Evening Table Lamp.',
    },
  ]);
});
