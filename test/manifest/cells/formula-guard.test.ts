import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormula, literalCell, unguardFormula } from '../../../src/manifest/cells/formula-guard.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '"', '7', 'a') }),
);

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r=1'])(
  '%j is guarded, and reads back the same',
  (cell) => {
    expect(guardFormula(cell)).toBe(`'${cell}`);
    expect(unguardFormula(guardFormula(cell))).toBe(cell);
  },
);

test.each(["'=1", "''=1", "'-50%", "'\t", "a,''=1", "a\t''''@x"])('%j keeps its own marks', (cell) => {
  for (const written of [guardFormula(cell), literalCell(cell)]) {
    expect(written).not.toBe(cell);
    expect(unguardFormula(written)).toBe(cell);
  }
});

test.each(['=1', 'a,=1', 'a', "'a"])('%j needs no mark where nothing runs it', (cell) => {
  expect(literalCell(cell)).toBe(cell);
});

test.each(['a', '', "'", "'a", "''", '1-1', ' =1'])('%j is unchanged both ways', (cell) => {
  expect(guardFormula(cell)).toBe(cell);
  expect(unguardFormula(cell)).toBe(cell);
});

test.each([
  ['="0042"', '0042'],
  ['="Mug, ""large"""', 'Mug, "large"'],
  ['="" ', ''],
  ["'730042", '730042'],
])('%j is protected by a program, and reads as %j', (cell, text) => {
  expect(unguardFormula(cell)).toBe(text);
});

test.each(['="a"&"b"', '="', '="a', "'7 days", '"a"'])('%j is not protected', (cell) => {
  expect(unguardFormula(cell)).toBe(cell);
});

test('a written sheet reads as the original', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(unguardFormula(guardFormula(cell))).toBe(cell);
      expect(unguardFormula(literalCell(cell))).toBe(cell);
    }),
  );
});

test('no written cell begins like a formula', () => {
  fc.assert(
    fc.property(text, (cell) => {
      expect(guardFormula(cell)).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});
