/** The head of every page: the search, whether the page is live, and the person's menu. */
import { expect, it } from 'vitest';
import { openPage, phone } from '../support/console/browser.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('the key / leads to the search of every page, but is a character where somebody types', async (test) => {
  const runner = await openRunner({}, test);
  await runner.importRows([videoRow('spring-a')]);
  const { url } = await openPages(runner, test);
  const { page } = await openPage(test);
  await page.goto(`${url}/queues`);
  await page.keyboard.press('/');
  await page.keyboard.type('spring-a');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'spring-a' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Find campaigns and rows' });
  expect(await search.inputValue()).toBe('spring-a');
  await search.press('/');
  expect(await search.inputValue()).toMatch('/');
});

it('a tap on the magnifier opens the search on a phone', async (test) => {
  const runner = await openRunner({}, test);
  await runner.importRows([videoRow('spring-a')]);
  const { url } = await openPages(runner, test);
  const { page } = await openPage(test, phone);
  await page.goto(`${url}/queues`);
  const icon = await page.locator('.top .seek .icon').boundingBox();
  if (!icon) throw new Error('no magnifier');
  await page.touchscreen.tap(icon.x + icon.width / 2, icon.y + icon.height / 2);
  await page.keyboard.type('spring-a');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'spring-a' }).waitFor();
  expect(page.url()).toContain('?q=spring-a');
});

it('the menu leads to what only some people need, and closes on Escape', async (test) => {
  const { url } = await openPages(await openRunner({}, test), test);
  const { page } = await openPage(test);
  await page.goto(`${url}/queues`);
  const users = page.getByRole('link', { name: 'Users' });
  expect(await users.isVisible()).toBe(false);
  await page.getByLabel('More pages').click();
  await users.waitFor();
  await page.keyboard.press('Escape');
  await users.waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await users.click();
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
});

it('a page that gets no events any more says so in its head, and moves nothing', async (test) => {
  const { url } = await openPages(await openRunner({}, test), test);
  const { page } = await openPage(test);
  await page.clock.install();
  await page.route('**/events?*', (route) => route.abort());
  await page.goto(`${url}/campaigns`);
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await expect
    .poll(async () => {
      await page.clock.runFor(2000);
      return page.locator('#clock').textContent();
    })
    .toMatch(/^Not updating since \d\d:\d\d:\d\d$/);
  expect(await heading.boundingBox()).toEqual(before);
});

it('nothing moves for people who ask for less motion', async (test) => {
  const { url } = await openPages(await openRunner({}, test), test);
  const { page } = await openPage(test);
  await page.setViewportSize({ width: 1024, height: 600 });
  await page.goto(`${url}/queues`);
  const slowest = `Math.max(...[...document.querySelectorAll('*')].flatMap((each) => {
    const { transitionDuration, animationDuration } = getComputedStyle(each);
    return [transitionDuration, animationDuration].flatMap((text) => text.split(',').map(parseFloat));
  }))`;
  expect(await page.evaluate(slowest)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate(slowest)).toBeGreaterThan(0);
});
