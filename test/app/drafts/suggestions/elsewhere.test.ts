import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { Turn } from '../../../../src/manifest/event-loop.ts';
import { openTestDraft } from '../test-draft.ts';
import {
  allSuggestionsOf,
  dropWorkbook,
  foam,
  foamOld,
  mask,
  suggestionsOf,
  textsOf,
  titled,
} from './listed-names.ts';

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
    ['Sérum de Hyaluron', [foam, mask]],
    ['Hyal. Ser.', [foam, mask]],
    ['Hyal. Serum 50ml', [mask]],
    ['Hyal Serum', []],
    ['Hyaluron Creme', []],
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

describe('a short name of products in the list', () => {
  const list = {
    Products: [
      ['Product', 'Product ID', 'RRP'],
      ['Copper Whisk', foam, '9'],
      ['Balloon Whisk Duo (2-pack)', foamOld, '12'],
      ['Pocket Grater No 3', mask, '14'],
      ['Enamel Pie Dish with Fluted Rim and Lid', '1729384071926532222', '20'],
    ],
  };
  const foundFor = async (product_title: string, product_id = '') => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [titled('a', product_id, { product_title })], list);
    return { draft, found: await allSuggestionsOf(draft) };
  };

  it('is each that it is within, also one with a number, and none is sure', async () => {
    const { found } = await foundFor('whisk');
    expect(found.map(({ edits, confidence }) => [edits.map(({ text }) => text), confidence])).toEqual([
      [[foam, 'Copper Whisk'], undefined],
      [[foamOld, 'Balloon Whisk Duo (2-pack)'], undefined],
    ]);
  });

  it.each(['grater', 'Pokcet grater no 3'])('%s becomes its name together with its id', async (title) => {
    const { draft, found } = await foundFor(title);
    expect(found).toMatchObject([
      {
        label: `Use ${mask} and the title Pocket Grater No 3 in 1 row`,
        evidence: `In the worksheet Products, the product Pocket Grater No 3 has the id ${mask}. Viewers then see Pocket Grater No 3, not ${title}.`,
        edits: [{ text: mask }, { text: 'Pocket Grater No 3' }],
      },
    ]);
    const { checked } = await draft.edit({ cells: [...(found[0]?.edits ?? [])] });
    const left = [...(checked?.groups ?? []), ...(checked?.warnings ?? [])];
    expect(left.filter(({ column }) => column?.startsWith('product'))).toEqual([]);
  });

  it.each([
    ['pie dish', ['1729384071926532222', 'Enamel Pie Dish']],
    ['Enamel Pie Dish', ['1729384071926532222']],
  ])('%s becomes no longer name than a title may have', async (title, texts) => {
    const { found } = await foundFor(title);
    expect(found.map(({ edits }) => edits.map(({ text }) => text))).toEqual([texts]);
  });

  it('becomes its name with the id that people chose for it before', async () => {
    const { draft } = await foundFor('grater');
    await setAlias(draft.runtime, { kind: 'product', name: 'grater', means: mask, by: 'ann' });
    expect(await allSuggestionsOf(draft)).toMatchObject([
      { confidence: 'sure', edits: [{ text: mask }, { text: 'Pocket Grater No 3' }] },
    ]);
  });

  it('stays the title that a person chose an id for in another row', async () => {
    const draft = await openTestDraft([]);
    const rows = ['a', 'b'].map((key) => titled(key, '', { product_title: 'whisk' }));
    await dropWorkbook(draft, rows, list);
    const [first] = await allSuggestionsOf(draft);
    await draft.edit({ cells: (first?.edits ?? []).filter(({ row }) => row === 1) });
    expect(await allSuggestionsOf(draft)).toMatchObject([
      {
        confidence: 'sure',
        edits: [
          { row: 2, text: foam },
          { row: 2, text: 'Copper Whisk' },
        ],
      },
    ]);
  });

  it('is asked about where a person writes the id', async () => {
    const { draft } = await foundFor('grater');
    await draft.store('a.mp4');
    const { checked } = await draft.look();
    const position = checked?.columns.find(({ column }) => column === 'product_id')?.position ?? -1;
    const edited = await draft.edit({ cells: [{ row: 1, position, text: mask }] });
    const group = edited.checked?.warnings.find(({ code }) => code === 'title_differs')?.id ?? '';
    expect((await draft.drafts.suggestions(draft.id, group)).map(({ label }) => label)).toEqual([
      'Use Pocket Grater No 3 in 1 row',
      'Keep the titles of the plan in 1 row',
    ]);
  });

  it('is not every other title: one of its own stays', async () => {
    const { draft } = await foundFor('The gift that grates', '');
    await setAlias(draft.runtime, { kind: 'product', name: 'The gift that grates', means: mask, by: 'ann' });
    expect((await allSuggestionsOf(draft)).map(({ edits }) => edits.map(({ text }) => text))).toEqual([
      [mask],
    ]);
  });
});

it('the id of a product that is sold no more is not sure', async () => {
  const draft = await openTestDraft([]);
  await dropWorkbook(draft, [titled('a', '', { product_title: 'clay mask' }), titled('b', 'Foam Mini')], {
    Products: [
      ['Name', 'ID', 'Status'],
      ['Foam Mini', foam, 'Available'],
      ['Clay Mask', mask, 'Descontinuado'],
    ],
  });
  const found = await allSuggestionsOf(draft);
  expect(found.map(({ edits, confidence, doubt }) => [edits[0]?.text, confidence, doubt])).toEqual([
    [mask, undefined, 'the list says Descontinuado'],
    [foam, 'sure', undefined],
  ]);
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
        /^In the showcase of demo_\w+ the product Sample product 1729440003 has/,
      ),
    },
  ]);
  expect(found[0]?.confidence).toBeUndefined();
});

it.each([
  ['Glow Serm 50 ml', [foam]],
  ['Glow Serum', [foam]],
  ['Glow Serum 30 ml', []],
])('a name that is near that of another row may have its id, but is no sure fix: %s', async (title, ids) => {
  const good = titled('b', foam, { product_title: 'Glow Serum 50 ml' });
  const draft = await openTestDraft([titled('a', '', { product_title: title }), good]);
  const found = await suggestionsOf(draft);
  expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(
    ids.map((id) => [id, undefined]),
  );
  for (const { evidence } of found)
    expect(evidence).toBe(`In 1 other row the product title Glow Serum 50 ml has the id ${foam}.`);
});

it('titles of many rows are compared with many others in pieces, so that other work has its turn', async () => {
  const words = Array.from({ length: 40 }, (_, at) => `${String.fromCharCode(97 + (at % 26))}aqua ${at}`);
  const good = words.map((word, at) => titled(`good ${at}`, foam, { product_title: `${word} Serum` }));
  const draft = await openTestDraft([
    ...words.map((word, at) => titled(`bad ${at}`, '', { product_title: `${word} Creme` })),
    ...good,
  ]);
  const { checked } = await draft.look();
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  vi.spyOn(Turn.prototype, 'isFull', 'get').mockReturnValue(true);
  const pause = vi.spyOn(Turn.prototype, 'pause').mockResolvedValue();
  await draft.drafts.suggestions(draft.id, checked?.groups[0]?.id ?? '');
  expect(pause.mock.calls.length).toBeGreaterThanOrEqual(2 * words.length);
});

it('a missing id is the number in the product link beside it', async () => {
  const product_link = 'https://shop.tiktok.com/view/product/1729440001';
  const draft = await openTestDraft([titled('a', '', { product_title: 'Unknown', product_link })]);
  expect(await textsOf(draft)).toEqual([['1 1729440001']]);
});

it('the id in the product link of the row is surer than that of a similar title', async () => {
  const product_link = 'https://shop.tiktok.com/view/product/1729440001';
  const draft = await openTestDraft([
    titled('a', '', { product_title: 'Sampel product 1729440003', product_link }),
  ]);
  expect(await suggestionsOf(draft)).toMatchObject([{ confidence: 'sure', edits: [{ text: '1729440001' }] }]);
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
