import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormula, unguardFormula } from '../../src/manifest/formula.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a') }),
);

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is guarded, and read as it was', (cell) => {
  expect(guardFormula(cell)).toBe(`'${cell}`);
  expect(unguardFormula(guardFormula(cell))).toBe(cell);
});

test.each(['a', '', "'", "'a", "''=1", '1-1', ' =1'])('%j is left alone both ways', (cell) => {
  expect(guardFormula(cell)).toBe(cell);
  expect(unguardFormula(cell)).toBe(cell);
});

test('a sheet that was written reads as the one it was made from', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(unguardFormula(guardFormula(cell))).toBe(unguardFormula(cell));
    }),
  );
});

test('nothing that is written begins as a formula', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(guardFormula(cell)).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});
