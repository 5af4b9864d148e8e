import { describe, expect, it } from 'vitest';
import { Places, readPicked } from '../../../../src/console/pages/new/draft/form.ts';

const columns = Array.from({ length: 9 }, (_, position) => ({
  position,
  letters: 'A',
  title: 'a',
  column: null,
  firstTexts: [],
  proposal: null,
}));
const picked = (fields: string, rows: readonly number[]) =>
  readPicked(new URLSearchParams(fields), new Places(columns), rows);

describe('what was picked', () => {
  it('goes into the same columns of each row', () => {
    expect(picked('row=1&p.1=a&p.3=', [4, 7])).toEqual([
      { row: 4, position: 1, text: 'a' },
      { row: 4, position: 3, text: '' },
      { row: 7, position: 1, text: 'a' },
      { row: 7, position: 3, text: '' },
    ]);
  });

  it.each([
    ['a column that the sheet does not have', 'p.9=a', 1, 'the sheet has no such column'],
    ['two texts for one cell', 'p.1=a&p.01=b', 1, 'there are two texts for one cell'],
    [
      'more cells than a list fills',
      'p.1=&p.2=&p.3=&p.4=&p.5=&p.6=',
      20_000,
      'that is too many cells at once',
    ],
  ])('is refused for %s', (_what, fields, rows, message) => {
    const numbers = Array.from({ length: rows }, (_, index) => index + 1);
    expect(() => picked(fields, numbers)).toThrow(
      expect.objectContaining({ code: 'draft_refused', message }),
    );
  });
});
