/** Rows that the next version of a sheet lacks. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { packResult } from '../../../../src/ledger/rows/results.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, writeSheet } from '../../../support/sheets/sheet.ts';
import { upload } from './update-scene.ts';

const absentPath = /\/campaigns\/new\/[0-9a-f]{16}\/absent/;

it('a row that the sheet lacks is named, and cancelled there after a question', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b'), videoRow('c')]);
  const pages = await openPages(runner);
  const { page } = await upload({ runner, id, pages }, [videoRow('a'), videoRow('b', { caption: 'Better' })]);
  expect(page.text).toContain('1 row of the campaign is no longer in the sheet');
  expect(page.text).toContain('If it waits, it will still be sent. If it is posted, you can delete the post');
  expect(page.text).toContain('c demo_anna: Caption c Cancel 1 row…');
  const [at = ''] = absentPath.exec(page.html) ?? [];
  const asked = await pages.get(at);
  expect(asked.text).toContain('Cancel 1 row? c demo_anna: Caption c It is not posted, and is cancelled now');
  const row = /name="row" value="([^"]*)"/.exec(asked.html)?.[1] ?? '';
  const after = (await pages.post(at, { row })).text;
  expect(after).toContain('1 row cancelled.');
  expect(after).not.toContain('will still be sent');
  const again = await upload({ runner, id, pages }, [videoRow('a'), videoRow('b', { caption: 'Best' })]);
  expect(again.page.text).not.toContain('no longer in the sheet');
  expect((await pages.get(`/campaigns/${id}/rows/c`)).text).toContain('Cancelled');
  await expect.poll(async () => (await pages.get(at)).text).toContain('Nothing to cancel');
});

it('after the question, a person is where she was', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b')]);
  const pages = await openPages(runner);
  const { at } = await upload({ runner, id, pages }, [videoRow('a', { caption: 'Better' })]);
  const page = await pages.get(`${at}?rows=all`);
  const [path = ''] = /\/campaigns\/new\/[0-9a-f]{16}\/absent[^"]*/.exec(page.html) ?? [];
  const { html } = await pages.get(path);
  expect(html).toContain(`href="${at}?rows=all" data-back`);
  const fields = [...html.matchAll(/name="(rows?)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const after = await pages.post(path.split('?')[0] ?? '', new URLSearchParams(fields));
  expect(after.text).toContain('1 row cancelled.');
  expect(after.html).toMatch(/rows=all"[^>]* aria-current/);
});

it('a waiting row that its own status now holds is offered to cancel, like one that the sheet lacks', async () => {
  const runner = await openRunner();
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { Status: 'OK' }));
  const id = await runner.importRows(rows);
  const pages = await openPages(runner);
  const { page, checked } = await upload(
    { runner, id, pages },
    rows.slice(0, 2).with(1, { ...rows[1], Status: 'Cancelled' }),
  );
  expect(page.text).toContain('b still waiting: it will be sent, unless you cancel it');
  expect(page.text).toContain(
    '1 row of the campaign is no longer in the sheet, 1 is skipped or on hold there b, c.',
  );
  expect(page.text).toContain('Cancel 2 rows…');
  const [at = ''] = absentPath.exec(page.html) ?? [];
  const named = [...(await pages.get(at)).html.matchAll(/name="row" value="([^"]*)"/g)];
  await pages.post(at, new URLSearchParams(named.map(([, row = '']): [string, string] => ['row', row])));
  await expect.poll(async () => (await checked()).text).not.toContain('still waiting');
});

it('of more rows than are named, the others are offered once the first ones are cancelled', async () => {
  const runner = await openRunner();
  const rows = Array.from({ length: 60 }, (_row, at) => videoRow(`r${at}`));
  const id = await runner.importRows(rows);
  const pages = await openPages(runner);
  const { page, checked } = await upload({ runner, id, pages }, rows.slice(22));
  const [at = ''] = absentPath.exec(page.html) ?? [];
  const asked = await pages.get(at);
  expect(asked.text).toContain('Cancel 20 rows?');
  const named = [...asked.html.matchAll(/name="row" value="([^"]*)"/g)].map(
    ([, row = '']): [string, string] => ['row', row],
  );
  await pages.post(at, new URLSearchParams(named));
  const text = async () => (await checked()).text;
  await expect.poll(text).toContain('r20 demo_anna: Caption r20; r21 demo_anna: Caption r21 Cancel 2 rows…');
});

it('of the rows that the sheet lacks, only those that are not posted are offered to cancel', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a'), videoRow('b'), videoRow('c')]);
  const pages = await openPages(runner);
  const { page, checked } = await upload({ runner, id, pages }, [videoRow('a')]);
  expect(page.text).toContain('Cancel 2 rows…');
  const [at = ''] = absentPath.exec(page.html) ?? [];
  await asIf(runner).ended(id, [{ row: 2, state: 'posted' }]);
  expect((await checked()).text).toContain('Cancel 1 row…');
  expect((await pages.get(at)).text).toContain('only a waiting or ready row can be cancelled.');
  await asIf(runner).ended(id, [{ row: 1, state: 'posted' }]);
  const { text, html } = await checked();
  expect(text).toContain('2 rows of the campaign are no longer in the sheet');
  expect(html).not.toMatch(absentPath);
});

it('a row that the sheet no longer has is named on the campaign as long as it is sent', async () => {
  const runner = await openRunner();
  const pages = await openPages(runner);
  const { runtime } = pages;
  const write = (name: string, rows: readonly Cells[]) => {
    const path = join(runner.folder, name);
    writeSheet(path, rows);
    return { file: path, path, name, folder: runner.folder };
  };
  const rows = [videoRow('a'), videoRow('b'), videoRow('c')];
  writeMedia(runner.folder, localFiles(rows));
  const started = await startCampaign(runtime, write('plan.csv', rows), { problemsFile: null });
  if (started.kind !== 'imported') throw new Error(started.kind);
  const { id } = started.campaign;
  const said = async () => (await pages.get(`/campaigns/${id}`)).text;
  expect(await said()).not.toContain('no longer in the sheet');
  await updateCampaign(runtime, id, write('plan-2.csv', rows.slice(0, 2)), { problemsFile: null });
  expect(await said()).toContain('1 row is no longer in the sheet, but will still be sent: c .');
  await asIf(runner).ended(id, [{ row: 2, state: 'posted' }]);
  expect(await said()).not.toContain('no longer in the sheet');
  const at = Date.now();
  const result = { postId: 'p-1', postStatus: 'SCHEDULED', fileIds: [], at, plannedAt: at + 3_600_000 };
  await runner.redis.hset(runner.ledger.keys.results(id, 0), '2', packResult(result));
  expect(await said()).toContain('1 row is no longer in the sheet, but will still be published: c .');
});
