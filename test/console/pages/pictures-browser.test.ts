import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const examples = new URL('../../../examples/media/', import.meta.url).pathname;

it('what a row shows is drawn in the browser, once: lists and other people have it from then on', {
  timeout: 40_000,
}, async (test) => {
  const { page, complaints } = await openPage(test);
  const runner = await openRunner({ queues: [] });
  const rows = Array.from({ length: 12 }, (_row, index) => videoRow(`v${index}`, { media: `v${index}.mp4` }));
  const photo = { media: 'p.jpg', media_type: 'PHOTO' };
  const id = await runner.importRows([...rows, videoRow('p', photo), videoRow('damaged')]);
  for (const { media = '' } of rows)
    copyFileSync(join(examples, 'videos/mug.mp4'), join(runner.folder, media));
  copyFileSync(join(examples, 'photos/mug-1.jpg'), join(runner.folder, 'p.jpg'));
  const pages = await openPages(runner);
  let most = 0;
  let open = 0;
  page.on('request', (request) => {
    if (request.resourceType() === 'media') most = Math.max(most, ++open);
  });
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'media') open -= 1;
  });
  await page.setViewportSize({ width: 1280, height: 2400 });
  await page.goto(`${pages.url}/campaigns/${id}`);
  const drawn = page.locator('img.pic');
  const rowOf = (key: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) });
  await expect.poll(() => drawn.count()).toBe(13);
  expect(
    await drawn.first().evaluate((image: { width: number; height: number }) => [image.width, image.height]),
  ).toEqual([28, 38]);
  await expect.poll(() => smallOnes(runner.folder)).toBe(12);
  // Not a video: its box goes on saying what it is.
  expect(await rowOf('damaged').getByLabel('Video: no preview yet').count()).toBe(1);
  expect(most).toBeLessThanOrEqual(4);
  const again = await pages.get(`/campaigns/${id}`);
  expect(again.html.match(/<img class="pic" src="[^"]*w=96/g)).toHaveLength(13);

  // It plays in its place.
  await page.goto(`${pages.url}/campaigns/${id}/rows/v0`);
  const video = page.locator('.screen video');
  expect(await video.getAttribute('poster')).toContain('?w=96');
  await expect.poll(() => page.evaluate('typeof drawSmall')).toBe('function');
  await page.getByRole('link', { name: 'Play the video' }).click();
  await expect
    .poll(() => video.evaluate((each: { currentTime: number }) => each.currentTime))
    .toBeGreaterThan(0);

  // What is uploaded is drawn on its way.
  await page.goto(`${pages.url}/campaigns/new`);
  await page.locator('input[type=file]').first().setInputFiles(join(examples, 'videos/lamp.mp4'));
  await expect.poll(() => smallOnes(runner.folder)).toBe(13);
  expect(complaints).toEqual([]);
});

function smallOnes(folder: string): number {
  const pictures = join(folder, 'pictures');
  return readdirSync(pictures, { recursive: true }).filter((name) => String(name).endsWith('.small')).length;
}
