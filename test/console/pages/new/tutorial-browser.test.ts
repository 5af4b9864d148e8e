/** The tutorial's sheet in a real browser, also on a phone. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage, outOfSight } from '../../../support/console/browser.ts';
import { openDraft } from '../../../support/console/draft-page.ts';

const media = ['serum', 'mug', 'lamp', 'candle', 'plant', 'notebook'].map((name) => `${name}.mp4`);

async function openTutorial() {
  const draft = await openDraft([]);
  await draft.store(...media);
  await draft.drop(readFileSync('examples/tutorial.csv'), 'tutorial.csv');
  await draft.runner.until(async () => (await draft.look()).checked?.rows === 8, 'the check of the tutorial');
  await draft.checked();
  return draft;
}

/** Labels of the cells at fault, and whether the last of them stands above the bar. */
function cellsAtFault(
  page: Page,
): Promise<{ readonly labels: readonly string[]; readonly isInSight: boolean }> {
  return page.evaluate(`(() => {
    const labels = [...document.querySelectorAll('.grid .edit input')].map((each) => each.ariaLabel);
    const [grid, bars] = ['.grid', '.bars'].map((each) => document.querySelector(each).getBoundingClientRect());
    return { labels, isInSight: grid.bottom < bars.top };
  })()`);
}

it('in a sheet of few columns, no cell at fault covers its neighbour', async (test) => {
  const { pages, path } = await openTutorial();
  const { page } = await openPage(test);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${pages.url}${path}`);
  const covered = await page.evaluate<readonly string[]>(`(() => {
    const [rows, edges] = [[...document.querySelectorAll('.grid tr')], (cell) => cell.getBoundingClientRect()];
    const covers = (cell, at, cells) => at > 0 && edges(cell).left < edges(cells[at - 1]).right - 1;
    return rows.flatMap(({ cells }) => [...cells].filter(covers).map((cell) => cell.textContent.trim()));
  })()`);
  expect(covered).toEqual([]);
});

it('the tutorial’s problems fit one screen; two go with one press, and undo brings them back', async (test) => {
  const { pages, path } = await openTutorial();
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${pages.url}${path}`);
  const before = await cellsAtFault(page);
  expect(before.labels).toHaveLength(6);
  expect(before.isInSight).toBe(true);
  await page.getByText('2 sure fixes in lines 4 and 5: 1 product id, 1 file name.').waitFor();
  await page.getByRole('button', { name: 'Use all 2 sure fixes' }).click();
  await page.getByText('2 rows edited. 4 rows left to fix.').waitFor();
  const left = ['scheduled_at, line 3', 'creator, line 6', 'product_title, line 7', 'scheduled_at, line 9'];
  expect((await cellsAtFault(page)).labels).toEqual(left);
  await page.getByLabel('More for this draft').click();
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect.poll(async () => (await cellsAtFault(page)).labels).toEqual(before.labels);
  expect(complaints).toEqual([]);
});

it('on a phone a row is a card with its cells at fault, and is in sight', async (test) => {
  const { pages, path } = await openTutorial();
  const { page } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${pages.url}${path}`);
  const card = page.locator('.grid tbody tr').nth(1);
  const texts = await card.locator('td:visible').allTextContents();
  expect(texts.filter(Boolean)).toEqual([
    'demo_carla',
    'The handle fits my whole hand.',
    expect.stringContaining('1729560102'),
  ]);
  // The table has it beside the id.
  expect(await card.locator('.edit').getAttribute('data-head')).toBe('product_id · Stoneware Mug 350 ml');
  await page.getByRole('button', { name: 'Use all 2 sure fixes' }).waitFor();
  expect(await outOfSight(page)).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  }
});
