/** Which columns of other worksheets are lists of products or creators. */
import { describe, expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft } from '../test-draft.ts';
import {
  allSuggestionsOf,
  dropWorkbook,
  foam,
  mask,
  suggestionsOf,
  textsOf,
  titled,
} from './listed-names.ts';

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

  it.each([
    ['a name in place of an id', titled('a', 'Mousse Douce'), 'name_as_id'],
    ['one word in place of an id', titled('a', 'Mousse'), 'name_as_id'],
    ['no id', videoRow('a', { product_id: '', product_title: 'Mousse Douce' }), 'missing_value'],
  ])('an id that has lost its digits is told beside %s', async (_what, row, code) => {
    const name = row.product_id || row.product_title || '';
    const draft = await openTestDraft([]);
    const products = [
      ['Nom', 'ID boutique'],
      [name, '7.49E+18'],
      ['Masque Argile', mask],
    ];
    await dropWorkbook(draft, [row], { Produits: products });
    const { checked } = await draft.look();
    expect(checked?.groups.find((group) => group.code === code)?.problem).toBe(
      'in the worksheet Produits, a program turned the id of this product into a number and lost its last digits: 7.49E+18',
    );
  });

  describe('with the whole id in the link of its line', () => {
    const shop = 'https://shop.example/product/';
    const dropped = async (id: string, ...links: readonly string[]) => {
      const draft = await openTestDraft([]);
      const row = videoRow('a', { product_id: '', product_title: 'Mousse Douce' });
      await dropWorkbook(draft, [row], {
        Produits: [
          ['Nom', 'ID boutique', 'Lien', 'Autre lien'],
          ['Masque Argile', mask, `${shop}${mask}`, ''],
          ['Mousse Douce', id, ...links],
        ],
      });
      const { checked } = await draft.look();
      const found = await draft.drafts.suggestions(draft.id, checked?.groups[0]?.id ?? '');
      return { problem: checked?.groups[0]?.problem, found };
    };

    it.each(['1.72938407192653E+18', '1729384071926530000'])('%s is whole', async (lost) => {
      const { problem, found } = await dropped(lost, `${shop}${foam}?region=FR`);
      expect(problem).toBe('product_id is empty');
      expect(found).toMatchObject([
        {
          confidence: 'sure',
          evidence: `In the worksheet Produits, the link of the product Mousse Douce has the id ${foam}.`,
          edits: [{ text: foam }],
        },
      ]);
    });

    it.each([
      ['of another product', [`${shop}${mask}`]],
      ['beside another that fits as well', [`${shop}${foam}`, `${shop}1729384071926530977`]],
    ])('but not with one %s', async (_which, links) => {
      const { problem, found } = await dropped('1.72938407192653E+18', ...links);
      expect(problem).toContain('lost its last digits');
      expect(found).toEqual([]);
    });
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
      `In the worksheet ${name}, Tom has the account demo_ben.`,
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
      expect(evidence).toBe('In the worksheet Creators, Carla Berg is beside the account demo_carla.');
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
