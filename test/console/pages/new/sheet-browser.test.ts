/** Cells of the sheet are edited where they stand, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it, type TestContext } from 'vitest';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage, phone } from '../../../support/console/browser.ts';
import { cellsOf, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

async function openSheet(
  test: TestContext,
  asked = '?rows=all',
  own: Readonly<Record<string, string>> = {},
  device: Parameters<typeof openPage>[1] = { viewport: { width: 1440, height: 900 } },
) {
  const rows = ['a', 'b', 'c', 'd'].map((key) =>
    videoRow(key, { caption: `Caption ${key}`, note: `n ${key}`, ...own }),
  );
  const draft = await openDraft(rows);
  await draft.checked();
  const { page, complaints } = await openPage(test, device);
  await page.goto(`${draft.pages.url}${draft.path}${asked}`);
  const texts = async (column: string) => {
    const { checked } = await draft.look();
    const at = checked?.columns.find(({ title }) => title === column)?.position ?? -1;
    return Promise.all([1, 2, 3, 4].map(async (row) => (await cellsOf(draft, row))?.[at]));
  };
  const focused = page.locator(':focus');
  return { page, texts, focused, complaints };
}

const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });

/** Pastes as a spreadsheet program copies. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);

it('takes what is typed with Tab, saves it with Enter and goes down; Escape drops it', async (test) => {
  const { page, texts, focused, complaints } = await openSheet(test);
  await cell(page, 'Caption a').click();
  await page.keyboard.type('/One');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await page.getByText('2 rows edited.').waitFor();
  await expect.poll(() => focused.textContent()).toBe('Caption c');
  await page.keyboard.type('Three');
  await page.keyboard.press('Escape');
  expect(await focused.textContent()).toBe('Caption c');
  expect(await texts('caption')).toEqual(['/One', 'Two', 'Caption c', 'Caption d']);
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  expect(complaints).toEqual([]);
});

it('opens a cell at the first tap, because a phone has no keys before that', async (test) => {
  const { page, focused } = await openSheet(test, '?rows=all', {}, phone);
  await cell(page, 'Caption a').tap();
  expect(await focused.getAttribute('aria-label')).toContain('caption, line 2');
});

it('asks before a link leaves cells that are typed and not saved', async (test) => {
  const { page, texts, complaints } = await openSheet(test);
  await cell(page, 'Caption a').click();
  await page.keyboard.type('One');
  await page.keyboard.press('Tab');
  const follow = () => page.evaluate(`document.querySelector('a[href$="rows=warnings"]').click()`);
  await follow();
  // The browser of a test stays on the page when it is asked.
  await expect.poll(() => complaints).toEqual(['dialog: ']);
  await cell(page, 'Caption b').click();
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await expect.poll(() => texts('caption')).toEqual(['One', 'Two', 'Caption c', 'Caption d']);
  await page.getByText('2 rows edited.').waitFor();
  await follow();
  await page.waitForURL(/rows=warnings/);
  expect(complaints).toHaveLength(1);
});

it('only holds the cell that Enter has reached at a click, so that typing replaces its text', async (test) => {
  const { page, texts } = await openSheet(test);
  await cell(page, 'Caption a').click();
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await page.getByText('1 row edited.').waitFor();
  await cell(page, 'Caption b').click();
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await expect.poll(() => texts('caption')).toEqual(['One', 'Two', 'Caption c', 'Caption d']);
});

it('keeps what is typed while a save is under way, and saves it, too', async (test) => {
  const { page, texts, focused } = await openSheet(test);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/cells$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await cell(page, 'Caption a').click();
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Thr');
  gate.resolve();
  await page.getByText('Lines 3 and 4.').waitFor();
  await expect.poll(() => focused.inputValue()).toBe('Thr');
  await page.keyboard.type('ee');
  await page.keyboard.press('Enter');
  await page.getByText('Line 4.').waitFor();
  expect(await texts('caption')).toEqual(['One', 'Two', 'Three', 'Caption d']);
});

it('says so if the answer to a save breaks off, and saves again', async (test) => {
  const { page, texts, complaints } = await openSheet(test);
  await page.evaluate(`{
    const { fetch } = window;
    window.fetch = async () => {
      window.fetch = fetch;
      return new Response(new ReadableStream({ start: (body) => body.error(new TypeError('cut')) }));
    };
  }`);
  await cell(page, 'Caption a').click();
  await page.keyboard.type('One');
  await page.keyboard.press('Enter');
  await page.getByText('The console does not answer.').waitFor();
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await expect.poll(() => texts('caption')).toEqual(['One', 'Two', 'Caption c', 'Caption d']);
  expect(complaints).toEqual([]);
});

it('pastes a block from the held cell on, and undoes it', async (test) => {
  const { page, texts, complaints } = await openSheet(test);
  await cell(page, 'Caption b').click();
  await paste(page, '"Two\nlines"\nThree ""\nFour\nFive\n');
  await page.getByText('3 rows edited.').waitFor();
  expect(await texts('caption')).toEqual(['Caption a', 'Two\nlines', 'Three ""', 'Four']);
  await page.keyboard.press('Control+z');
  await page.getByText('The last change is undone.').waitFor();
  expect(await texts('caption')).toEqual(['Caption a', 'Caption b', 'Caption c', 'Caption d']);
  expect(complaints).toEqual([]);
});

it('says how many rows of a block there was no place for', async (test) => {
  const { page, texts } = await openSheet(test);
  await cell(page, 'Caption c').click();
  await paste(page, 'One\nTwo\nThree\nFour\n');
  await page.getByText('Pasted 2 of 4 rows: there are no more rows here.').waitFor();
  expect(await texts('caption')).toEqual(['Caption a', 'Caption b', 'One', 'Two']);
});

it('fills the ticked rows with the held cell', async (test) => {
  const { page, texts, complaints } = await openSheet(test);
  await page.getByLabel('Tick line 4').check();
  await page.getByLabel('Tick line 5').check();
  await cell(page, 'Caption a').click();
  await page.keyboard.press('Control+d');
  await page.getByText('2 rows edited.').waitFor();
  expect(await texts('caption')).toEqual(['Caption a', 'Caption b', 'Caption a', 'Caption a']);
  expect(complaints).toEqual([]);
});

it('takes cells beside those with a problem, and goes on from one to the other', async (test) => {
  const { page, texts, focused, complaints } = await openSheet(test, '', { is_ai_generated: 'maybe' });
  await cell(page, 'Caption b').click();
  await page.keyboard.type('Two');
  await page.keyboard.press('Enter');
  await page.getByText('1 row edited.').waitFor();
  await expect.poll(() => focused.textContent()).toBe('Caption c');
  await cell(page, 'n a').click();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused.getAttribute('aria-label')).toBe('is_ai_generated, line 2');
  await cell(page, 'Caption c').click();
  await paste(page, 'Three\nFour');
  await page.getByText('2 rows edited.').waitFor();
  expect(await texts('caption')).toEqual(['Caption a', 'Two', 'Three', 'Four']);
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await cell(page, 'Two').waitFor();
  expect(complaints).toEqual([]);
});
