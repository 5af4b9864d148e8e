/** Cursors of lists. */
import { expect, it } from 'vitest';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';

it('cursors lead through campaigns of the same millisecond, each of them once', async () => {
  const runner = await openRunner({ queues: [], now: () => 1_800_000_000_000 });
  const { url } = await openPages(runner);
  for (const key of ['a', 'b', 'c']) await runner.importRows([aiVideoRow(key)]);
  const seen: unknown[] = [];
  let cursor = '';
  for (let pages = 0; pages < 4; pages += 1) {
    const { body } = await callApi(url, `/campaigns?limit=1${cursor}`);
    seen.push(...(body.campaigns as { id: string }[]).map(({ id }) => id));
    if (body.next === null) break;
    cursor = `&cursor=${body.next}`;
  }
  expect(seen).toEqual(['c3', 'c2', 'c1']);
});

it('cursors lead through the rows, each of them once', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const keys = Array.from({ length: 7 }, (_, index) => `r${index}`);
  const id = await runner.importRows(keys.map((key) => aiVideoRow(key)));
  const seen: unknown[] = [];
  let cursor = '';
  for (let pages = 0; pages < 3; pages += 1) {
    const { body } = await callApi(url, `/campaigns/${id}/rows?limit=3${cursor}`);
    seen.push(...(body.rows as { key: string }[]).map(({ key }) => key));
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  }
  expect(seen).toEqual(keys);
  expect(cursor).toBe('');
  for (const order of ['ascending', 'changed']) {
    const wrong = await callApi(url, `/campaigns/${id}/rows?cursor=x&order=${order}`);
    expect(wrong.body).toMatchObject({
      status: 422,
      code: 'request_invalid',
      errors: [{ in: 'query', field: 'cursor' }],
    });
  }
});
