/** From a dropped folder with mistakes to posts, in a real browser: by mouse, and by keyboard alone. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';

const product = '1729384071926530212';
const examples = join(import.meta.dirname, '../../../../examples/media');

/** Serious findings of axe-core, and whether the page is wider than the window. @param within selector of a part. */
async function findings(page: Page, within = 'html'): Promise<readonly string[]> {
  const isSerious = `({ impact }) => impact === 'serious' || impact === 'critical'`;
  const described = `({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join()`;
  const found: string[] = await page.evaluate(
    `${axe.source}; axe.run('${within}', { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(${isSerious}).map(${described}))`,
  );
  const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return over > 0 ? [...found, `${over} px too wide`] : found;
}

/** Chinese headers, one of them unknown. Every kind of mistake is in a row of its own. @param of makes the captions different. */
function spoiltSheet(of: string): { readonly text: string; readonly rows: number } {
  const header = '编号,谁来发,素材,文案,商品标题,商品ID,发布时间,提示词,模型,秒数,尺寸,is_ai_generated';
  const row = (key: string, cells: Readonly<Record<number, string>> = {}) =>
    [
      key,
      'demo_anna',
      'videos/mug.mp4',
      `一抹樱桃 ${key} ${of}`,
      'Stoneware Mug',
      product,
      '',
      '',
      '',
      '',
      '',
      '',
    ]
      .map((cell, position) => cells[position] ?? cell)
      .join();
  const made = { 2: '', 7: 'A mug at dawn', 8: 'seedance2.0', 10: '720x1280' };
  const rows = [
    row('good'),
    row('photo', { 2: 'photos/mug-1.jpg|photos/mug-2.jpg' }),
    row('zone', { 6: '2031-03-12 18:00' }),
    row('id', { 5: '1.72938E+18' }),
    row('date', { 6: '12/03/2031 20:00' }),
    row('file', { 2: 'videos/lamp.mov' }),
    row('creator', { 1: 'demo_ana' }),
    row('title', { 4: 'Stoneware Mug 350 ml Limited Edition' }),
    row('seconds', { ...made, 9: '9' }),
    row('label', { ...made, 9: '8', 11: 'maybe' }),
  ];
  return { text: [header, ...rows].join('\n'), rows: rows.length };
}

type Use = (name: string | RegExp) => Promise<void>;

/** How a person presses a button. */
type Press = (button: Locator) => Promise<void>;

const byMouse: Press = (button) => button.click();
const byKeyboard: Press = (button) => button.press('Enter');

it('a folder with eight kinds of mistake is mended until all rows are posted', {
  timeout: 150_000,
}, async (test) => {
  const runner = await openRunner({}, test);
  const { url } = await openPages(runner, test);
  await runner.start();
  const { page, complaints } = await openPage(test);
  const dialog = page.getByRole('dialog');

  /** Drops the folder, and mends all but the columns. @param before what is done first. */
  async function mendAll(
    of: string,
    press: Press,
    more: { readonly before?: (use: Use) => Promise<void>; readonly between?: () => Promise<void> },
  ) {
    const folder = join(runner.folder, 'planner', of);
    cpSync(examples, folder, { recursive: true });
    const { text, rows } = spoiltSheet(of);
    writeFileSync(join(folder, '春季.csv'), text);
    /** Does something that changes the draft, and waits for the page as it is then. */
    const leads = async (act: () => Promise<void>) => {
      await page.evaluate("document.querySelector('main').firstElementChild.dataset.before = 'yes'");
      await act();
      await page.locator('[data-before]').waitFor({ state: 'detached' });
      expect(await page.locator('.notice[data-state=failed]').allTextContents()).toEqual([]);
    };
    const use: Use = (name) => leads(() => press(page.getByRole('button', { name }).first()));
    await page.goto(`${url}/campaigns/new`);
    await page.getByLabel('Or a whole folder').setInputFiles(folder);
    await page.locator('#columns').waitFor();
    await more.before?.(use);
    await use('Use this zone');
    await page.getByRole('heading', { name: '7 rows to fix, 7 kinds of problem' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel('Canary').fill('3');
    await more.between?.();
    await use(`Use ${product} in 1 row`);
    await use(/^12\/03\/2031 is 12 March/);
    await use('Use videos/lamp.mp4 in 1 row');
    await use('Use demo_anna in 1 row');
    await use(/^Use “Stoneware Mug 350 ml Limited”/);
    await use('Use 8 s in 1 row');
    const cell = page.getByLabel('is_ai_generated, line 11');
    await cell.fill('yes');
    await leads(() => cell.press('Enter'));
    await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
    // It was typed before the first of these changes.
    expect(await page.getByLabel('Canary').inputValue()).toBe('3');
    await page.getByLabel('Canary').fill('');
    await use(`Start ${rows} posts`);
    await page.waitForURL(/\/campaigns\/c\d+/);
    const id = /c\d+/.exec(new URL(page.url()).pathname.replace('/campaigns', ''))?.[0] ?? '';
    expect((await runner.ended(id)).counts.posted).toBe(rows);
  }

  /** The row, and a list to pick from, in a dialog. */
  async function lookAtRow() {
    const line = page.getByRole('rowheader', { name: '8', exact: true }).getByRole('link');
    await byKeyboard(line);
    await dialog
      .getByText('The post as it will be')
      .or(dialog.getByLabel('The post as it will be'))
      .first()
      .waitFor();
    expect(await findings(page, 'dialog[open]')).toEqual([]);
    await byKeyboard(dialog.getByRole('link', { name: 'Find a creator…' }).first());
    await dialog.getByRole('heading', { name: 'Find a creator' }).waitFor();
    await dialog.getByRole('searchbox').fill('henry');
    await dialog.getByRole('searchbox').press('Enter');
    await dialog
      .getByRole('cell', { name: 'demo_henry' })
      .or(dialog.getByRole('rowheader', { name: 'demo_henry' }))
      .first()
      .waitFor();
    expect(await findings(page, 'dialog[open]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }

  await page.setViewportSize({ width: 1280, height: 900 });
  await mendAll('spring', byMouse, {
    async before(use) {
      await page.getByLabel('谁来发 is').selectOption('creator');
      await use('Use these columns');
    },
  });
  // What the header means is remembered.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await mendAll('summer', byKeyboard, { between: lookAtRow });
  expect(complaints).toEqual([]);
});
