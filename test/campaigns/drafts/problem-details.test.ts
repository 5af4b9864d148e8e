import { expect, it } from 'vitest';
import { ProblemDetails } from '../../../src/campaigns/drafts/check/problem-details.ts';

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
