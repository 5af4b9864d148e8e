/** The page of a campaign under the hand of a person: it counts along, and leaves alone what is in use. */
import { expect, it } from 'vitest';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const rows = 60;

it('counts along, also in its title; keeps what is selected; closes menus; shows what is ticked; prints all', async (test) => {
  const runner = await openRunner({}, test);
  const id = await runner.importRows(Array.from({ length: rows }, (_, index) => videoRow(`r${index}`)));
  /** So many rows are posted, the last has failed. */
  const become = async (posted: number) => {
    const error = { step: 'upload', code: 'upload_failed', message: 'HTTP 500.', fix: 'Retry it.' } as const;
    const first = Array.from({ length: posted }, (_, row) => ({ row, state: 'posted' as const }));
    await asIf(runner).ended(id, [...first, { row: rows - 1, state: 'failed', error }]);
  };
  await become(1);
  const pages = await openPages(runner, test);
  const { page, complaints } = await openPage(test);
  await page.goto(`${pages.url}/campaigns/${id}`);
  await page.locator('#clock[data-state="live"]').waitFor();
  const figure = page.locator('.hero .figure');
  expect(await figure.textContent()).toBe('1 of 60 posted');

  await figure.selectText();
  await become(2);
  await expect.poll(() => page.title()).toBe('2 of 60, test');
  // What is selected stays, and follows when it is not selected any more.
  expect(await figure.textContent()).toBe('1 of 60 posted');
  expect(await page.evaluate<string>('String(getSelection())')).toContain('of 60 posted');
  await page.evaluate('getSelection().empty()');
  await expect.poll(() => figure.textContent()).toBe('2 of 60 posted');

  for (const name of ['Results', 'More…']) {
    const menu = page.locator('.menu').filter({ has: page.getByText(name, { exact: true }) });
    const summary = menu.locator('summary');
    await summary.click();
    await menu.getByRole('link').first().waitFor();
    await page.keyboard.press('Escape');
    await menu.getByRole('link').first().waitFor({ state: 'hidden' });
    expect(await menu.locator('summary:focus').count()).toBe(1);
    await summary.click();
    await page.locator('h1').click();
    await menu.getByRole('link').first().waitFor({ state: 'hidden' });
  }

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await page
      .locator('.top nav a:visible')
      .evaluateAll((links) => links.map((link) => link.offsetTop));
    expect(new Set(tops).size).toBe(1);
  }

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${pages.url}/campaigns/${id}?sort=line`);
  // J and K go along the rows; in a field they are letters.
  const focused = () =>
    page.evaluate<string>('document.activeElement.closest("tr")?.querySelector("code").textContent');
  for (const [key, row] of [
    ['j', 'r0'],
    ['j', 'r1'],
    ['k', 'r0'],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused()).toBe(row);
  }
  await page.locator('#q').press('j');
  expect(await page.locator('#q').inputValue()).toBe('j');
  const line = page.locator('.rows tbody tr').first();
  const dock = page.locator('.dock');
  expect(await dock.isVisible()).toBe(false);
  await line.getByRole('checkbox').check();
  await dock.getByText('Selected: ').waitFor();
  await page.locator('h1').hover();
  const tint = (row: number) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelectorAll('.rows tbody tr')[${row}]).backgroundColor`,
    );
  expect(await tint(0)).not.toBe(await tint(1));
  const middles = await line
    .locator('input, th')
    .evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
    );
  expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 99))).toBeLessThan(2);

  await page.goto(`${pages.url}/campaigns/${id}`);
  await page.getByText('More…').click();
  await page.getByRole('link', { name: 'All rows on one page, to print' }).click();
  await page.waitForLoadState();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.rows tbody tr:visible').count()).toBe(rows);
  await page.getByText('The upload failed', { exact: true }).waitFor();
  await page.getByText('Retry it.').first().waitFor();
  expect(await page.locator('.top').isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

it('what a person has opened stays open while its part counts along', async (test) => {
  const runner = await openRunner({}, test);
  const id = await runner.importRows([videoRow('a'), videoRow('b'), videoRow('c')]);
  const error = { step: 'upload', code: 'upload_failed', message: 'HTTP 500.', fix: 'Retry it.' } as const;
  const fail = (...failed: readonly number[]) =>
    asIf(runner).ended(
      id,
      failed.map((row) => ({ row, state: 'failed' as const, error })),
    );
  await fail(0);
  const pages = await openPages(runner, test);
  const { page } = await openPage(test);
  await page.goto(`${pages.url}/campaigns/${id}`);
  await page.locator('#clock[data-state="live"]').waitFor();
  const details = page.locator('.causes details');
  await details.locator('summary').click();
  await page.locator('h1').click();
  await fail(0, 1);
  await page
    .getByRole('button', { name: 'Retry 2 rows' })
    .or(page.getByRole('link', { name: 'Retry 2 rows' }))
    .waitFor();
  expect(await details.getAttribute('open')).toBe('');
});

it('on a phone, nothing below a campaign moves when its figures change', async (test) => {
  const runner = await openRunner({}, test);
  const pages = await openPages(runner, test);
  const { page } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [home, card] of [
    [true, '.run'],
    [false, '#campaign-counts'],
  ] as const) {
    const keys = Array.from({ length: rows }, (_, index) => `${card}-${index}`);
    const id = await runner.importRows(keys.map((key) => videoRow(key)));
    const become = (states: readonly ('posted' | 'failed' | 'review')[]) =>
      asIf(runner).ended(
        id,
        states.map((state, row) => ({ row, state })),
      );
    await become(['posted']);
    await page.goto(`${pages.url}/campaigns${home ? '' : `/${id}`}`);
    await page.locator('#clock[data-state="live"]').waitFor();
    const shown = page.locator(card).first();
    const heightOf = async () => (await shown.boundingBox({ timeout: 5000 }))?.height;
    const before = await heightOf();
    await become(['posted', 'posted', 'failed', 'failed', 'failed', 'review']);
    await shown.getByText('3 failed').waitFor();
    // At home the pace follows a moment later.
    if (home) await shown.getByText(' a minute').waitFor();
    expect(await heightOf(), card).toBe(before);
    // The longest estimate.
    await shown.locator('.eta').evaluateAll((all) => {
      for (const eta of all)
        eta.innerHTML = '<b>1 h 20 min to 2 h left</b> ends between Mon 30 Nov 00:14 and 01:20';
    });
    expect(await heightOf(), card).toBe(before);
  }
});
