import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SheetEvidence } from '../../../../src/app/drafts/suggestions/evidence.ts';
import { cellsOf, indexes, suggestFor } from './suggest-for.ts';

const cherry = '1729384071926530212';

describe('lost product ids', () => {
  const lost = { product_title: 'Cherry', product_id: '1.72938E+18' };
  const good = { product_title: 'Cherry', product_id: cherry };

  it('take the id that the same title has elsewhere, and say so', () => {
    const [first, ...more] = suggestFor({
      code: 'scientific_id',
      column: 'product_id',
      rows: [lost, lost],
      others: [good, good, good],
    });
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      label: `Use ${cherry} in 2 rows`,
      evidence: `In 3 other rows the product title Cherry has the id ${cherry}.`,
      edits: [
        { row: 1, position: 3, text: cherry },
        { row: 2, position: 3, text: cherry },
      ],
    });
  });

  it('take the id that stands in the place of the title', () => {
    const rows = [{ product_title: cherry, product_id: '' }];
    const others = [{ product_title: 'Cherry', product_id: cherry }];
    const found = suggestFor({ code: 'missing_value', column: 'product_id', rows, others });
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual([[cherry, 'sure']]);
    const titles = suggestFor({
      code: 'id_as_title',
      column: 'product_title',
      rows: [{ product_title: cherry, product_id: cherry }],
      others,
    });
    expect(titles.map(({ edits }) => edits[0]?.text)).toEqual(['Cherry']);
  });

  it('take no link for the title of an id', () => {
    const link = { product_title: 'https://shop.example/p/1730000417', product_id: cherry };
    const found = suggestFor({
      code: 'id_as_title',
      column: 'product_title',
      rows: [link],
      others: [link, { product_title: 'Cherry', product_id: cherry }],
    });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['Cherry']);
  });

  it('take the id of the title in another spelling', () => {
    const rows = [{ product_title: 'cherry ', product_id: '' }];
    const found = suggestFor({ code: 'missing_value', column: 'product_id', rows, others: [good] });
    expect(found[0]?.edits).toEqual([{ row: 1, position: 3, text: cherry }]);
  });

  it('take no id whose first digits are others, or more or fewer', () => {
    const others = ['2829384071926530212', '172938407192653021', 'abc'].map((product_id) => ({
      product_title: 'Cherry',
      product_id,
    }));
    expect(suggestFor({ code: 'scientific_id', column: 'product_id', rows: [lost], others })).toEqual([]);
  });

  it('of a workbook agree in the 15 digits that it kept', () => {
    const rows = [{ product_title: 'Cherry', product_id: '1729384071926530000' }];
    const given = { code: 'digits_lost', column: 'product_id', rows } as const;
    expect(suggestFor({ ...given, others: [good] })).toHaveLength(1);
    expect(suggestFor({ ...given, others: [{ ...good, product_id: '1729384071926510212' }] })).toHaveLength(
      0,
    );
  });

  it('have a button for each id where one title has two', () => {
    const others = [good, { ...good, product_id: '1729384071926530999' }];
    const found = suggestFor({ code: 'scientific_id', column: 'product_id', rows: [lost], others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([cherry, '1729384071926530999']);
  });

  it('of several titles are edited together where each has one id', () => {
    const peach = { product_title: 'Peach', product_id: '1729384071926530213' };
    const [first] = suggestFor({
      code: 'scientific_id',
      column: 'product_id',
      others: [good, peach],
      rows: [lost, { ...peach, product_id: '1.72938E+18' }],
    });
    expect(first?.edits.map(({ text }) => text)).toEqual([cherry, peach.product_id]);
  });
});

describe('a text in place of a product id', () => {
  const foam = { product_title: '', product_id: 'Foam Mini' };
  const others = [{ product_title: 'Foam Mini', product_id: cherry }];

  it('is a title whose id other rows have', () => {
    const found = suggestFor({ code: 'space_in_id', column: 'product_id', rows: [foam], others });
    expect(found.map(({ edits }) => edits)).toEqual([[{ row: 1, position: 3, text: cherry }]]);
  });

  it('stands beside a title whose id other rows have', () => {
    const rows = [{ product_title: 'Foam Mini', product_id: 'see the briefing' }];
    const found = suggestFor({ code: 'space_in_id', column: 'product_id', rows, others });
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([cherry]);
  });

  it('becomes no id by losing its spaces', () => {
    expect(suggestFor({ code: 'space_in_id', column: 'product_id', rows: [foam] })).toEqual([]);
  });
});

describe('the id in a text', () => {
  const links = [
    'https://shop.example/product/1730000417',
    'https://shop.example/product/1730000425',
    'https://shop.example/product/1730000425',
  ];

  it('of links is taken for all with one press, each its own', () => {
    const [found, ...more] = suggestFor({
      code: 'link_as_id',
      column: 'product_id',
      rows: links.map((product_id) => ({ product_id })),
      meant: ['1730000417', '1730000425', '1730000425'],
    });
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      label: '3 cells are links: use the number in them',
      edits: [{ text: '1730000417' }, { text: '1730000425' }, { text: '1730000425' }],
    });
  });

  it('of one link, and of a link of a creator, is named', () => {
    const labelOf = (column: 'product_id' | 'creator', text: string, meant: string) =>
      suggestFor({ code: 'link_as_id', column, rows: [{ [column]: text }], meant: [meant] })[0]?.label;
    expect(labelOf('product_id', links[0] ?? '', '1730000417')).toBe(
      '1 cell is a link: use the number in it',
    );
    expect(labelOf('creator', 'https://x.example/@mia/video/1', '@mia')).toBe(
      '1 cell is a link: use the username in it',
    );
  });

  it('of numbers as a spreadsheet program shows them is taken for all with one press', () => {
    const [found] = suggestFor({
      code: 'formatted_number',
      column: 'product_id',
      rows: [{ product_id: '1,730,000,417' }, { product_id: '1730000425.0' }],
      meant: ['1730000417', '1730000425'],
    });
    expect(found).toMatchObject({
      label: 'Use the plain ids in 2 rows',
      edits: [{ text: '1730000417' }, { text: '1730000425' }],
    });
  });

  it('is nothing where the check found none', () => {
    const rows = [{ product_id: 'Cedar Candle' }, { product_id: 'Stone Mug' }];
    expect(suggestFor({ code: 'space_in_id', column: 'product_id', rows })).toEqual([]);
  });
});

it('searches the products of a large sheet in pieces, with turns for other work in between', async () => {
  const evidence = new SheetEvidence(indexes);
  for (let index = 0; index < 5000; index += 1)
    evidence.note(cellsOf({ product_title: `Serum ${index}`, product_id: String(172_938_407_001 + index) }));
  // Each look at the clock finds a millisecond gone.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ++now);
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  const found = await evidence.products(' serum 49');
  isDone = true;
  await counting;
  expect(found).toHaveLength(111);
  expect(turns).toBeGreaterThan(5);
});
