import { expect, test } from 'vitest';
import { type Problem, showValue } from '../../../src/manifest/problems/problem.ts';
import { ProblemLog } from '../../../src/manifest/problems/problem-log.ts';

test('invisible characters of values are shown', () => {
  expect(showValue('a\u0000b\u200bc\u202ed\ufeff')).toBe('a\\u0000b\\u200bc\\u202ed\\ufeff');
});

test('long values are cut, never within a character', () => {
  expect(showValue('x'.repeat(121))).toBe(`${'x'.repeat(120)}…`);
  expect(showValue(`${'x'.repeat(119)}🌙 and more`)).toBe(`${'x'.repeat(119)}…`);
});

test('a log keeps the first problems and some of each kind and column, and counts them all', () => {
  const log = new ProblemLog(2);
  const problem = (line: number, code: string): Problem => ({
    line,
    key: null,
    column: null,
    code,
    value: '',
    problem: '',
    fix: '',
  });
  log.add(problem(2, 'one'));
  log.add(problem(3, 'two'));
  for (let line = 4; line < 1000; line += 1) log.add(problem(line, 'two'));
  log.add(problem(1000, 'three'));
  expect(log.kept.map(({ line }) => line)).toEqual([2, 3, 4, 5, 1000]);
  expect(log.total).toBe(999);
  expect([...log.byCode]).toEqual([
    ['one', 1],
    ['two', 997],
    ['three', 1],
  ]);
});
