/** Every page, wide and narrow, light and dark: axe finds nothing, nothing moves while it loads, no sideways scrolling, no complaint of the browser. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { quickUser } from '../support/console/access.ts';
import { axeFindings, rulesOfLooks } from '../support/console/axe.ts';
import { openPage } from '../support/console/browser.ts';
import { openStory } from '../support/console/console-story.ts';

/** WCAG 2.2 AA has a rule that axe leaves out. */
const looks = [
  { width: 1280, colorScheme: 'light', options: { rules: { 'target-size': { enabled: true } } } },
  {
    width: 390,
    colorScheme: 'dark',
    options: { runOnly: rulesOfLooks },
  },
] as const;

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

/** Loads each page in one look, every second in the other, and then changes the look: loading is dearest. */
async function lookAt(page: Page, origin: string, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, path] of paths.entries()) {
    const [first, second] = index % 2 === 0 ? looks : ([looks[1], looks[0]] as const);
    await take(page, first);
    const answer = await page.goto(`${origin}${path}`);
    if (answer?.status() !== 200) found.push(`${path}: ${answer?.status()}`);
    found.push(...(await faultsOf(page, first)).map((fault) => `${path} ${fault}`));
    // The head of all pages tells that they are live: one that shows it is waited for.
    if (path === short) await page.locator('#clock[data-state="live"]').waitFor();
    const { sum, moved } = await page.evaluate<{ sum: number; moved: string[] }>(readShifts);
    if (sum >= mostShift)
      found.push(`${path} ${first.width}: moves by ${sum.toFixed(3)}: ${moved.join(' | ')}`);
    await take(page, second);
    found.push(...(await faultsOf(page, second)).map((fault) => `${path} ${fault}`));
  }
  return found;
}

async function take(page: Page, { width, colorScheme }: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

async function faultsOf(page: Page, { width, options }: (typeof looks)[number]): Promise<readonly string[]> {
  const found = [...(await axeFindings(page, options))];
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (overflow > 0) found.push(`${overflow} px too wide`);
  return found.map((fault) => `${width}: ${fault}`);
}

test('pages are accessible, fit the screen and stay where they are', async (context) => {
  const { runner, pages, paths, otherPaths } = await openStory({}, context);
  const { page, complaints } = await openPage(context);
  await page.addInitScript({ content: watchShifts });
  // A long name, so that the foot has no place to spare.
  await page.context().addCookies([{ name: 'zone', value: 'Europe/Berlin', url: pages.url }]);
  const found: string[] = [];
  // The same pages with other texts are no other pages, and the other questions look like these.
  const others = otherPaths.filter((each) => /\/(?:retry|into|users|audit)$/.test(each));
  // The views of the calendar are looked at in `calendar-browser.test.ts`.
  const views = [short, '/videos?by=creator'];
  const plain = paths.filter((each) => !each.includes('?'));
  found.push(...(await lookAt(page, pages.url, [...plain, ...views, ...others])));
  await page.goto(`${pages.url}/campaigns/new`);
  const sheet = 'creator,product_id,product_title,media,caption\ndemo_anna,1.7E+18,Lipstick,gone.mp4,Hello';
  const files = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
  await page.locator('#files').setInputFiles(files);
  await page.getByText('1 row has problems').waitFor();
  const [draft = ''] = /\/campaigns\/new\/[0-9a-f]{16}/.exec(page.url()) ?? [];
  found.push(...(await lookAt(page, pages.url, [draft, `${draft}/files`])));
  await quickUser(runner, 'anna', 'operator');
  found.push(...(await lookAt(page, pages.url, ['/sign-in'])));
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
