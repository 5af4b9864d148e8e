/** The calendar in a browser: a card dragged to another day, and its views wide and narrow. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFindings } from '../../support/console/axe.ts';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const now = Date.UTC(2027, 2, 9, 7, 42);

test('moves a dragged card after a question; every view fits and is accessible', async (context) => {
  const runner = await openRunner({ now: () => now }, context);
  const row = (key: string, time: string) => videoRow(key, { scheduled_at: time, scheduled_tz: 'UTC' });
  await runner.importRows([row('a', '2027-03-12 18:00'), row('b', '2027-03-12 18:05')]);
  const pages = await openPages(runner, context);
  const { page, complaints } = await openPage(context);
  const week = `${pages.url}/calendar?zone=UTC&day=2027-03-12`;

  await page.goto(week);
  const card = (day: string, key: string) =>
    page.locator(`.day[data-date="2027-03-${day}"] .slot`, { hasText: `Caption ${key}` });
  await card('12', 'a').dragTo(page.locator('.day[data-date="2027-03-14"]'));
  await page.getByRole('heading', { name: 'Move a?' }).waitFor();
  await page.getByText('2027-03-14 18:00').waitFor();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await card('14', 'a').waitFor();
  // Without its form, as a row that was sent, a card stays where it is.
  await card('12', 'b')
    .locator('[popover] form')
    .evaluate((form) => form.remove());
  await card('12', 'b').dragTo(page.locator('.day[data-date="2027-03-14"]'));
  expect(page.url()).toBe(week);
  // It says why.
  await card('12', 'b').locator('[popover]').waitFor({ state: 'visible' });
  await page.keyboard.press('Escape');
  await page.getByText('Too close within').click();
  await page.getByRole('link', { name: '5 min', exact: true }).click();
  await page.waitForURL(/near=5/);

  for (const view of ['month', 'creators']) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${week}&view=${view}`);
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    if (view === 'month') expect(await page.locator('.film .pic:visible').count()).toBe(2);
  }
  expect(complaints).toEqual([]);
});

test('*Move…* is in its card, off its texts, and opens over it, wherever that stands; and the parts of days begin on one line', async (context) => {
  const runner = await openRunner({ now: () => now }, context);
  const row = (key: string, time: string) => videoRow(key, { scheduled_at: time, scheduled_tz: 'UTC' });
  await runner.importRows([
    row('a', '2027-03-12 18:00'),
    row('b', '2027-03-13 09:00'),
    row('c', '2027-03-14 21:00'),
  ]);
  const pages = await openPages(runner, context);
  const { page } = await openPage(context);
  for (const [width, height] of [
    [1440, 900],
    [320, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${pages.url}/calendar?zone=UTC`);
    const last = page.locator('.slot', { hasText: 'Caption c' });
    await last.evaluate((card) => card.scrollIntoView(false));
    await last.hover();
    const isApart = await last.evaluate((card) => {
      const [move, text] = [card.querySelector('.move'), card.querySelector('small')].map((each) =>
        each?.getBoundingClientRect(),
      );
      const { top, right, bottom } = card.getBoundingClientRect();
      if (!move || !text) return false;
      const isIn = move.top >= top && move.right <= right && move.bottom <= bottom;
      return isIn && (move.bottom <= text.top || move.right <= text.left);
    });
    expect(isApart).toBe(true);
    await last.getByRole('button', { name: 'Move…' }).first().click();
    const box = await last.locator('[popover]').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
    expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= height).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const tops = await page
    .locator('.day > div:nth-of-type(3)')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  // Those without posts are narrow.
  const widths = await page
    .locator('.day:not(.quiet)')
    .evaluateAll((days) => days.map((day) => Math.round(day.getBoundingClientRect().width)));
  expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(2);
});

test('a video on a card stays in it', async (context) => {
  const runner = await openRunner({ now: () => now }, context);
  const row = videoRow('a', { scheduled_at: '2027-03-12 18:00', scheduled_tz: 'UTC' });
  await runner.importRows([row]);
  const video = new URL('../../../examples/media/videos/mug.mp4', import.meta.url).pathname;
  copyFileSync(video, join(runner.folder, row.media ?? ''));
  const pages = await openPages(runner, context);
  const { page } = await openPage(context);
  await page.goto(`${pages.url}/calendar?zone=UTC&day=2027-03-12`);
  const frame = page.locator('.slot .pic video');
  await expect
    .poll(() => frame.evaluate((each: { readyState: number }) => each.readyState))
    .toBeGreaterThan(1);
  const [box, own] = [await page.locator('.slot .pic').boundingBox(), await frame.boundingBox()];
  expect(own).toEqual(box);
});
