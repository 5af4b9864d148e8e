/** Which row of the campaign each place of a sheet is. */
import { expect, it } from 'vitest';
import { PlacedRows, SheetPlaces } from '../../src/importers/sheet-places.ts';
import { hint } from '../../src/manifest/problems/hint.ts';

function placed(rows: readonly (readonly [line: number, row: number, worksheet?: string])[]) {
  const places = new SheetPlaces();
  for (const [line, row, worksheet] of rows) places.add({ line, worksheet }, row);
  return places;
}

it('lines that follow each other are one run, in whatever order they come', () => {
  const places = placed([
    [3, 1],
    [2, 0],
    [4, 2],
    [6, 3],
    [7, 9],
  ]);
  expect(places.all.rows).toEqual([['', [2, 0, 3, 6, 3, 1, 7, 9, 1]]]);
});

it('a place is found by its line and its worksheet', () => {
  const rows = new PlacedRows(
    placed([
      [2, 0],
      [3, 1],
      [5, 2],
      [2, 3, 'Week 2'],
    ]).all.rows,
  );
  const found = [1, 2, 3, 4, 5, 6].map((line) => rows.at({ line }));
  expect(found).toEqual([undefined, 0, 1, undefined, 2, undefined]);
  expect(rows.at({ line: 2, worksheet: 'Week 2' })).toBe(3);
  expect(rows.at({ line: 3, worksheet: 'Week 2' })).toBeUndefined();
});

it('rows without a place are absent', () => {
  expect(
    new PlacedRows(
      placed([
        [2, 3],
        [3, 4],
        [9, 0],
      ]).all.rows,
    ).absent(6),
  ).toEqual([1, 2, 5]);
});

it('a skipped place is the row that no other place is', () => {
  const places = placed([[2, 0]]);
  places.skip({ line: 3 }, 0);
  places.skip({ line: 4 }, 1);
  places.skip({ line: 5 });
  expect(places.all).toMatchObject({ rows: [['', [2, 0, 1, 4, 1, 1]]], skipped: ['3 ', '4 ', '5 '] });
});

it('a refused place has its first problems as sentences, and a new row codes of those that may end', () => {
  const places = new SheetPlaces();
  const found = { line: 4, key: 'a', value: '', code: 'missing_value', column: 'media' };
  const problem = { ...found, problem: 'media is empty', fix: ['Fill it in.', hint('skipInvalid')] } as const;
  const ofRow = { ...found, code: 'row_hidden', column: null, problem: 'this row is hidden', fix: '' };
  const other = { ...found, problem: 'this is not a URL', fix: 'Correct it.' };
  places.refuse({ line: 4 }, [problem, ofRow, other]);
  places.refuse({ line: 5, worksheet: 'May' }, Array(7).fill(ofRow), false);
  expect(places.all.refused).toEqual([
    [
      '4 ',
      'media is empty. Fill it in. This row is hidden. media: this is not a URL. Correct it.',
      'new',
      'row_hidden',
    ],
    ['5 May', `${'This row is hidden. '.repeat(5)}2 more problems.`],
  ]);
});
