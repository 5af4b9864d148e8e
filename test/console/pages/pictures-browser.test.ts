import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { photo } from '../../support/photo.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const examples = new URL('../../../examples/media/', import.meta.url).pathname;

interface Video {
  readonly readyState: number;
  readonly currentTime: number;
  readonly paused: boolean;
}

it('videos show a frame where they are in sight, play under the pointer, and photographs are small', async (test) => {
  const { page, complaints } = await openPage(test);
  const runner = await openRunner({ queues: [] });
  const rows = Array.from({ length: 12 }, (_row, index) => videoRow(`v${index}`, { media: `v${index}.mp4` }));
  const photograph = { media: 'p.jpg', media_type: 'PHOTO' };
  const id = await runner.importRows([...rows, videoRow('p', photograph), videoRow('damaged')]);
  for (const { media = '' } of rows)
    copyFileSync(join(examples, 'videos/mug.mp4'), join(runner.folder, media));
  writeFileSync(join(runner.folder, 'p.jpg'), await photo(1200, 1600));
  const pages = await openPages(runner);
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.goto(`${pages.url}/campaigns/${id}`);
  const shown = page.locator('.pic video');
  const framesShown = () =>
    shown.evaluateAll((all: unknown) => (all as Video[]).filter((each) => each.readyState > 1).length);
  await page.locator('#clock[data-state="live"]').waitFor();
  expect(await page.locator('.pic video[src]').count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 2400 });
  await expect.poll(framesShown).toBe(12);
  const small = page.locator('.pic img');
  const width = () => small.evaluate((each: { naturalWidth: number }) => each.naturalWidth);
  await expect.poll(width).toBe(96);

  const first = shown.first();
  const stateOf = () =>
    first.evaluate(({ paused, currentTime }: Video) => ({ paused, time: Math.round(currentTime * 10) / 10 }));
  expect(await stateOf()).toEqual({ paused: true, time: 0.1 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await first.hover();
  await expect.poll(stateOf).toMatchObject({ paused: false });
  await page.mouse.move(0, 0);
  await expect.poll(stateOf).toEqual({ paused: true, time: 0.1 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await first.hover();
  await small.hover();
  await first.hover();
  expect(await stateOf()).toEqual({ paused: true, time: 0.1 });

  // It plays in its place.
  await page.goto(`${pages.url}/campaigns/${id}/rows/v0`);
  const video = page.locator('.screen video[src]');
  await video.waitFor();
  await page.getByRole('link', { name: 'Play the video' }).click();
  await expect.poll(() => video.evaluate((each: Video) => each.currentTime)).toBeGreaterThan(0.2);
  expect(complaints).toEqual([]);
});

it('without script, each video shows the picture beside it, also far below, and each file is loaded once', async (test) => {
  const { page: scripted } = await openPage(test);
  const runner = await openRunner({ queues: [] });
  const names = ['candle', 'lamp', 'mug', 'notebook', 'plant', 'serum'];
  const rows = Array.from({ length: 40 }, (_row, index) =>
    videoRow(`v${index}`, { media: `${names[index % 6]}.mp4` }),
  );
  for (const name of names)
    for (const ending of ['mp4', 'jpg'])
      copyFileSync(join(examples, `videos/${name}.${ending}`), join(runner.folder, `${name}.${ending}`));
  const id = await runner.importRows(rows);
  const pages = await openPages(runner);
  const context = await scripted.context().browser()?.newContext({ javaScriptEnabled: false });
  if (context === undefined) throw new Error('the browser is gone');
  test.onTestFinished(() => context.close());
  const page = await context.newPage();
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url().slice(pages.url.length)));
  await page.goto(`${pages.url}/campaigns/${id}`, { waitUntil: 'load' });
  const widths = await page
    .locator('.pic img')
    .evaluateAll((all: unknown) =>
      (all as { naturalWidth: number }[]).map(({ naturalWidth }) => naturalWidth),
    );
  expect(widths).toEqual(rows.map(() => 96));
  expect(loaded.filter((path) => path.startsWith('/media'))).toHaveLength(6);
});

it('a picture that cannot be loaded leaves its tile, never a broken icon', async (test) => {
  const { page } = await openPage(test);
  const runner = await openRunner({ queues: [] });
  const id = await runner.importRows([videoRow('p', { media: 'p.jpg', media_type: 'PHOTO' })]);
  writeFileSync(join(runner.folder, 'p.jpg'), await photo(1200, 1600));
  const pages = await openPages(runner);
  await page.route('**/media/**', (route) => route.abort());
  await page.goto(`${pages.url}/campaigns/${id}`);
  await page.locator('.pic').first().waitFor();
  await expect.poll(() => page.locator('.pic img').count()).toBe(0);
});
