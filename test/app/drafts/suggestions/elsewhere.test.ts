import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';
import { textRow, writeWorkbook } from '../../../support/sheets/workbook.ts';
import { openTestDraft, type TestDraft } from '../test-draft.ts';

const [foam, foamOld, mask] = ['1729384071926530212', '1729384071926530977', '1729384071926531458'];

/** A row of demo_ben with a title where the id belongs. */
function titled(key: string, title: string, cells: Cells = {}): Cells {
  return videoRow(key, { creator: 'demo_ben', product_id: title, ...cells });
}

/** The suggestions for the largest group of problems. */
async function suggestionsOf({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  return drafts.suggestions(id, checked?.groups[0]?.id ?? '');
}

async function allSuggestionsOf({ drafts, id, look }: TestDraft) {
  const { checked } = await look();
  return (await Promise.all((checked?.groups ?? []).map((group) => drafts.suggestions(id, group.id)))).flat();
}

async function textsOf(draft: TestDraft) {
  return (await suggestionsOf(draft)).map(({ edits }) => edits.map(({ row, text }) => `${row} ${text}`));
}

/** A workbook of posts, with other worksheets. */
async function dropWorkbook(
  { drop }: TestDraft,
  posts: readonly Cells[],
  others: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<void> {
  const lines = [Object.keys(posts[0] ?? {}), ...posts.map((row) => Object.values(row) as string[])];
  const sheets = Object.entries({ Posts: lines, ...others }).map(([name, rows]) => ({
    name,
    rows: rows.map((cells) => textRow(cells)).join(''),
  }));
  await drop(readFileSync(await writeWorkbook({ sheets })), 'Plan.xlsx');
}

describe('a title in place of a product id', () => {
  const rows = [titled('a', 'Sample product 1729440002'), titled('b', 'Sample product 1729440002')];

  it('becomes the id that it has in the showcase of the creator', async () => {
    const [first, ...more] = await suggestionsOf(await openTestDraft(rows));
    expect(first).toMatchObject({
      label: 'Use 1729440002 in 2 rows',
      evidence: 'In the showcase of demo_ben the product Sample product 1729440002 has the id 1729440002.',
    });
    expect(more).toEqual([]);
  });

  it('has no suggestion from the showcase of another creator', async () => {
    const other = { creator: 'demo_anna' };
    const draft = await openTestDraft([titled('a', 'Sample product 1729440002', other)]);
    expect(await textsOf(draft)).toEqual([]);
  });

  it('has no suggestion, and no error, when the showcase cannot be looked up', async () => {
    const draft = await openTestDraft(rows);
    await draft.look();
    await draft.runner.sandbox.close();
    expect(await textsOf(draft)).toEqual([]);
  });

  it('becomes the id that it has in another worksheet', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [titled('a', 'Foam Mini'), titled('b', 'Clay Mask')], {
      Catalogue: [
        ['Name', 'Price', 'Product ID'],
        ['Foam Mini', '9.90', foam],
        ['Clay Mask', '12.00', mask],
      ],
    });
    const [all] = await suggestionsOf(draft);
    expect(all).toMatchObject({ label: 'Use the ids that are known in 2 rows' });
    expect(all?.edits.map(({ text }) => text)).toEqual([foam, mask]);
  });

  it('with two ids in the other worksheets is a choice, and nothing is taken for all rows', async () => {
    const draft = await openTestDraft([]);
    const header = ['Product', 'Product ID'];
    await dropWorkbook(draft, [titled('a', 'Foam Mini'), titled('b', 'Clay Mask')], {
      Now: [header, ['Foam Mini', foam], ['Clay Mask', mask]],
      Before: [header, ['Foam Mini', foamOld]],
    });
    expect(await textsOf(draft)).toEqual([[`1 ${foam}`], [`1 ${foamOld}`], [`2 ${mask}`]]);
  });

  it('takes no id that lost its digits', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [titled('a', 'Foam Mini')], {
      Catalogue: [
        ['Product title', 'Product ID'],
        ['Foam Mini', '1729384071926530000'],
      ],
    });
    expect(await textsOf(draft)).toEqual([]);
  });
});

describe('lists in other worksheets', () => {
  const posts = ['Mousse Douce', 'Masque Argile'].map((name, at) => titled(`${at}`, name));

  it.each([
    [
      'Produits',
      ['Nom', 'Réf', 'ID boutique'],
      [
        ['Mousse Douce', '100417', foam],
        ['Masque Argile', '100418', mask],
      ],
    ],
    [
      'Feuil2',
      ['Réf', 'Nom du produit', 'Prix', 'Code boutique'],
      [
        ['R-1', 'Mousse Douce', '9,90', foam],
        ['R-2', 'Masque Argile', '12,00', mask],
      ],
    ],
    [
      'Katalog',
      ['Shop', 'Bezeichnung'],
      [
        [foam, 'Mousse Douce'],
        [mask, 'Masque Argile'],
      ],
    ],
  ])('%s tells product ids', async (name, header, rows) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, posts, { [name]: [header, ...rows] });
    const [all] = await suggestionsOf(draft);
    expect(all).toMatchObject({ confidence: 'sure' });
    expect(all?.edits.map(({ text }) => text)).toEqual([foam, mask]);
  });

  it('article numbers of the shop are no product ids', async () => {
    const draft = await openTestDraft([]);
    const articles = [
      ['Nom', 'Code interne'],
      ['Mousse Douce', '100417'],
      ['Masque Argile', '100418'],
    ];
    await dropWorkbook(draft, posts, { Produits: articles });
    expect(await textsOf(draft)).toEqual([]);
  });

  it('of no products tells none, and two columns of such numbers tell two', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [titled('a', 'Mousse Douce')], {
      Budget: [
        ['Poste', 'Ligne'],
        ['Mousse Douce', '1729384071926530212'],
      ],
      Produits: [
        ['Nom', 'Code', 'Autre'],
        ['Mousse Douce', foam, mask],
      ],
    });
    expect(await textsOf(draft)).toEqual([[`1 ${foam}`], [`1 ${mask}`]]);
  });

  const named = (...creators: readonly string[]) =>
    creators.map((creator, at) => videoRow(`${at}`, { creator }));

  it.each([
    [
      'Casting',
      ['Nom', 'Compte', 'Tarif'],
      [
        ['Léa M.', '@demo_anna', '200'],
        ['Tom', '@demo_ben', '300'],
      ],
    ],
    [
      'Talents',
      ['Prénom', 'Ville', 'Profil'],
      [
        ['Léa M.', 'Lyon', 'https://www.tiktok.com/@demo_anna'],
        ['Tom', 'Lyon', 'https://www.tiktok.com/@demo_ben'],
      ],
    ],
    [
      'Creators',
      ['Name', 'TikTok account'],
      [
        ['Léa M.', 'demo_anna'],
        ['Tom', 'demo_ben'],
      ],
    ],
  ])('%s tells the account of a display name, as a sure suggestion', async (name, header, rows) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, named('léa  m.', 'Tom', 'Léa M.'), { [name]: [header, ...rows] });
    const all = await allSuggestionsOf(draft);
    expect(all.every(({ confidence }) => confidence === 'sure')).toBe(true);
    expect(all.map(({ evidence }) => evidence)).toContain(
      `In the worksheet ${name} Tom has the account demo_ben.`,
    );
    const texts = new Map(all.flatMap(({ edits }) => edits.map(({ row, text }) => [row, text])));
    expect([1, 2, 3].map((row) => texts.get(row))).toEqual(['demo_anna', 'demo_ben', 'demo_anna']);
  });

  const casting = [
    ['Carla Berg', '@demo_carla', 'Anna S'],
    ['Ben Kurz', '@demo_ben', 'Tom P'],
  ];
  it.each([
    ['who has a column of names beside it', ['Name', 'TikTok', 'Manager'], 'Anna S', []],
    ['who has a column of creators beside it', ['Creator', 'TikTok', 'Talent manager'], 'Anna S', []],
    ['under no name', ['', 'TikTok', 'Booked by'], 'Anna S', []],
    [
      'who stands first under no name',
      ['Who', 'TikTok', 'Manager'],
      'Carla Berg',
      [['demo_carla', undefined]],
    ],
  ])('tell no account of a person %s, as a sure one', async (_who, header, creator, expected) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, named(creator), { Creators: [header, ...casting] });
    const all = (await allSuggestionsOf(draft)).filter(({ evidence }) => evidence.includes('worksheet'));
    expect(all.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(expected);
    for (const { evidence } of all)
      expect(evidence).toBe('In the worksheet Creators Carla Berg stands beside the account demo_carla.');
  });

  it.each([
    ['Brand', ['Brand', 'Name', 'Category', 'Product ID'], []],
    ['Category', ['Name', 'Product brand', 'Product category', 'Product ID'], []],
    ['first', ['Bild', 'Marke', 'Kategorie', 'Product ID'], [[foam, undefined]]],
  ])('tell the id of a product by its name only, not by its %s', async (_what, header, expected) => {
    const draft = await openTestDraft([]);
    const title = 'Glow Co';
    const cells = (texts: readonly string[]) =>
      header.map((name, at) => (name === 'Name' ? 'Foam Mini' : (texts[at] ?? '')));
    await dropWorkbook(draft, [titled('a', title)], {
      Products: [header, cells([title, title, title, foam]), ['Lumen', 'Lamp', 'Home', mask]],
    });
    const all = await suggestionsOf(draft);
    expect(all.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(expected);
  });

  it('tell the account of a name with a typo, which a person chooses', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, named('Ana Morel'), {
      Casting: [
        ['Nom', 'Compte'],
        ['Anna Morel', '@demo_anna'],
      ],
    });
    const all = (await allSuggestionsOf(draft)).filter(({ evidence }) => evidence.includes('worksheet'));
    expect(all.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([
      ['demo_anna', undefined],
    ]);
  });

  it('of two creators with one name are a choice', async () => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, named('Tom Li', 'Jo Li'), {
      Casting: [
        ['Nom', 'Compte'],
        ['Tom Li', '@demo_anna'],
        ['Tom Li', '@demo_ben'],
        ['Jo Li', '@demo_carla'],
        ['A', '@demo_leo'],
        ['B', '@demo_kira'],
        ['C', '@demo_iris'],
      ],
    });
    const all = await allSuggestionsOf(draft);
    const texts = all.map(({ edits }) => edits.map(({ row, text }) => `${row} ${text}`));
    expect(texts).toEqual([['1 demo_anna'], ['1 demo_ben'], ['2 demo_carla']]);
  });
});

describe('a list with two columns of accounts', () => {
  const casting = (...networks: readonly string[]) => ({
    Casting: [
      ['Name', ...networks],
      ['Ada Lund', '@ada.lund.home', '@demo_anna'],
      ['Bo Falk', '@bofalk', '@demo_ben'],
    ],
  });
  const posts = ['Ada Lund', 'Bo Falk', 'Ada Lund'].map((creator, at) => videoRow(`${at}`, { creator }));
  const suggested = async (draft: TestDraft) =>
    (await allSuggestionsOf(draft)).flatMap(({ edits, confidence }) =>
      edits.map(({ row, text }) => `${row} ${text} ${confidence}`),
    );

  it.each([
    ['Instagram', 'TikTok Handle'],
    ['Profil A', 'Profil B'],
  ])('has those that the service knows: %s, %s', async (...networks) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, posts, casting(...networks));
    const found = await suggested(draft);
    expect(new Set(found)).toEqual(new Set(['1 demo_anna sure', '2 demo_ben sure', '3 demo_anna sure']));
  });

  it('that the service all knows, has those of the column that a person took one from', async () => {
    const draft = await openTestDraft([]);
    const both = {
      Casting: [
        ['Name', 'Profil A', 'Profil B'],
        ['Ada Lund', '@demo_carla', '@demo_anna'],
        ['Bo Falk', '@demo_david', '@demo_ben'],
      ],
    };
    await dropWorkbook(draft, posts, both);
    expect(await suggested(draft)).toContain('2 demo_david sure');
    await draft.edit({ cells: [{ row: 1, position: 1, text: 'demo_anna' }] });
    expect(new Set(await suggested(draft))).toEqual(new Set(['2 demo_ben sure', '3 demo_anna sure']));
  });
});

describe('a name that is not in the list as it is', () => {
  const list = {
    Casting: [
      ['Name', 'TikTok'],
      ['Ida Maier', '@demo_anna'],
      ['Ida Mayer', '@demo_ben'],
      ['Julia Krause', '@demo_carla'],
      ['Quinn Abara', '@demo_davit'],
      ['Tom Nobody', '@nobody.at.all'],
    ],
  };

  it.each([
    ['Ida Meier', ['demo_anna', 'demo_ben']],
    ['Julia K.', ['demo_carla']],
    ['Quinn Abara', ['demo_david']],
    ['Tom Nobody', []],
    ['Paul K.', []],
  ])('%s may be each that it is near: %j', async (creator, accounts) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [videoRow('a', { creator }), videoRow('b', { creator: 'demo_leo' })], list);
    const found = await allSuggestionsOf(draft);
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(
      accounts.map((account) => [account, undefined]),
    );
  });
});

describe('a title of which the list of products has more', () => {
  const list = {
    Produkte: [
      ['Produktname', 'Product ID'],
      ['Hyaluron Serum 30 ml', foam],
      ['Hyaluron Serum 50 ml', mask],
    ],
  };

  it.each([
    ['Serum 50ml', [mask]],
    ['Serum 40 ml', []],
    ['Serum 50 g', []],
    ['Hyaluron Serun 30 ml', [foam]],
  ])('%s may be %j, never of another amount', async (product_title, ids) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [titled('a', '', { product_title })], list);
    const found = await allSuggestionsOf(draft);
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(
      ids.map((id) => [id, undefined]),
    );
  });

  it('has the id of the list, whatever one row has beside it', async () => {
    const draft = await openTestDraft([]);
    const wrong = titled('c', mask, { product_title: 'Hyaluron Serum 30 ml' });
    await dropWorkbook(draft, [titled('a', '', { product_title: 'Hyaluron Serum 30 ml' }), wrong], list);
    const found = (await allSuggestionsOf(draft)).filter(({ edits }) => edits[0]?.row === 1);
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([[foam, 'sure']]);
  });
});

it('a name in another spelling, or a link, has its id in the product sheet', async () => {
  const draft = await openTestDraft([]);
  const link = 'https://shop.example/clay-mask';
  const posts = [titled('a', 'foam  MINI'), titled('b', 'none of these'), titled('c', link)];
  await dropWorkbook(draft, posts, {
    Products: [
      ['Name', 'ID', 'Page'],
      ['Foam Mini', foam, 'https://shop.example/foam-mini'],
      ['Clay Mask', mask, link],
    ],
  });
  const texts = (await allSuggestionsOf(draft)).flatMap(({ edits }) =>
    edits.map(({ row, text }) => `${row} ${text}`),
  );
  expect(texts).toEqual([`1 ${foam}`, `3 ${mask}`]);
});

it('a name that is written slightly wrong has the id of the nearest one, to be chosen, but never of another number', async () => {
  const names = ['Sample produkt 1729440003', 'Sampel product 1729440000'];
  const draft = await openTestDraft(names.map((name, at) => titled(`${at}`, '', { product_title: name })));
  const { checked } = await draft.look();
  const found = await draft.drafts.suggestions(draft.id, checked?.groups[0]?.id ?? '');
  expect(found).toMatchObject([
    {
      label: 'Use 1729440003 in 1 row',
      evidence: expect.stringMatching(
        /^In the showcase of demo_\w+ the product sample product 1729440003 has/,
      ),
    },
  ]);
  expect(found[0]?.confidence).toBeUndefined();
});

it('a missing id is the number in the product link beside it', async () => {
  const product_link = 'https://shop.tiktok.com/view/product/1729440001';
  const draft = await openTestDraft([titled('a', '', { product_title: 'Unknown', product_link })]);
  expect(await textsOf(draft)).toEqual([['1 1729440001']]);
});

it('a missing id is that of the title beside it in the showcase', async () => {
  const draft = await openTestDraft([titled('a', '', { product_title: 'Sample product 1729440003' })]);
  expect(await textsOf(draft)).toEqual([['1 1729440003']]);
});

it('the link to a product has its id in it, whatever its title is elsewhere', async () => {
  const link = 'https://shop.tiktok.com/view/product/1729440001?region=GB';
  const draft = await openTestDraft([titled('a', link, { product_title: 'Sample product 1729440002' })]);
  expect(await textsOf(draft)).toEqual([['1 1729440001']]);
});

it('the showcases of at most ten creators are asked, and asked once', async () => {
  const names = 'anna ben carla david elena felix grace henry iris jonas kira leo'.split(' ');
  const rows = names.map((name) => titled(name, 'Foam Mini', { creator: `demo_${name}` }));
  const draft = await openTestDraft(rows);
  await suggestionsOf(draft);
  await suggestionsOf(draft);
  const asked = draft.runner.sandbox.calls('listSocialShowcaseProducts');
  expect(asked).toHaveLength(10);
});

it.each([
  ['Lukasz Wojcik', [['demo_anna', 'sure']]],
  ['Jose Diaz', []],
])('a name is that of the list without its accents, if only one has it: %s', async (creator, expected) => {
  const draft = await openTestDraft([]);
  await dropWorkbook(draft, [videoRow('a', { creator })], {
    Casting: [
      ['Name', 'TikTok'],
      ['Łukasz Wójcik', '@demo_anna'],
      ['José Diaz', '@demo_ben'],
      ['Jose Díaz', '@demo_carla'],
    ],
  });
  const sure = (await allSuggestionsOf(draft)).filter(({ confidence }) => confidence === 'sure');
  expect(sure.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(expected);
});
