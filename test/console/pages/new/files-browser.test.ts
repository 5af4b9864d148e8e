/** Files dropped in a real browser. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/drafts/drafts.ts';
import { readFiles } from '../../../../src/drafts/files/record.ts';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { sha256 } from '../../../support/console/drop-scene.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { openRunner } from '../../../support/in-process.ts';
import { mp4 } from '../../../support/sheets/media.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { writeSheet } from '../../../support/sheets/sheet.ts';

async function findings(page: Page): Promise<readonly string[]> {
  const run = `${axe.source}; axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join()))`;
  return page.evaluate(run);
}

it('a sheet and 300 media are dropped, go on after a lost connection and a closed tab, and lead to the check', {
  timeout: 90_000,
}, async (test) => {
  const runner = await openRunner({}, test);
  const { url, runtime } = await openPages(runner, test);
  const folder = join(runner.folder, 'planner', 'spring');
  mkdirSync(join(folder, '玫瑰木'), { recursive: true });
  for (let take = 0; take < 300; take += 1)
    writeFileSync(join(folder, '玫瑰木', `take${take}.mp4`), mp4(`take ${take}`, 2000));
  writeFileSync(join(folder, 'notes.pdf'), 'not a medium');
  writeSheet(join(folder, '春季口红.csv'), [videoRow('a')]);
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${url}/campaigns/new`);
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

  // The connection breaks after some files, and the tab is closed.
  const context = page.context();
  let patches = 0;
  page.on('requestfinished', (request) => {
    if (request.method() !== 'PATCH') return;
    patches += 1;
    if (patches === 40) void context.setOffline(true);
  });
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.getByText(/of 300 files/).waitFor();
  await page.getByText('The connection is lost.').waitFor();
  // To leave this page would end the upload.
  const look = page.getByRole('button', { name: 'Look at the check' });
  expect(await look.getAttribute('formtarget')).toBe('_blank');
  const address = page.url();
  const id = /new\/([0-9a-f]{16})\/files/.exec(address)?.[1] ?? '';
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.goto('about:blank');
  const before = (await readFiles(runtime, id)).stored.size;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(300);

  // The same folder again: what is there is not sent again.
  await context.setOffline(false);
  let again = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH') again += 1;
  });
  await page.goto(address);
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.getByText('notes.pdf').waitFor();
  const { stored, announced } = await readFiles(runtime, id);
  expect([stored.size, announced.size]).toEqual([300, 0]);
  expect(again).toBeLessThanOrEqual(301 - before);
  expect(existsSync(join(runner.folder, 'drafts', id, 'media', '玫瑰木', 'take299.mp4'))).toBe(true);
  expect((await findDraft(runtime, id)).sheet?.name).toBe('春季口红.csv');
  expect(readdirSync(join(runner.folder, 'drafts', id, 'media', '.incoming'))).toEqual([]);
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

it('a dropped sheet and its medium lead to the check; a file that changes meanwhile is named, and one that was swapped begins anew', {
  timeout: 60_000,
}, async (test) => {
  const runner = await openRunner({}, test);
  const pages = await openPages(runner, test);
  const { url, runtime } = pages;
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
  await page.dispatchEvent('footer', 'dragover', { dataTransfer: dropped });
  expect(await page.locator('.drop.over').count()).toBe(1);
  await page.dispatchEvent('footer', 'dragleave', { dataTransfer: dropped });
  expect(await page.locator('.drop.over').count()).toBe(0);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: dropped });
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  expect(await findings(page)).toEqual([]);

  const path = join(runner.folder, 'take.mp4');
  writeFileSync(path, mp4('one', 2000));
  await page.goto(`${page.url()}/files`);
  await page.route('**/uploads/offer', async (route) => {
    writeFileSync(path, mp4('another', 5000));
    await route.continue();
  });
  // It is sent as soon as it is chosen.
  await page.getByLabel('Drop your sheet and its media here').setInputFiles(path);
  await page.getByText('take.mp4 changed while it was sent').waitFor();
  await page.unroute('**/uploads/offer');
  expect(await page.getByRole('row', { name: 'take.mp4' }).count()).toBe(0);

  // Two files were begun. One goes on, the other has other bytes now, with the same name, size and time.
  const drop = await openDrop(pages);
  const [same, old, swapped] = [mp4('same', 9000), mp4('old', 9000), mp4('new', 9000)];
  for (const [name, bytes] of [['same.mp4', same] as const, ['swapped.mp4', old] as const])
    await drop.patch(String((await drop.offer(name, bytes.length)).id), 0, bytes.subarray(0, 5000));
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.headers()['upload-offset']);
  });
  await page.goto(`${url}/campaigns/new/${drop.draft}/files`);
  const again = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const add = (name, text) => transfer.items.add(new File([bytesOf(text)], name, { lastModified: 1 }));
    add('same.mp4', '${same.toString('base64')}');
    add('swapped.mp4', '${swapped.toString('base64')}');
    return transfer;
  })()`);
  await page.dispatchEvent('#drop', 'drop', { dataTransfer: again });
  await page.getByText('2 files').first().waitFor();
  await expect.poll(async () => (await readFiles(runtime, drop.draft)).stored.size).toBe(2);
  // The browser tells of its requests when they may have been answered.
  await expect.poll(() => sent.toSorted()).toEqual(['0', '5000']);
  const { stored } = await readFiles(runtime, drop.draft);
  expect(stored.get('same.mp4')?.sha256).toBe(sha256(same));
  expect(stored.get('swapped.mp4')?.sha256).toBe(sha256(swapped));
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
  await page.locator('input[name=files]').setInputFiles(join(runner.folder, 'herbst.csv'));
  await page.getByRole('button', { name: 'Look at the check' }).waitFor();
  await page.getByLabel('Choose a whole folder…').setInputFiles(folder);
  await page.waitForURL(/new\/[0-9a-f]{16}$/);
  const id = page.url().slice(-16);
  expect([...(await readFiles(runtime, id)).stored.keys()]).toEqual(['videos/a.mp4']);
});
