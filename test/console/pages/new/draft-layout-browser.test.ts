/** The rows at fault of a sheet and their fixes, in a real browser: in sight on every screen, and under their headers. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, outOfSight, phone } from '../../../support/console/browser.ts';
import { good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const widths = [320, 360, 768, 1280, 1440, 1920, 2560];

/** Notes and captions that make the sheet much wider than any window. */
const wide = Object.fromEntries(
  Array.from({ length: 24 }, (_, note) => [`_ note ${note}`, `a note of the planner, number ${note}`]),
);

it('every fix is in the picture, from 320 to 2,560 px', async (test) => {
  const many = ['p', 'q', 'r', 's', 't'].map((key) => videoRow(key, { media: 'none.mov', ...wide }));
  const { pages, path, checked } = await openDraft([
    videoRow('a', { ...good, ...wide }),
    videoRow('b', { ...lost, ...wide }),
    videoRow('c', { creator: 'demo_ana', ...wide, scheduled_at: '12/03/2031 20:00' }),
    videoRow('d', { ...wide, is_ai_generated: 'maybe' }),
    videoRow('e', { ...wide, caption: 'One more swipe, and the mug is gone. '.repeat(130) }),
    ...many,
  ]);
  await checked();
  const { page } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, ...(await outOfSight(page))]).toEqual([width]);
    const caption = await page.getByLabel('caption, line 6').boundingBox();
    expect(caption?.width).toBeGreaterThan(Math.min(500, width - 150));
  }
});

it('the question before the start begins with its title, also where it is higher than the screen', async (test) => {
  const { pages, path, checked } = await openDraft([videoRow('a', good)]);
  await checked();
  const { page } = await openPage(test, { ...phone, viewport: { width: 390, height: 300 } });
  await page.goto(`${pages.url}${path}`);
  await page.getByRole('button', { name: 'Start 1 post…' }).tap();
  const title = page.getByRole('dialog').getByRole('heading', { name: 'Start 1 post?' });
  await title.waitFor();
  expect((await title.boundingBox())?.y).toBeGreaterThan(0);
});

/** Columns whose cells do not all start where their header does, or whose header covers another, however far the sheet is scrolled. */
function shifted(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const scroller = document.querySelector('.grid').parentElement;
    const edges = (cell) => cell.getBoundingClientRect();
    const found = scroller.scrollWidth > scroller.firstElementChild.offsetWidth + 1 ? ['a gap at the end'] : [];
    for (const left of [0, 200, scroller.scrollWidth]) {
      scroller.scrollLeft = left;
      const heads = [...scroller.querySelectorAll('thead th')];
      const rows = [...scroller.querySelectorAll('tr[data-row]')];
      for (const [at, head] of heads.entries()) {
        const isAside = rows.some(({ cells }) => Math.abs(edges(cells[at]).left - edges(head).left) > 1);
        const isCovered = at > 1 && edges(head).left < edges(heads[at - 1]).right - 1;
        if (isAside || isCovered) found.push(left + ' ' + head.textContent);
      }
    }
    return found;
  })()`);
}

it('all cells stand under their headers, however far a wide sheet is scrolled, also after fixes', async (test) => {
  const fillers = Object.fromEntries(Object.entries(wide).slice(0, 5));
  const { pages, path, checked } = await openDraft([
    videoRow('a', { ...lost, ...fillers, creator: 'demo_ana', scheduled_at: '12/03/2031 20:00' }),
    videoRow('b', { product_id: `shop.example/view/product/${good.product_id}`, ...fillers }),
    videoRow('c', { ...good, ...fillers, media: 'none.mov', is_ai_generated: 'maybe' }),
    videoRow('d', { ...lost, ...fillers, is_ai_generated: 'maybe' }),
  ]);
  await checked();
  const { page } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  // The key, and those at fault; then the others.
  const heads = await page.locator('.grid thead th small').allTextContents();
  expect(heads.slice(0, 8)).toEqual(['A', 'B', 'D', 'F', 'L', 'M', 'C', 'E']);
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, ...(await shifted(page))]).toEqual([width]);
  }
  await page.getByRole('button', { name: /^Use all \d+ sure fix/ }).click();
  await page
    .getByText(/ rows? edited\./)
    .first()
    .waitFor();
  expect(await shifted(page)).toEqual([]);
});

it('a kind that is told above its rows is not listed beside them, too', async (test) => {
  const scheduled_at = '2031-03-14 18:00';
  const rows = ['a', 'b', 'c', 'd'].map((key) => videoRow(key, { scheduled_at }));
  const { pages, path, checked } = await openDraft([...rows, videoRow('x', { ...lost, scheduled_at })]);
  await checked();
  const { page } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  expect(await page.getByRole('navigation', { name: 'Problems' }).getByRole('link').count()).toBe(1);
  await page.getByRole('link', { name: '5 rows' }).click();
  await page.waitForURL(/rows=/);
  await expect.poll(() => page.locator('.grid tbody [data-row]').count()).toBe(5);
});

it('at 1,920 px, dates are whole, a long link takes no room from others, and words are not cut', async (test) => {
  const link = `https://drive.example.com/file/d/${'1qZ8mV0nKfT3wPbXe7'.repeat(4)}/view`;
  const dated = { ...good, '_ day': '2031-03-14', ...wide };
  const { pages, path, checked } = await openDraft([
    videoRow('a', { ...dated, media: link }),
    videoRow('b', { ...dated, creator: 'nobody known' }),
    { key: 'Week 2' },
  ]);
  await checked();
  const { page } = await openPage(test);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${pages.url}${path}`);
  const cut = await page
    .locator('.grid td', { hasText: /^2031-03-14$/ })
    .evaluateAll((cells) => cells.map((cell) => cell.scrollWidth > cell.clientWidth));
  expect(cut).toEqual([false, false]);
  const field = await page.getByLabel('media, line 2').boundingBox();
  expect(field?.width).toBeLessThan(320);
  await page.getByRole('link', { name: /^Whole sheet/ }).click();
  const skipped = await page.locator('th.n small', { hasText: 'skipped' }).boundingBox();
  expect(skipped?.height).toBeLessThan(30);
});
