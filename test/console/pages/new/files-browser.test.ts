/** Files dropped in a real browser. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import { readFiles } from '../../../../src/app/drafts/files/record.ts';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openRunner } from '../../../support/in-process.ts';
import { mp4 } from '../../../support/sheets/media.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { writeSheet } from '../../../support/sheets/sheet.ts';

it('a sheet and 60 media are dropped, go on after a lost connection and a closed tab, and lead to the check', async (test) => {
  const runner = await openRunner({}, test);
  const { url, runtime } = await openPages(runner, test);
  const folder = join(runner.folder, 'planner', 'spring');
  mkdirSync(join(folder, '玫瑰木'), { recursive: true });
  for (let take = 0; take < 60; take += 1)
    writeFileSync(join(folder, '玫瑰木', `take${take}.mp4`), mp4(`take ${take}`, 2000));
  writeFileSync(join(folder, 'notes.pdf'), 'not a medium');
  writeSheet(join(folder, '春季口红.csv'), [videoRow('a')]);
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${url}/campaigns/new`);
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

  // The connection breaks after some files, and the tab is closed.
  const context = page.context();
  let sent = 0;
  await page.route(/\/uploads\//, async (route, request) => {
    if (request.method() === 'PATCH') sent += 1;
    if (sent === 20) {
      await page.getByText(/ of 60 files/).waitFor();
      await context.setOffline(true);
    }
    await route.continue();
  });
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.getByText('The connection is lost.').waitFor();
  // To leave this page would end the upload.
  const look = page.getByRole('button', { name: 'Look at the check' });
  expect(await look.getAttribute('formtarget')).toBe('_blank');
  const address = page.url();
  const id = /new\/([0-9a-f]{16})\/files/.exec(address)?.[1] ?? '';
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.goto('about:blank');
  const before = (await readFiles(runtime, id)).stored.size;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(60);

  // The same folder again: what is there is not sent again.
  await page.unrouteAll();
  await context.setOffline(false);
  let again = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH') again += 1;
  });
  await page.goto(address);
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.getByText('notes.pdf').waitFor();
  const { stored } = await readFiles(runtime, id);
  expect(stored.size).toBe(60);
  expect(again).toBeLessThanOrEqual(61 - before);
  expect(existsSync(join(runner.folder, 'drafts', id, 'media', '玫瑰木', 'take59.mp4'))).toBe(true);
  expect((await findDraft(runtime, id)).sheet?.name).toBe('春季口红.csv');
  expect(readdirSync(join(runner.folder, 'drafts', id, 'media', '.incoming'))).toEqual([]);
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

it('a dropped sheet and its medium lead to the check; a file that changes meanwhile is named', async (test) => {
  const runner = await openRunner({}, test);
  const { url } = await openPages(runner, test);
  const row = videoRow('a');
  const sheet = [Object.keys(row), Object.values(row)].map((cells) => cells.join(',')).join('\n');
  const film = mp4('film', 2000).toString('base64');
  const { page } = await openPage(test);
  await page.goto(`${url}/campaigns/new`);
  const dropped = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const film = Uint8Array.from(atob('${film}'), (character) => character.charCodeAt(0));
    transfer.items.add(new File([film], '${row.media}'));
    transfer.items.add(new File([${JSON.stringify(sheet)}], 'posts.csv'));
    return transfer;
  })()`);
  // The area shows what is dragged over any place of the page.
  await page.dispatchEvent('header', 'dragover', { dataTransfer: dropped });
  expect(await page.locator('.drop.over').count()).toBe(1);
  await page.dispatchEvent('header', 'dragleave', { dataTransfer: dropped });
  expect(await page.locator('.drop.over').count()).toBe(0);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: dropped });
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  expect(await axeFindings(page)).toEqual([]);

  const path = join(runner.folder, 'take.mp4');
  writeFileSync(path, mp4('one', 2000));
  await page.goto(`${page.url()}/files`);
  await page.route('**/uploads', async (route) => {
    writeFileSync(path, mp4('another', 5000));
    await route.continue();
  });
  // It is sent as soon as it is chosen.
  await page.getByLabel('Drop your sheet and its media here').setInputFiles(path);
  await page.getByText('take.mp4 changed while it was sent').waitFor();
  await page.unroute('**/uploads');
  expect(await page.getByRole('row', { name: 'take.mp4' }).count()).toBe(0);
});

it('the next version of a sheet is dropped with its new media, and one that lacks is added', async (test) => {
  const runner = await openRunner({}, test);
  const { url } = await openPages(runner, test);
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key));
  const files = rows.map(({ media = '' }) => join(runner.folder, media));
  for (const file of files) writeFileSync(file, mp4(file, 2000));
  const [first = '', second = '', third = ''] = files;
  const plan = (count: number) => {
    const path = join(runner.folder, `plan-${count}.csv`);
    writeSheet(path, rows.slice(0, count));
    return path;
  };
  const { page, complaints } = await openPage(test);
  const drop = (...paths: readonly string[]) => page.locator('#files').setInputFiles([...paths]);
  await page.goto(`${url}/campaigns/new`);
  await drop(plan(1), first);
  const start = page.getByRole('button', { name: 'Start 1 post…' });
  await start.click();
  // Over the draft, which stays as it is.
  const question = page.getByRole('dialog', { name: 'Start 1 post?' });
  await question.getByRole('link', { name: 'Back' }).click();
  await question.waitFor({ state: 'hidden' });
  await start.click();
  await page.getByRole('button', { name: 'Start 1 post', exact: true }).click();
  await page.waitForURL(/campaigns\/c1/);

  await page.getByText('More…').first().click();
  await page.getByRole('link', { name: 'Update with corrected sheet…' }).click();
  await page.getByRole('heading', { name: 'Update of plan-1' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await drop(plan(3), second);
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  await page.getByRole('link', { name: 'Add files…' }).click();
  await page.getByRole('heading', { name: 'Update of plan-1' }).waitFor();
  await page.getByText('1 file is missing').waitFor();
  await page.getByText('c.mp4', { exact: true }).waitFor();
  await drop(third);
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  await page.getByText('2 rows new: added').waitFor();
  await page.getByText('2 new media files').waitFor();
  await page.getByRole('button', { name: 'Update 2 rows…' }).click();
  await page.getByRole('button', { name: 'Update 2 rows', exact: true }).click();
  await page.getByText('2 rows updated.').waitFor();
  expect(await runner.rows('c1')).toHaveLength(3);
  expect(complaints).toEqual([]);
});

it('a sheet that is chosen beside its own folder is taken once, with the media beside it', async (test) => {
  const runner = await openRunner({}, test);
  const { url, runtime } = await openPages(runner, test);
  const folder = join(runner.folder, 'planner', 'sheet');
  mkdirSync(join(folder, 'videos'), { recursive: true });
  writeFileSync(join(folder, 'videos', 'a.mp4'), mp4('a', 2000));
  const row = videoRow('a', { media: 'videos/a.mp4' });
  for (const path of [join(folder, 'herbst.csv'), join(runner.folder, 'herbst.csv')]) writeSheet(path, [row]);
  const { page } = await openPage(test);
  await page.goto(`${url}/campaigns/new`);
  await page.locator('#files').setInputFiles(join(runner.folder, 'herbst.csv'));
  await page.getByRole('button', { name: 'Look at the check' }).waitFor();
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  const id = page.url().slice(-16);
  expect([...(await readFiles(runtime, id)).stored.keys()]).toEqual(['videos/a.mp4']);
});

it('a file is added on its row, and the cell gets its name', async (test) => {
  const draft = await openDraft([videoRow('a'), videoRow('b')]);
  await draft.send('cells', { 'c.1.5': 'gone.mp4', 'c.2.5': 'lost.mp4' });
  const { page, complaints } = await openPage(test);
  await page.goto(`${draft.pages.url}${draft.path}/files`);
  await page.getByText('2 files are missing').waitFor();
  await page.getByText('gone.mp4, lost.mp4').waitFor();
  await page.goto(`${draft.pages.url}${draft.path}`);
  await page.getByRole('link', { name: '2', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const buffer = Buffer.from(mp4('here', 2000));
  await dialog
    .getByLabel('Add the file…')
    .first()
    .setInputFiles({ name: 'here.mp4', mimeType: 'video/mp4', buffer });
  await dialog.getByText('It has arrived: save the row.').waitFor();
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('1 row edited. 1 row left to fix.').waitFor();
  expect(complaints).toEqual([]);
});

it('a file is chosen again on its row, and the row is saved', async (test) => {
  const draft = await openDraft([videoRow('a')]);
  await draft.send('cells', { 'c.1.5': 'gone.mp4' });
  const { page, complaints } = await openPage(test);
  await page.goto(`${draft.pages.url}${draft.path}/rows/1`);
  // The second has another folder, and the third is in the place of the second.
  for (const bytes of [2000, 2100, 2200]) {
    const buffer = Buffer.from(mp4('here', bytes));
    await page
      .getByLabel('the file…')
      .first()
      .setInputFiles({ name: 'here.mp4', mimeType: 'video/mp4', buffer });
    await page.getByText('It has arrived: save the row.').waitFor();
    await page.getByText('It has arrived: save the row.').evaluate((told) => told.replaceChildren());
  }
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.getByText('1 row edited.').waitFor();
  expect(complaints).toEqual([]);
});
