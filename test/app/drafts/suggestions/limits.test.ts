import { describe, expect, it } from 'vitest';
import { SheetEvidence } from '../../../../src/app/drafts/suggestions/evidence.ts';
import {
  cutAtWord,
  cutTitle,
  suggestShorter,
  suggestShorterTitles,
} from '../../../../src/app/drafts/suggestions/limits.ts';

describe('text over its limit', () => {
  it('is cut at a word', () => {
    expect(cutAtWord('Dew Tint 05 Berry Limited Edition', 30)).toBe('Dew Tint 05 Berry Limited');
  });

  it.each([
    ['Coffret de Noël « Les Essentiels de la Saône »', 'Coffret de Noël'],
    ['Winter Set (Serum, Night Cream and Mask)', 'Winter Set'],
    ['Masque apaisant visage pour les mains', 'Masque apaisant visage'],
    ['Geschenkset "Für Mama" mit der Handcreme', 'Geschenkset "Für Mama"'],
    ['« Les Essentiels de la Saône », le coffret', '« Les Essentiels de la Saône »'],
    ['(Les Essentiels de la Saône en coffret)', '(Les Essentiels de la Saône'],
    ['Walnut Cheese Serving Board with Handles', 'Walnut Cheese Serving Board'],
    ['Cotton Table Napkin, Checked & Striped', 'Cotton Table Napkin, Checked'],
    ['Handgewebter Teppich ohne oder mit Fransen', 'Handgewebter Teppich'],
    ['Vaso in vetro soffiato senza e con coperchio', 'Vaso in vetro soffiato'],
    ['Manta de algodón hecha a mano y con flecos', 'Manta de algodón hecha a mano'],
    ['Linnen theedoek gestreept zonder zoom', 'Linnen theedoek gestreept'],
    ['Firming Serum with Vitamin A Complex', 'Firming Serum with Vitamin A'],
    ['Rosemary Thyme, Roast Shepherd’s Dish', 'Rosemary Thyme, Roast'],
    ['Candle Holder Set of Twelve No. 17', 'Candle Holder Set of Twelve'],
  ])('%s ends before an open quote or a small word', (text, cut) => {
    expect(cutAtWord(text, 30)).toBe(cut);
  });

  it('is cut anywhere where there are no words', () => {
    expect(cutAtWord('春日限定玫瑰木口红', 4)).toBe('春日限定');
    expect(cutAtWord('x'.repeat(40), 30)).toBe('x'.repeat(30));
  });

  it('leaves room for what is appended to it', () => {
    const cells = ['one two three four', ' #tag ', ''];
    const [found] = suggestShorter([{ row: 1, position: 0, value: '', cells }], 14, [1, 2]);
    expect(found?.edits[0]?.text).toBe('one two');
    expect(suggestShorter([{ row: 1, position: 0, value: '', cells }], 5, [1])).toEqual([]);
  });

  it('may end at the blank line that a briefing stands below', () => {
    const value = 'Glow #ad\n\nBRIEFING: never say cheap';
    const [first] = suggestShorter([{ row: 1, position: 0, value, cells: [value] }], 20);
    expect(first).toMatchObject({ id: 'first-paragraph', edits: [{ text: 'Glow #ad' }] });
  });

  it('counts an emoji as one character', () => {
    expect(cutAtWord('💄💄💄💄', 2)).toBe('💄💄');
  });
});

describe('a product title over its limit', () => {
  it.each([
    ['Walnut Serving Board with Two Handles', 'Walnut Serving Board'],
    ['Walnut Serving Board with Legs and Lid', 'Walnut Serving Board with Legs'],
    ['Crème de jour hydratante visage', 'Crème de jour hydratante'],
    ['Seife mit Lavendel und Rosmarin und Minze', 'Seife mit Lavendel'],
  ])('%s is not cut within what it comes with', (title, cut) => {
    expect(cutTitle(title)).toBe(cut);
  });

  const board = 'Walnut Serving Board with Two Handles';
  const rug = 'Handgewebter Teppich ohne Fransen, rot';
  const indexes = { product_title: 0, product_id: 1, scheduled_at: -1 };
  const found = (
    rows: readonly (readonly [string, string])[],
    good: readonly (readonly [string, string])[] = [],
  ) => {
    const evidence = new SheetEvidence(indexes);
    for (const cells of good) evidence.note(cells);
    const cells = rows.map((texts, at) => ({ row: at + 1, position: 0, value: texts[0], cells: texts }));
    return suggestShorterTitles(cells, evidence, 1).map(({ label, doubt, confidence }) => [
      label,
      doubt,
      confidence,
    ]);
  };

  it('is shown cut, and is no sure fix: viewers see it', () => {
    expect(
      found([
        [board, '11'],
        [board, '11'],
      ]),
    ).toEqual([['Use “Walnut Serving Board” in 2 rows', undefined, undefined]]);
  });

  it('is cut with others by one press, or alone', () => {
    expect(
      found([
        [board, '11'],
        [rug, '12'],
      ]),
    ).toEqual([
      ['Cut at a word in 2 rows', undefined, undefined],
      ['Use “Walnut Serving Board” in 1 row', undefined, undefined],
      ['Use “Handgewebter Teppich” in 1 row', undefined, undefined],
    ]);
  });

  const doubt = 'another product would have the same title';

  it('is doubtful if another is the same before the cut', () => {
    expect(
      found([
        [board, '11'],
        ['Walnut Serving Board with One Handle', '13'],
        [rug, '12'],
      ]),
    ).toEqual([
      ['Use “Walnut Serving Board” in 1 row', doubt, undefined],
      ['Use “Walnut Serving Board” in 1 row', doubt, undefined],
      ['Use “Handgewebter Teppich” in 1 row', undefined, undefined],
    ]);
  });

  it('is doubtful if another product has what is left of it', () => {
    expect(found([[board, '11']], [['walnut serving board', '14']])).toEqual([
      ['Use “Walnut Serving Board” in 1 row', doubt, undefined],
    ]);
    expect(found([[board, '11']], [['walnut serving board', '11']])).toMatchObject([
      [{}, undefined, undefined],
    ]);
  });
});
