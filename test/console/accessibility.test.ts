/** Every page, wide and narrow, light and dark: axe finds nothing, nothing moves while it loads, no sideways scrolling, no complaint of the browser. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { quickUser } from '../support/console/access.ts';
import { openPage } from '../support/console/browser.ts';
import { openStory } from '../support/console/console-story.ts';

/** WCAG 2.2 AA has a rule that axe leaves out. Most rules ask for what does not change with the look: the second look is for those that do. */
const looks = [
  { width: 1280, colorScheme: 'light', options: { rules: { 'target-size': { enabled: true } } } },
  {
    width: 390,
    colorScheme: 'dark',
    options: { runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size'] },
  },
] as const;

/** What is in order, and how to select what is not, would be dear to tell. */
const wanted = { resultTypes: ['violations'], selectors: false };
const find = (
  options: object,
) => `axe.run(${JSON.stringify({ ...wanted, ...options })}).then(({ violations }) => violations
  .map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`;

const mostShift = 0.02;
/** A page with its foot on the screen. */
const short = '/campaigns?q=nothing';
/** Sums up how far things moved, and tells what did. */
const watchShifts = `window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput)))
  .observe({ type: 'layout-shift', buffered: true });`;
const readShifts = `({
  sum: shifts.reduce((sum, { value }) => sum + value, 0),
  moved: shifts.flatMap(({ sources }) => sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80))),
})`;

async function lookAt(page: Page, origin: string, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { width, colorScheme, options } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const answer = await page.goto(`${origin}${path}`);
    if (answer?.status() !== 200) found.push(`${answer?.status()}`);
    await page.evaluate(axe.source);
    const where = `${path} ${width} ${colorScheme}`;
    const faults = await page.evaluate<string[]>(find(options));
    found.push(...faults.map((each) => `${where}: ${each}`));
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (Number(overflow) > 0) found.push(`${where}: ${String(overflow)} px too wide`);
    // The foot of all pages tells that they are live: one that shows it is waited for.
    if (path === short) await page.locator('#clock', { hasText: 'live' }).waitFor();
    const { sum, moved } = await page.evaluate<{ sum: number; moved: string[] }>(readShifts);
    if (sum >= mostShift) found.push(`${where}: moves by ${sum.toFixed(3)}: ${moved.join(' | ')}`);
  }
  return found;
}

test('pages are accessible, fit the screen and stay where they are', {
  timeout: 180_000,
}, async (context) => {
  const { runner, pages, paths, operatorPaths } = await openStory({}, context);
  const { page, complaints } = await openPage(context);
  await page.addInitScript({ content: watchShifts });
  // A long name, so that the foot has no place to spare.
  await page.context().addCookies([{ name: 'zone', value: 'Europe/Berlin', url: pages.url }]);
  const found: string[] = [];
  // The same pages with other texts are no other pages, and the other questions look like these.
  const others = operatorPaths.filter((each) => /\/(?:retry|into|users|audit)$/.test(each));
  const views = [short, '/calendar?view=month', '/calendar?view=creators', '/videos?by=creator'];
  for (const path of [...paths.filter((each) => !each.includes('?')), ...views, ...others]) {
    found.push(...(await lookAt(page, pages.url, path)));
  }
  await page.goto(`${pages.url}/campaigns/new`);
  const sheet = 'creator,product_id,product_title,media,caption\ndemo_anna,1.7E+18,Lipstick,gone.mp4,Hello';
  const files = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
  await page.locator('input[name=files]').setInputFiles(files);
  await page.getByText('1 row has problems').waitFor();
  const [draft = ''] = /\/campaigns\/new\/[0-9a-f]{16}/.exec(page.url()) ?? [];
  for (const path of [draft, `${draft}/files`]) found.push(...(await lookAt(page, pages.url, path)));
  await quickUser(runner, 'anna', 'operator');
  found.push(...(await lookAt(page, pages.url, '/sign-in')));
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
