import { expect, test } from 'vitest';
import { suggestMap } from '../../../src/cli/print/problems.ts';
import type { ProductLookUp } from '../../../src/importers/check/checked-row.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { fileSource } from '../../../src/sheets/sheet.ts';
import { check, manifestOf } from '../../importers/manifest-source.ts';
import { agencyColumns, agencyWorkbook } from '../../support/sheets/agency-sheet.ts';

const header = 'A,Wer,Was,Dazu,Ware,Wann,Stunde,Welche,Intern';
const row = (number: number) =>
  [
    `p-${number}`,
    `@demo_${number}`,
    `clips/${number}.mp4`,
    `Ein langer Text zum Film ${number}`,
    `173000000000000000${number % 4}`,
    `2${number}.03.2031`,
    `1${number}:30`,
    'seedance2.0',
    'ok',
  ].join();
const foreign = [
  header.replace('Ware', 'Ware,Produkt'),
  ...[1, 2, 3, 4, 5].map((number) => row(number).replace(/(,173\d+)/, '$1,Serum')),
].join('\n');

test('columns are proposed by their cells, with the evidence', async () => {
  const { proposals, header: names, blocking } = await check(foreign);
  expect(proposals.map(({ position, column, evidence }) => [names[position], column, evidence])).toEqual([
    ['A', 'key', 'its 5 cells have 5 different values'],
    ['Wer', 'creator', '5 of 5 cells are names with @'],
    ['Was', 'media', '5 of 5 cells end in .mp4'],
    ['Dazu', 'caption', 'it has the longest texts of the sheet'],
    ['Ware', 'product_id', '5 of 5 cells have 16 to 19 digits'],
    ['Produkt', 'product_title', 'its 5 cells have 1 name, not ids'],
    ['Wann', 'scheduled_at', '5 of 5 cells begin with a date'],
    ['Stunde', 'scheduled_time', '5 of 5 cells are times of day'],
    ['Welche', 'ai_model', '5 of 5 cells are models'],
    ['Intern', '_', 'nothing in it matches a column of a post'],
  ]);
  expect(blocking.find(({ column }) => column === 'Was')).toMatchObject({
    meant: 'media',
    problem: 'there is no column Was; it looks like media: 5 of 5 cells end in .mp4',
  });
});

test('columns of a sheet that lacks more are proposed in its order, too', async () => {
  const { proposals } = await check(foreign.replaceAll(/^([^,]*),[^,]*,([^,]*),/gm, '$2,$1,'));
  const positions = proposals.map(({ position }) => position);
  expect(positions.length).toBeGreaterThan(2);
  expect(positions).toEqual([...positions].sort((one, other) => one - other));
});

test('a header that is there twice gets no proposal, which would be for both', async () => {
  const { proposals, header: names } = await check(foreign.replace('Was,Dazu', 'Dazu,Dazu'));
  expect(proposals.map(({ position }) => names[position])).not.toContain('Dazu');
  expect(proposals.length).toBeGreaterThan(4);
});

test.each([
  ['names', 'Vitamin C Serum', ['1 Product doubtful_column'], ['product_id']],
  ['names in Chinese', '精华液', ['1 Product doubtful_column'], ['product_id']],
  ['ids', '1729432342342341001', [], []],
])('"Product" beside product_title, with %s', async (_name, product, expected, columns) => {
  const text = manifestOf([{ Product: product }, { Product: product }]).replace('product_id', 'SKU');
  const { found, proposals } = await check(text.replace('SKU', '_sku'));
  expect(found.filter((each) => each.includes('Product'))).toEqual(expected);
  expect(proposals.map(({ column }) => column)).toEqual(columns);
});

test('the sheet of an agency is understood with its proposals', async () => {
  const { proposals, header: names } = await check(fileSource(await agencyWorkbook()));
  const proposed = Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
  expect(Object.entries(agencyColumns)).toEqual(expect.arrayContaining(Object.entries(proposed)));
  expect(proposed).toEqual({ Produkt: 'product_title', Bemerkung: '_' });
});

test('columns of hashtags are proposed as parts of the caption, whatever their names are', async () => {
  const rows = ['#tea #12_12 #2027', '#cup', ''].map((tags, index) => ({
    key: `k${index}`,
    Schlagwörter: tags,
    话题: tags,
  }));
  const { proposals, blocking } = await check(manifestOf(rows));
  expect(proposals).toMatchObject([
    { column: '+caption', evidence: '2 of 2 cells are hashtags' },
    { column: '+caption' },
  ]);
  expect(blocking[0]).toMatchObject({
    problem:
      'there is no column Schlagwörter; it looks like a part of the caption: 2 of 2 cells are hashtags',
    fix: [hint('joinCaption', { header: 'Schlagwörter' }), hint('keepAsNote', { part: 'header' })],
  });
  const header = [...Object.keys(rows[0] ?? {}), 'caption'];
  const suggested = suggestMap(['Schlagwörter', '话题'], header, [
    { position: 1, column: '+caption', evidence: '' },
    { position: 2, column: '+caption', evidence: '' },
  ]);
  expect(suggested).toBe("--map 'Schlagwörter=+caption' --map '话题=+caption'");
});

const agency = (header: string, row: (at: number) => string) => [header, ...[1, 2, 3].map(row)].join('\n');

test('names of products are proposed together with the title that tells them apart', async () => {
  const sheet = agency(
    'creator,Asset (file or link),Caption incl. hashtags,Pin title,Product',
    (at) => `demo_${at},clips/${at}.mp4,Slow mornings ${at} #tea,Serum,Daily Serum`,
  );
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column]).slice(2)).toEqual([
    ['Pin title', 'product_title'],
    ['Product', 'product_id'],
  ]);
});

test('months, remarks and a total say nothing of the columns, and other columns are notes without a product id', async () => {
  const rows = Array.from({ length: 6 }, (_row, index) =>
    [
      `GC-00${index}`,
      '@anna',
      'a.mp4',
      `A long caption of a post of ours with number ${index}`,
      'Vitamin C Serum',
      'ok',
    ].join(),
  );
  const sheet = ['ID,Wer,Was,Dazu,Produkt,Freigabe', 'MAI,,,,,', ...rows, 'Summe,,,,,6'].join('\n');
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([
    ['ID', 'key'],
    ['Wer', 'creator'],
    ['Was', 'media'],
    ['Dazu', 'caption'],
    ['Produkt', 'product_title'],
  ]);
});

async function proposedFor(header: string, cells: readonly string[]) {
  const rows = cells.map((cell, at) => ({ caption: `Slow mornings ${at}`, [header]: cell }));
  const { proposals, header: names } = await check(manifestOf(rows));
  return proposals.find(({ position }) => names[position] === header);
}

test.each([
  ['Followers', ['1200', '5400', '800']],
  ['Price', ['19', '24', '35']],
  ['Cover at', ['1', '2', '3']],
  [
    'TikTok Link',
    ['https://www.tiktok.com/@demo_anna', 'https://www.tiktok.com/@demo_ben', 'www.tiktok.com/@demo_carla'],
  ],
])('%s is none of the columns of a post', async (header, cells) => {
  expect((await proposedFor(header, cells))?.column).toBe('_');
});

test.each([
  ['Post', ['1', '2', '3'], 'key'],
  ['Entry', ['NB-001', 'NB-002', 'NB-003'], 'key'],
  ['Buy link', ['https://shop.example/p/1', 'https://shop.example/p/2'], 'product_link'],
])('%s with %j is %s', async (header, cells, column) => {
  const rows = cells.map((cell, at) => ({ key: '', caption: `Slow mornings ${at}`, [header]: cell }));
  const { proposals } = await check(manifestOf(rows).replace('key', '_key'));
  expect(proposals).toMatchObject([{ column }]);
});

/** Forty posts of an agency, with its own names of the columns. */
const ownWords = (what: (at: number) => string) =>
  [
    'Nr.,Account,Files,Text of the post,How,Shelf,Stage,Remarks for us',
    ...Array.from({ length: 40 }, (_, at) =>
      [
        `P${at}`,
        '@demo_anna',
        'a.mp4',
        `Slow mornings with tea and number ${at}`,
        ['Reel', 'Foto', 'Carousel'][at % 3],
        what(at),
        ['ok', 'asked', 'late'][at % 3],
        at === 7 ? 'call her' : '',
      ].join(),
    ),
  ].join('\n');

const listed = ['Linen Towel', 'Oak Board', 'Brass Hook'];
const known: ProductLookUp = (name) =>
  listed.includes(name) ? { ids: new Map([['1729', 'In the list.']]), isListed: true } : undefined;

test('names that a list of products has are titles, whatever their header is, and the rest is clear with them', async () => {
  // Some rows have a short name.
  const sheet = ownWords((at) => (at % 9 === 0 ? 'board' : (listed[at % 3] ?? '')));
  const { proposals, header: names } = await check(sheet, { products: known });
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([
    ['Files', 'media'],
    ['Text of the post', 'caption'],
    ['How', 'media_type'],
    ['Shelf', 'product_title'],
    ['Stage', '_'],
    ['Remarks for us', '_'],
  ]);
  expect(proposals.find(({ column }) => column === 'product_title')?.evidence).toBe(
    '35 of 40 cells are products in another worksheet',
  );
});

test('words that no list has are no titles; remarks are notes all the same', async () => {
  const { proposals, header: names } = await check(
    ownWords(() => 'third from above'),
    { products: known },
  );
  const proposed = Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
  expect(proposed).toMatchObject({ How: 'media_type', 'Remarks for us': '_' });
  expect(proposed).not.toHaveProperty('Shelf');
});

test.each(['Link', 'Lien', '商品链接'])('%s with links to no shop is doubtful', async (header) => {
  const links = ['https://drive.google.com/drive/folders/a1', 'https://www.notion.so/Brief-17', ''];
  const { found } = await check(manifestOf(links.map((link) => ({ [header]: link }))));
  expect(found).toEqual([`1 ${header} doubtful_column`]);
  const shops = ['https://shop.tiktok.com/view/product/17', 'https://vt.tiktok.com/ZS8abc/'];
  expect((await check(manifestOf(shops.map((link) => ({ [header]: link }))))).found).toEqual([]);
});

const proposedIn = async (header: string, row: (at: number) => string) => {
  const { proposals, header: names } = await check(agency(header, row));
  return Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
};

test('a column of times under a name of dates leaves the date to the column of dates', async () => {
  const proposed = await proposedIn(
    'creator,media,caption,product_id,product_title,Publish,Publish time',
    (at) => `demo_anna,${at}.mp4,Slow mornings,172000${at},Serum,2031-05-0${at},1${at}:30`,
  );
  expect(proposed).toEqual({ Publish: 'scheduled_at', 'Publish time': 'scheduled_time' });
});

test('days on which a program made or changed a task are not those of its post, and are no captions', async () => {
  const proposed = await proposedIn(
    'creator,media,product_id,product_title,Task Content,Date Created Text,Due Date Text,Last modified',
    (at) =>
      `demo_anna,${at}.mp4,172000${at},Serum,Slow mornings with tea,"4/1${at}/2031, 9:00:00 AM GMT+1","5/1${at}/2031, 10:00:00 AM GMT+1",2031-04-0${at}`,
  );
  expect(proposed).toEqual({
    'Task Content': 'caption',
    'Date Created Text': '_',
    'Due Date Text': 'scheduled_at',
    'Last modified': '_',
  });
});

test('of a start and a due date, the post is for the due one', async () => {
  const proposed = await proposedIn(
    'creator,media,caption,product_id,product_title,Start Date,Due Date',
    (at) => `demo_anna,${at}.mp4,Slow mornings,172000${at},Serum,2031-05-0${at},2031-05-1${at}`,
  );
  expect(proposed).toEqual({ 'Start Date': '_', 'Due Date': 'scheduled_at' });
});

test('a start date alone is that of the post', async () => {
  const proposed = await proposedIn(
    'creator,media,caption,product_id,product_title,Start Date',
    (at) => `demo_anna,${at}.mp4,Slow mornings,172000${at},Serum,2031-05-0${at}`,
  );
  expect(proposed).toEqual({ 'Start Date': 'scheduled_at' });
});

test('links are not the longest texts of a sheet', async () => {
  const sheet = agency('creator,Profil-Link,media,product_id,product_title', (at) =>
    [`demo_${at}`, 'https://www.tiktok.com/@demo_anna', `${at}.mp4`, `172000${at}`, 'Serum'].join(),
  );
  expect((await check(sheet)).proposals.map(({ column }) => column)).not.toContain('caption');
});

test('columns of AI that are empty in the first rows are proposed by their names', async () => {
  const { proposals, header: names } = await check(
    foreign.replace('Intern', 'AI prompt,Clip length (s),Final cut').replaceAll(/,ok$/gm, ',,,'),
  );
  const found = proposals.map(({ position, column }) => [names[position], column]);
  expect(found).toContainEqual(['Clip length (s)', 'ai_seconds']);
  expect(found).not.toContainEqual(['Final cut', 'media']);
});

test.each(['0:08', '8 s', '12 sec', '8'])(
  'a column of lengths is proposed by cells such as %s',
  async (text) => {
    const { proposals } = await check(
      foreign.replace('Intern', 'AI prompt,Clip length (s)').replaceAll(/,ok$/gm, `,,${text}`),
    );
    expect(proposals.map(({ column }) => column)).toContain('ai_seconds');
  },
);
