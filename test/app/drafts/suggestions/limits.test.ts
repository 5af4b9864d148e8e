import { describe, expect, it } from 'vitest';
import { cutAtWord, suggestShorter } from '../../../../src/app/drafts/suggestions/limits.ts';

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
