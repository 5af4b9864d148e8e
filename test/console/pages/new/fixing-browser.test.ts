/** Problems of a sheet are fixed in a real browser: in sight on every screen, and without losing one's place. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const widths = [320, 360, 768, 1280, 1440, 1920, 2560];

/** What does not come wholly into the picture when it is used: controls that stick out of the window, out of a box that scrolls, or stand behind the lines. */
function outOfSight(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
    for (const scroller of document.querySelectorAll('.scroller')) {
      const box = scroller.getBoundingClientRect();
      const lines = scroller.querySelector('tbody th.n');
      const start = lines && getComputedStyle(lines).position === 'sticky' ? box.left + lines.offsetWidth : box.left;
      for (const one of scroller.querySelectorAll('.edit :is(input, textarea), .more :is(a, label), select')) {
        one.scrollIntoView({ block: 'nearest' });
        const { left: from, right: to, width } = one.getBoundingClientRect();
        if (width > 0 && (from < start - 1 || to > box.right + 1 || from < 0 || to > innerWidth))
          found.push([Math.round(from), Math.round(to), one.name || one.textContent.trim()].join(' '));
      }
      scroller.scrollLeft = 0;
    }
    for (const one of document.querySelectorAll('main :is(button, .button)')) {
      one.scrollIntoView({ block: 'nearest' });
      const { left, right, width } = one.getBoundingClientRect();
      if (width > 1 && (left < 0 || right > innerWidth)) found.push(one.textContent.trim());
    }
    return found;
  })()`);
}

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

it('problems are fixed one after the other without losing the place, by keyboard', async (test) => {
  const rows = [
    videoRow('a', good),
    ...[1, 2, 3, 4, 5].map((at) =>
      videoRow(`${at}`, { product_id: `shop.example/view/product/173000041${at}` }),
    ),
    videoRow('x', { is_ai_generated: 'maybe' }),
    videoRow('y', { is_ai_generated: 'perhaps' }),
    videoRow('z', lost),
  ];
  const { pages, path, checked } = await openDraft(rows);
  await checked();
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(`${pages.url}${path}`);
  await page.evaluate('globalThis.isSamePage = true');
  const title = page.locator('#problems');
  const focused = page.locator(':focus');
  const place = async () => (await focused.boundingBox())?.y ?? 0;

  await page.locator('input[name=canary]').fill('3');
  await page.getByLabel('is_ai_generated, line 8').click();
  await focused.fill('yes');
  const before = await place();
  await page.keyboard.press('Enter');
  await title.getByText('7 rows to fix').waitFor();
  await expect.poll(() => focused.getAttribute('aria-label')).toBe('is_ai_generated, line 9');
  expect(Math.abs((await place()) - before)).toBeLessThan(100);
  expect(await page.locator('.toast').textContent()).toContain('Line 8.');
  expect(await page.locator('input[name=canary]').inputValue()).toBe('3');

  // Only the key that leads to the next problem, and the one that takes what is suggested.
  const use = `${good.product_id}: Use ${good.product_id} in 1 row`;
  const lands = async () => {
    await page.keyboard.press('F8');
    return focused.textContent();
  };
  await expect.poll(lands).toBe(use);
  await page.keyboard.press('Enter');
  await title.getByText('6 rows to fix').waitFor();

  // All that is sure in one click.
  await page.getByRole('button', { name: 'Use all 5 sure fixes' }).click();
  await title.getByText('1 row to fix').waitFor();
  await expect.poll(() => focused.getAttribute('id')).toBe('problems');

  // A row and the next one, in the dialog.
  await page.goto(`${pages.url}${path}?rows=all`);
  await page.evaluate('globalThis.isSamePage = true');
  await page.getByRole('searchbox', { name: 'Find in the sheet' }).fill('CAPTION Z');
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=CAPTION/);
  expect(await page.locator('table.sheet tbody tr').count()).toBe(1);
  await page.goto(`${pages.url}${path}?rows=all`);
  await page.evaluate('globalThis.isSamePage = true');
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: '9', exact: true }).click();
  await dialog.getByRole('link', { name: 'Previous row' }).click();
  await dialog.getByRole('heading', { name: 'Line 8' }).waitFor();
  await dialog.getByRole('link', { name: 'Next row' }).click();
  await dialog.getByRole('heading', { name: 'Line 9' }).waitFor();
  await dialog.getByLabel('is_ai_generated').selectOption('no');
  await dialog.getByRole('button', { name: 'Save, then the next row' }).click();
  await dialog.getByRole('heading', { name: 'Line 10' }).waitFor();
  await dialog.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'With problems 0' }).waitFor();

  // Ticked rows.
  await page.getByLabel('Tick line 3').check();
  await page.getByLabel('Tick line 4').check();
  await page.locator('[name=fill-column]').selectOption('caption');
  await page.getByLabel('Text for the ticked rows').fill('One more swipe');
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.getByText('Lines 3 and 4.').waitFor();
  expect(await page.locator('ins').allTextContents()).toContain('One more swipe');
  await page.getByLabel('Tick all').check();
  await page.getByRole('button', { name: 'Skip', exact: true }).click();
  await page.getByText(`${rows.length} rows skipped.`).waitFor();
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  expect(complaints).toEqual([]);
});

it('the bar of the fixes covers none of its own buttons, nor those of the bar beside it', async (test) => {
  const names = ['Kira', 'Anna Petrova', 'Kira', 'Anna Petrova', 'demo_ana'];
  const rows = names.map((creator, at) => videoRow(`k${at}`, { ...(at < 2 ? good : lost), creator }));
  const draft = await openDraft(rows);
  await draft.checked();
  await draft.send('cells', { 'c.1.1': 'demo_henry', 'c.2.1': 'demo_anna' });
  const { page } = await openPage(test);
  await page.goto(`${draft.pages.url}${draft.path}`);
  await page.getByRole('button', { name: '2 more rows say the same' }).waitFor();
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const covered = await page.evaluate<readonly string[]>(`
      [...document.querySelectorAll('.bars :is(button, .button)')].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isSeen = (x) => one.contains(document.elementFromPoint(x, (top + bottom) / 2));
        return right > left && !(isSeen(left + 4) && isSeen(right - 4));
      }).map((one) => one.textContent.trim())`);
    expect([width, ...covered]).toEqual([width]);
  }
});

it('what was fixed never leaves the focus on a button that clears a time', async (test) => {
  const rows = ['Kira', 'Kira', 'Kira', 'demo_anna', 'demo_anna'].map((creator, at) =>
    videoRow(`k${at}`, { creator, ...(at > 2 && { scheduled_at: '2001-05-01 10:00Z' }) }),
  );
  const { pages, path, checked } = await openDraft(rows);
  await checked();
  const { page, complaints } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  const focused = page.locator(':focus');
  const fix = async (line: number, text: string) => {
    await page.locator(`.grid tr:not(.more) input[name="c.${line - 1}.1"]`).fill(text);
    await page.keyboard.press('Enter');
  };
  await fix(2, 'demo_henry');
  await page.getByRole('button', { name: '2 more rows say Kira: fix them too' }).click();
  await page.locator('#problems').getByText('2 rows to fix').waitFor();
  await expect.poll(() => focused.getAttribute('id')).toBe('problems');
  await page.keyboard.press('F8');
  await expect.poll(() => focused.getAttribute('aria-label')).toBe('scheduled_at, line 5');
  expect(complaints).toEqual([]);
});

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

it('the tutorial’s problems fit one screen; three go with one press, and undo brings them back', async (test) => {
  const { pages, path } = await openTutorial();
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${pages.url}${path}`);
  const before = await cellsAtFault(page);
  expect(before.labels).toHaveLength(6);
  expect(before.isInSight).toBe(true);
  await page
    .getByText('3 sure fixes in lines 4, 5 and 7: 1 product id, 1 file name, 1 product title.')
    .waitFor();
  await page.getByRole('button', { name: 'Use all 3 sure fixes' }).click();
  await page.getByText('3 rows edited. 3 rows left to fix.').waitFor();
  const left = ['scheduled_at, line 3', 'creator, line 6', 'scheduled_at, line 9'];
  expect((await cellsAtFault(page)).labels).toEqual(left);
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
  await page.getByRole('link', { name: 'Show what becomes what…' }).waitFor();
  expect(await outOfSight(page)).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  }
});
