import { describe, expect, it, test } from 'vitest';
import { suggestMap } from '../../../src/cli/print/problems.ts';
import { createColumnMap } from '../../../src/manifest/headers/column-map.ts';
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

test.each(['Who', 'Wer', 'Who posts', 'Posted by'])(
  '%s is the creator, if its cells are names',
  async (header) => {
    const sheet = (who: string) =>
      check(
        `${header},media,caption,product_id,product_title\n${who},a.mp4,Burn it slow,1729432342342341001,Candle`,
      );
    expect((await sheet('Anna Demo')).proposals).toMatchObject([{ position: 0, column: 'creator' }]);
    expect((await sheet('17:30')).proposals).not.toMatchObject([{ column: 'creator' }]);
  },
);

describe('"Title"', () => {
  async function proposed(header: string, texts: readonly string[]) {
    const rows = texts.map((text, index) => `demo_anna,${index}.mp4,${text},172943234234234100${index}`);
    const { proposals, header: names } = await check(
      [`creator,media,${header},product_id`, ...rows].join('\n'),
    );
    return Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
  }

  it.each([
    [
      'a caption by a part of its name',
      'Caption incl. hashtags',
      { Title: 'product_title', 'Caption incl. hashtags': 'caption' },
    ],
    ['a column of captions', 'Caption', { Title: 'product_title' }],
  ])('is the title of the product beside %s', async (_what, caption, expected) => {
    const texts = [
      'Fig Candle,Burn it slow #home',
      'Stoneware Mug 350 ml,My first sip #monday',
      'Fig Candle,The one I rebuy',
    ];
    expect(await proposed(`Title,${caption}`, texts)).toEqual(expected);
  });

  it('is a note beside a title of the product and a caption by a part of its name', async () => {
    const texts = ['Candle 1,Burn it slow #home,Fig Candle', 'Mug 2,My first sip #monday,Stoneware Mug'];
    const header = 'Title,Caption incl. hashtags,Product title';
    expect(await proposed(header, texts)).toEqual({ Title: '_', 'Caption incl. hashtags': 'caption' });
  });

  it('is not the title of the product if it is too long for one', async () => {
    const texts = ['Why I burn this candle slowly on Sundays,Burn it slow #home', 'Mug,My first sip #monday'];
    expect(await proposed('Title,Caption', texts)).toEqual({});
  });

  it.each([
    ['remarks on the caption', 'Title,Caption status', ['Burn it slow #home,', 'My first sip #monday,']],
    ['nothing like it', 'Title', ['Burn it slow #home', 'My first sip #monday']],
    ...['_Caption ideas', '# text', 'Caption ideas', 'Caption (client wishes)', 'Notizen zur Caption'].map(
      (name) => [
        name,
        `Title,${name}`,
        ['Burn it slow #home,ask Mira first', 'My sip #monday,not before May'],
      ],
    ),
  ] as [string, string, string[]][])('is the caption beside %s', async (_what, header, texts) => {
    expect(Object.keys(await proposed(header, texts))).not.toContain('Title');
  });

  it('is the caption beside a column that a person has made a note', async () => {
    const sheet = [
      'creator,media,Title,Caption incl. hashtags,product_title,product_id',
      'demo_anna,a.mp4,Burn it slow #home,internal: ask Mira,Candle,1729432342341001001',
    ].join('\n');
    const map = createColumnMap([['Caption incl. hashtags', '_']]);
    expect((await check(sheet, { sheet: { map } })).blocking).toEqual([]);
    expect((await check(sheet)).blocking).not.toEqual([]);
  });
});

test('the sheet of an agency is understood with its proposals', async () => {
  const { proposals, header: names } = await check(fileSource(await agencyWorkbook()));
  const proposed = Object.fromEntries(proposals.map(({ position, column }) => [names[position], column]));
  expect(Object.entries(agencyColumns)).toEqual(expect.arrayContaining(Object.entries(proposed)));
  expect(proposed).toEqual({ Produkt: 'product_title', Freigabe: '_', Bemerkung: '_' });
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

test('names are matched by their parts before the contents', async () => {
  const sheet = agency(
    'creator,Asset (file or link),Caption incl. hashtags,Item ID (shop),Pin title,Prompt (AI only),Reference image,Length (s)',
    (at) =>
      `demo_${at},https://files.example/${at},Slow mornings ${at} #tea,172000${at},Serum,Slow pan over it ${at},ref-${at}.png,8`,
  );
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([
    ['Asset (file or link)', 'media'],
    ['Caption incl. hashtags', 'caption'],
    ['Item ID (shop)', 'product_id'],
    ['Pin title', 'product_title'],
    ['Prompt (AI only)', 'ai_prompt'],
    ['Reference image', 'ai_references'],
    ['Length (s)', 'ai_seconds'],
  ]);
  expect(proposals[1]?.evidence).toBe('its name has Caption, and its cells fit');
});

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

test('a part of a name is not enough if the cells say otherwise', async () => {
  const sheet = agency(
    'creator,Video length,Caption status,Product price,Copy,media,product_id,product_title',
    (at) => `demo_${at},0:1${at},ok,${at}9.90 €,Slow mornings ${at},${at}.mp4,172000${at},Serum`,
  );
  const { proposals } = await check(sheet);
  expect(proposals.map(({ column }) => column)).toEqual(['_', '_']);
});

test('of two versions of the caption, a person chooses: neither is proposed, nor a note, nor another text', async () => {
  const sheet = agency(
    'creator,media,product_id,product_title,Caption V1,Caption V2,Intern',
    (at) =>
      `demo_${at},${at}.mp4,172000${at},Serum,Slow mornings ${at},Slower evenings ${at},Wait for the label ${at}`,
  );
  const { proposals, header: names } = await check(sheet);
  expect(proposals.map(({ position, column }) => [names[position], column])).toEqual([['Intern', '_']]);
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
    ['Freigabe', '_'],
  ]);
});

/** Columns that are proposed for one more header, and the problem of it. */
async function proposedFor(header: string, cells: readonly string[]) {
  const rows = cells.map((cell, at) => ({ caption: `Slow mornings ${at}`, [header]: cell }));
  const { proposals, header: names, blocking } = await check(manifestOf(rows));
  const position = names.indexOf(header);
  return { proposal: proposals.find((each) => each.position === position), blocking };
}

test.each([
  ['Followers', ['1200', '5400', '800']],
  ['Price', ['19', '24', '35']],
  ['Coverzeit', ['0:02', '0:03', '0:04']],
  [
    'TikTok Link',
    ['https://www.tiktok.com/@demo_anna', 'https://www.tiktok.com/@demo_ben', 'www.tiktok.com/@demo_carla'],
  ],
])('%s is none of the columns of a post', async (header, cells) => {
  expect((await proposedFor(header, cells)).proposal?.column).toBe('_');
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

test.each(['Link', 'Lien', '商品链接'])('%s with links to no shop is doubtful', async (header) => {
  const links = ['https://drive.google.com/drive/folders/a1', 'https://www.notion.so/Brief-17', ''];
  const { found } = await check(manifestOf(links.map((link) => ({ [header]: link }))));
  expect(found).toEqual([`1 ${header} doubtful_column`]);
  const shops = ['https://shop.tiktok.com/view/product/17', 'https://vt.tiktok.com/ZS8abc/'];
  expect((await check(manifestOf(shops.map((link) => ({ [header]: link }))))).found).toEqual([]);
});

test.each(['Slot time (JST)', 'Slot time UTC+9', 'Slot time [Asia/Tokyo]'])(
  'the zone in %s is not lost',
  async (header) => {
    const { proposal, blocking } = await proposedFor(header, ['18:30', '19:00']);
    const zone = / \W?([\w+/]+)\W?$/.exec(header)?.[1];
    expect(proposal).toMatchObject({ column: 'scheduled_time', zone });
    expect(blocking).toMatchObject([{ problem: expect.stringContaining(`names the zone ${zone}, which`) }]);
    expect(suggestMap([header], [header], proposal ? [{ ...proposal, position: 0 }] : [])).toBe('');
  },
);

test('a header names no zone beside a column of zones', async () => {
  const { proposals } = await check(
    manifestOf([{ 'Slot time (JST)': '18:30', scheduled_at: '2031-03-04', scheduled_tz: 'Asia/Tokyo' }]),
  );
  expect(proposals.map(({ column, zone }) => [column, zone])).toEqual([['scheduled_time', undefined]]);
});

test('links are not the longest texts of a sheet', async () => {
  const sheet = agency('creator,Profil-Link,media,product_id,product_title', (at) =>
    [`demo_${at}`, 'https://www.tiktok.com/@demo_anna', `${at}.mp4`, `172000${at}`, 'Serum'].join(),
  );
  expect((await check(sheet)).proposals.map(({ column }) => column)).not.toContain('caption');
});
