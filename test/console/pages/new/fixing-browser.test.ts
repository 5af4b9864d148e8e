/** Problems of a sheet are fixed in a real browser without losing one's place. */
import { expect, it } from 'vitest';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

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

it('F8 leads to the columns that are open, if no row is at fault', async (test) => {
  const { creator: _none, ...row } = videoRow('a');
  const { pages, path, checked } = await openDraft([{ ...row, Wer: 'demo_anna' }]);
  await checked();
  const { page } = await openPage(test);
  await page.goto(`${pages.url}${path}`);
  await page.keyboard.press('F8');
  expect(await page.locator('section[aria-labelledby="columns"] :focus').count()).toBe(1);
});
