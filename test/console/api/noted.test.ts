import { expect, it } from 'vitest';
import { notedChange } from '../../../src/console/api/noted.ts';
import type { ApiRequest } from '../../../src/console/api/operation.ts';
import { operations } from '../../../src/console/api/operations/table.ts';

function noted(id: string, given: Partial<ApiRequest>, answer: object): string {
  const operation = operations.find((each) => each.id === id) ?? expect.unreachable();
  return notedChange(operation, { params: {}, query: {}, body: {}, ...given } as ApiRequest, answer);
}

it('the audit names the rows of a draft, bounded, and no texts', () => {
  const cells = [{ row: 3, position: 1, text: 'a new caption' }];
  const said = noted(
    'mendDraft',
    { params: { id: 'd1' }, body: { cells, leaveOut: [4, 5, 6, 7, 8, 9] } },
    {},
  );
  expect(said).toMatch(/\. Draft d1, cells of row 3, skipped: row 4 5 6 7 8 and 1 more\.$/);
  expect(
    noted('retryRows', { params: { id: 'c1' }, body: { error: 'x'.repeat(1e6) } }, {}).length,
  ).toBeLessThan(400);
});

it('the audit names the campaign that a draft became', () => {
  const said = noted('startDraft', { params: { id: 'd1' }, body: { posts: 3 } }, { id: 'c4', rows: 3 });
  expect(said).toMatch(/\. Draft d1, campaign c4, posts 3, 3 rows\.$/);
});
