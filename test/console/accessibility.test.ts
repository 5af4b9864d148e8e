/** Every page, wide and narrow, light and dark: no serious findings of axe, no sideways scrolling, no complaint of the browser. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { openPage } from '../support/console/browser.ts';
import { openStory } from '../support/console/console-story.ts';

/** Most rules ask for what does not change with the look: the second look is for those that do. */
const looks = [
  { width: 1280, colorScheme: 'light', options: {} },
  {
    width: 390,
    colorScheme: 'dark',
    options: { runOnly: ['color-contrast', 'scrollable-region-focusable'] },
  },
] as const;

const findSerious = (
  options: object,
) => `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`;

test('pages are accessible and fit the screen', { timeout: 120_000 }, async (context) => {
  const { pages, paths, operatorPaths } = await openStory({}, context);
  const { page, complaints } = await openPage(context);
  const found: string[] = [];
  // The same pages with other texts are no other pages, and the other questions look like these.
  const others = operatorPaths.filter((each) => /\/(?:retry|into|users|audit)$/.test(each));
  for (const path of [...paths.filter((each) => !each.includes('?')), ...others]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    const answer = await page.goto(`${pages.url}${path}`);
    if (answer?.status() !== 200) found.push(`${path}: ${answer?.status()}`);
    await page.evaluate(axe.source);
    for (const { width, colorScheme, options } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const serious = await page.evaluate<string[]>(findSerious(options));
      found.push(...serious.map((each) => `${path} ${width} ${colorScheme}: ${each}`));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(overflow) > 0) found.push(`${path} ${width}: ${String(overflow)} px too wide`);
    }
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
