import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
