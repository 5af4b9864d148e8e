import { expect, test } from 'vitest';
import { problemLines } from '../../../src/cli/print/problems.ts';
import type { Problem } from '../../../src/manifest/problems/problem.ts';

function problem(line: number, given: Partial<Problem> = {}): Problem {
  const found = {
    column: 'creator',
    code: 'creator_unknown',
    value: 'nobody',
    problem: 'unknown',
    fix: 'Correct it.',
  };
  return { line, key: `k${line}`, ...found, ...given };
}

test('a problem by itself is as it was found', () => {
  expect(problemLines([problem(2)])).toEqual([['2', 'k2', 'creator', 'nobody', 'unknown. Correct it.']]);
});

test('problems of one kind and column are one line with their rows, in the order of the first', () => {
  const many = Array.from({ length: 300 }, (_, index) => problem(index + 2));
  const other = problem(5, { code: 'too_long', column: 'caption', value: 'x', problem: 'too long' });
  expect(problemLines([...many.slice(0, 4), other, ...many.slice(4)])).toEqual([
    ['2-301', 'k2, k3, k4, ...', 'creator', 'nobody', '300 rows: unknown. Correct it.'],
    ['5', 'k5', 'caption', 'x', 'too long. Correct it.'],
  ]);
});

test('where the texts differ, the first is an example', () => {
  const lines = [2, 3, 5, 7, 9].map((line) => problem(line, { value: `n${line}`, problem: `no n${line}` }));
  expect(problemLines(lines, false)).toEqual([
    [
      '2-3, 5, 7, ...',
      'k2, k3, k5, ...',
      'creator',
      'n2, n3, n5, ...',
      'at least 5 rows. The first: no n2. Correct it.',
    ],
  ]);
});

test('several problems of one row are counted, not rows', () => {
  const [line] = problemLines([problem(2, { value: 'a' }), problem(2, { value: 'b' })]);
  expect(line).toEqual(['2', 'k2', 'creator', 'a, b', '2 times: unknown. Correct it.']);
});

test('unknown headers are one line, though each is a column of its own', () => {
  const header = { key: null, code: 'unknown_column' };
  expect(
    problemLines(['Foo', 'Bar'].map((name) => problem(1, { ...header, column: name, value: name }))),
  ).toEqual([
    [
      '1',
      '',
      'Foo, Bar',
      'Foo, Bar',
      'there are no such columns. Rename or remove them, or map them as below.',
    ],
  ]);
});
