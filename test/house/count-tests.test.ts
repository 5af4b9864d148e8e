import { expect, test } from 'vitest';
import { countTests } from '../../scripts/count-tests.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test('passed and failed tests of all files are summed', () => {
  const report = { testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')] };
  expect(countTests(report)).toBe('3 passed, 1 failed');
});

test('skipped tests are shown only if there are any', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'todo')] };
  expect(countTests(report)).toBe('1 passed, 0 failed, 2 skipped');
});

test('a file that failed to load counts as failed', () => {
  expect(countTests({ testResults: [file('failed'), file('passed', 'passed')] })).toBe('1 passed, 1 failed');
});
