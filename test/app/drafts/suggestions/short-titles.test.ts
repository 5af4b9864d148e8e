/** Short names of products, such as `whisk`, for which the list of products has longer ones. */
import { describe, expect, it } from 'vitest';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { openTestDraft } from '../test-draft.ts';
import { allSuggestionsOf, dropWorkbook, foam, foamOld, mask, titled } from './listed-names.ts';

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
      'Keep the sheet’s titles in 1 row',
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
