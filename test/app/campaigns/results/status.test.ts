/** What `status` says of an accepted post: a workbook is for people, the other formats are for programs. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import type { PostedResult } from '../../../../src/ledger/rows/results.ts';
import { openSheet } from '../../../../src/sheets/open-sheet.ts';
import { fileSource } from '../../../../src/sheets/sheet.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('says in a workbook whether a posted row is scheduled, live or not confirmed, where that is known', async () => {
  const clock = { now: Date.UTC(2027, 2, 1) };
  const runner = await openRunner({ now: () => clock.now });
  const at = (day: number) => ({ scheduled_at: `2027-03-${day} 19:02`, scheduled_tz: 'UTC' });
  const rows = ['a', 'b', 'c', 'd'].map((key, index) => videoRow(key, index < 2 ? at(12 + 2 * index) : {}));
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  expect((await runner.ended(id)).counts.posted).toBe(4);
  const { runtime } = await openPages(runner);
  const statuses = async (name: string) => {
    const { path = '' } = await writeResults(runtime, id, { to: join(runner.folder, name) });
    const sheet = await openSheet(fileSource(path));
    const found = (await Array.fromAsync(sheet.rows)).flat();
    return found.map(({ cells }) => cells[sheet.header.cells.indexOf('status')]);
  };

  clock.now = Date.UTC(2027, 2, 13);
  const before = { ...(await runner.rows(id))[2]?.result, postStatus: 'SCHEDULED' } as PostedResult;
  await runner.ledger.publishing.follow(id, [{ row: 2, before, postStatus: 'PUBLISHED' }]);
  expect(await statuses('r.xlsx')).toEqual(['not confirmed', 'scheduled', 'live', 'posted']);
  expect(await statuses('r.csv')).toEqual(['posted', 'posted', 'posted', 'posted']);
});
