/** Rows of a draft that other campaigns have posted or will post. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { aiVideoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';

const rows = [aiVideoRow('a'), aiVideoRow('b'), aiVideoRow('c')];

async function openRepeating(more: readonly Cells[] = []) {
  const draft = await openDraft([...rows, aiVideoRow('new'), ...more]);
  const { runner, runtime } = draft;
  const path = join(runner.folder, 'earlier.csv');
  writeFileSync(path, sheetText(rows));
  await startCampaign(runtime, { file: path, path, name: 'earlier', folder: runner.folder }, {});
  return draft;
}

it('they are problems that name the other row, each with a tick', async () => {
  const { checked } = await openRepeating();
  const { text, html } = await checked();
  expect(text).toContain('3 rows to fix, 1 kind of problem');
  expect(text).toContain('These posts are in other campaigns already.');
  expect(text).toContain('Post again Already in c1, row b, which is not posted yet.');
  expect(text).toContain('Skip 3 rows and start 1 post');
  expect([...html.matchAll(/name="again" value="(\d)"/g)].map(([, row]) => row)).toEqual(['1', '2', '3']);
});

it('one of them is skipped beside its problem, or all of them', async () => {
  const { checked, pages, path, look, fieldsOf } = await openRepeating();
  const { html } = await checked();
  const row = (number: number) =>
    new RegExp(`formaction="[^"]*/leave-out" name="row" value="${number}">Skip this row`);
  for (const number of [1, 2, 3]) expect(html).toMatch(row(number));
  expect(html).toContain('Skip 3 rows</button>');
  const { text } = await pages.post(`${path}/leave-out`, { version: fieldsOf(html).version, row: '2' });
  expect(text).toContain('1 row skipped.');
  expect((await look()).checked).toMatchObject({ leftOut: 1, refused: 2 });
});

it('ticked ones are posted again, and no others', async () => {
  const { checked, send, look } = await openRepeating();
  await checked();
  const { text } = await send('cells', { again: '2' });
  expect(text).toContain('1 row will be posted again.');
  expect(text).toContain('2 rows to fix');
  expect(text).toContain('Skip 2 rows and start 2 posts');
  expect((await look()).checked).toMatchObject({ accepted: 2, refused: 2 });
});

it('a tick beside the button that starts is saved first, and starts nothing', async () => {
  const { checked, send, look } = await openRepeating();
  await checked();
  const { text } = await send('start', { again: '2', posts: '1', skip: 'yes' });
  expect(text).toContain('1 row will be posted again. Nothing was started yet');
  expect((await look()).draft.campaign).toBeUndefined();
});

it('a start with them needs a tick of its own', async () => {
  const { checked, send, edit, pages, path, look, runner } = await openRepeating();
  await checked();
  await send('cells', { again: '2' });
  await edit({ leaveOut: [1, 3] });
  await checked();
  expect((await pages.get(`${path}/start`)).text).toContain('Yes, 1 post may be posted twice');
  const before = await runner.ledger.campaigns.list();
  await send('start', { posts: '2' });
  expect(await runner.ledger.campaigns.list()).toHaveLength(before.length);
  expect((await look()).draft.campaign).toBeUndefined();
  expect((await send('start', { posts: '2', sure: 'yes' })).text).toContain('Started: 2 posts');
});

it('a program that starts them says that it knows', async () => {
  const { checked, send, edit, pages, id, look, runner } = await openRepeating();
  await checked();
  await send('cells', { again: '2' });
  await edit({ leaveOut: [1, 3] });
  const { version } = (await look()).draft;
  const start = async (more: object) => {
    const body = JSON.stringify({ version, posts: 2, ...more });
    const answer = await fetch(`${pages.url}/api/v1/drafts/${id}/start`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', origin: pages.url },
    });
    return { status: answer.status, document: (await answer.json()) as object };
  };
  const before = await runner.ledger.campaigns.list();
  expect(await start({})).toMatchObject({
    status: 409,
    document: { code: 'posts_exist', fix: expect.stringContaining('send mayPostTwice=true') },
  });
  expect(await runner.ledger.campaigns.list()).toHaveLength(before.length);
  expect(await start({ mayPostTwice: true })).toMatchObject({ status: 201, document: { rows: 2 } });
});

it('a start before the check is known asks first', async () => {
  const { checked, path, runner, fieldsOf } = await openDraft(rows);
  const fields = { ...fieldsOf((await checked()).html), posts: '3' };
  // Another process, whose check fails once: the start itself would not.
  const other = await openPages(runner);
  const refusal = { operation: 'listCreatorAccounts', kind: 'status', status: 401, times: 1 } as const;
  runner.sandbox.faults.add(refusal);
  const { text } = await other.post(`${path}/start`, fields);
  expect(text).not.toContain('Started');
  expect(await runner.ledger.campaigns.list()).toEqual([]);
});

it('the question before the start tells repeats of campaigns from those of the sheet', async () => {
  const same = { ...aiVideoRow('new'), key: 'newer' };
  const { checked, pages, path } = await openRepeating([same]);
  expect((await checked()).text).toContain('Post again The row on line 5 is the same post.');
  const { text } = await pages.get(`${path}/start?skip=yes`);
  expect(text).toContain('In a campaign already 3 rows, skipped: a campaign has posted them, or will');
  expect(text).toContain('Repeated in this sheet 1 row, skipped: the same post as an earlier row');
});

it('a tick is taken back on the page of the row', async () => {
  const { checked, send, pages, path, look } = await openRepeating();
  await checked();
  await send('cells', { again: '2' });
  expect((await pages.get(`${path}/rows/2`)).text).toContain('Do not post this row again');
  const { text } = await send('cells', { once: '2' });
  expect(text).toContain('1 row will not be posted again.');
  expect((await look()).checked).toMatchObject({ accepted: 1, refused: 3 });
});

it('a start is refused if another campaign has come with a row of the draft', async () => {
  const { drafts, id, look, runner, runtime } = await openRepeating();
  const { draft } = await look();
  const path = join(runner.folder, 'meanwhile.csv');
  writeFileSync(path, sheetText([aiVideoRow('new')]));
  await startCampaign(runtime, { file: path, path, name: 'meanwhile', folder: runner.folder }, {});
  const options = { leaveOutProblems: true };
  const start = drafts.start(id, { by: 'ann', version: draft.version, rows: 1, options });
  await expect(start).rejects.toMatchObject({ code: 'plan_changed' });
});
