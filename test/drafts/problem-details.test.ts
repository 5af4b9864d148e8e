import { expect, it } from 'vitest';
import { ProblemDetails } from '../../src/drafts/check/problem-details.ts';

it('a sheet with another wrong creator in each row has no group for each of them', () => {
  const details = new ProblemDetails(() => 0);
  for (let row = 1; row <= 30_000; row += 1) {
    const value = `creator ${row}`;
    details.add(row, [
      { column: 'creator', code: 'creator_unknown', value, problem: 'unknown', cure: 'mend' },
    ]);
  }
  const { groups } = details;
  expect(groups).toHaveLength(2001);
  expect(groups[0]).toMatchObject({ count: 28_000, isSameValue: false });
  expect(groups[1]).toMatchObject({ count: 1, value: 'creator 1', numbers: [1] });
});

it('a missing file and a row without media have groups of their own', () => {
  const details = new ProblemDetails(() => 0);
  const missing = { column: 'media', code: 'media_missing', problem: 'There is no such file', cure: 'add' };
  for (const [index, value] of ['a.mp4', 'b.mp4', ''].entries())
    details.add(index + 1, [{ ...missing, value }]);
  expect(details.groups.map(({ numbers }) => numbers)).toEqual([[1, 2], [3]]);
});

it('details of many long problems are bounded in memory, and the rest is counted', () => {
  const details = new ProblemDetails(() => 0);
  for (let row = 1; row <= 10_000; row += 1) {
    const value = `${row}`.padEnd(2000, 'x');
    details.add(row, [{ column: 'caption', code: 'too_long', value, problem: value, cure: 'cut' }]);
  }
  expect(details.bytes).toBeLessThan(12_010_000);
  expect(details.groups).toMatchObject([{ count: 10_000 }]);
  for (let row = 1; row <= 10_000; row += 1) details.remove(row);
  expect(details.bytes).toBe(0);
});
