import { expect, it } from 'vitest';
import { numberFor } from '../../../src/sheets/own/cell-number.ts';
import { readFormatCode } from '../../../src/sheets/xlsx/styles.ts';

interface Old {
  readonly type?: string;
  readonly hasValue?: boolean;
  readonly hasFormula?: boolean;
  readonly from1904?: boolean;
}

/** The number for a text in a cell of this format, which holds a number if nothing else is said. */
function numberIn(format: string, text: string, old: Old = {}): number | undefined {
  const { type, hasValue = true, hasFormula = false, from1904 = false } = old;
  const style = { format: readFormatCode(format), isStruck: false };
  return numberFor(text, { type, style: '1', hasValue, hasFormula }, { from1904, styleOf: () => style });
}

it.each([
  ['ddd d.M.', '2026-12-12', 46_368],
  ['ddd d.M.', '12.12.2026', 46_368],
  ['ddd d.M.', '2026-12-12 18:00', 46_368.75],
  ['yyyy-mm-dd hh:mm', '2026-12-12 18:00', 46_368.75],
  ['yyyy-mm-dd hh:mm', '2026-12-12', 46_368],
  ['hh:mm', '18:00', 0.75],
  ['hh:mm', '9:00', 0.375],
  ['hh:mm', '18 Uhr', 0.75],
  ['[h]:mm', '18:00', 0.75],
  ['General', '13', 13],
  ['00000', '00013', 13],
])('in a cell of %s, %s is %d', (format, text, number) => {
  expect(numberIn(format, text)).toBe(number);
});

it.each([
  ['ddd d.M.', '12/11/2026', 'has two readings'],
  ['ddd d.M.', 'Montag', 'is no date'],
  ['hh:mm', '18:00+02:00', 'has an offset'],
  ['General', '013', 'would lose its zero'],
  ['General', '1729431001123456789', 'would lose digits'],
  ['General', '2026-12-12', 'would not look like a date'],
])('in a cell of %s, %s %s', (format, text) => {
  expect(numberIn(format, text)).toBeUndefined();
});

it.each(['s', 'str', 'inlineStr'])('a cell that holds a text keeps one: %s', (type) => {
  expect(numberIn('ddd d.M.', '2026-12-12', { type })).toBeUndefined();
  expect(numberIn('General', '13', { type })).toBeUndefined();
});

it('a formula in a date cell gives way to a date, whatever its result was', () => {
  const old = { type: 'str', hasFormula: true };
  expect(numberIn('ddd d.M.', '2026-12-12', old)).toBe(46_368);
  expect(numberIn('General', '13', old)).toBeUndefined();
});

it('an empty cell gets a date, and no number', () => {
  const old = { hasValue: false };
  expect(numberIn('ddd d.M.', '2026-12-12', old)).toBe(46_368);
  expect(numberIn('General', '13', old)).toBeUndefined();
});

it('days may be counted from 1904', () => {
  expect(numberIn('ddd d.M.', '2026-12-12', { from1904: true })).toBe(46_368 - 1462);
});
