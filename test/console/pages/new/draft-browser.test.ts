/** An agency's sheet with twenty kinds of mistake, in a real browser: from drop to posts by mouse, and each kind of fix by keyboard alone. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it, type TestContext } from 'vitest';
import { type AskedOfAxe, axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { agencyFiles, agencyRows, agencyWorkbook } from '../../../support/sheets/agency-sheet.ts';
import { writeMedia } from '../../../support/sheets/media.ts';

/** Serious findings of axe-core, and whether the page is wider than the window. */
async function findings(page: Page, asked: AskedOfAxe = {}): Promise<readonly string[]> {
  const found = await axeFindings(page, { onlySerious: true, ...asked });
  const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return over > 0 ? [...found, `${over} px too wide`] : found;
}

/** A person's hand, which counts what it does. */
interface Hand {
  /** Clicks, also into a field, keys that choose, and fields filled in. Keys that only move the focus are `moves`. */
  readonly actions: string[];
  moves: number;
  press(target: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  /** Saves what was typed last. */
  save(): Promise<void>;
}

const mostActions = 39;
const mostMoves = 150;

function byMouse(page: Page): Hand {
  const hand: Hand = {
    actions: [],
    moves: 0,
    async press(target) {
      hand.actions.push(`click ${await nameOf(target)}`);
      await target.click();
    },
    async fill(field, text) {
      if (!(await isFocused(field))) await hand.press(field);
      hand.actions.push(`fill in ${await nameOf(field)}`);
      await write(page, text);
    },
    save: () => hand.press(page.getByRole('button', { name: /^Save the cells/ }).first()),
  };
  return hand;
}

/** Nothing but its keys moves the focus. */
function byKeyboard(page: Page): Hand {
  async function reach(target: Locator) {
    // Found once: to look for a name on a long page at each key is dear.
    const element = await target.elementHandle();
    if (!element) throw new Error(`${target} is not there`);
    const most = hand.moves + mostMoves;
    for (let key = await element.evaluate(keyTo); key !== ''; key = await element.evaluate(keyTo)) {
      if (hand.moves > most) throw new Error(`the focus does not come to ${target}`);
      hand.moves += 1;
      await page.keyboard.press(key);
    }
  }
  async function enter(where: string) {
    hand.actions.push(`Enter on ${where}`);
    await page.keyboard.press('Enter');
  }
  const hand: Hand = {
    actions: [],
    moves: 0,
    async press(target) {
      await reach(target);
      await enter(await nameOf(target));
    },
    async fill(field, text) {
      await reach(field);
      hand.actions.push(`fill in ${await nameOf(field)}`);
      await write(page, text);
    },
    save: () => enter('the field'),
  };
  return hand;
}

interface PageElement {
  matches(selector: string): boolean;
  closest(selector: string): PageElement | null;
  compareDocumentPosition(other: unknown): number;
  readonly ownerDocument: { readonly activeElement: unknown };
}

/** The key that brings the focus nearer to an element; empty if it is there. It runs in the page. */
function keyTo(element: PageElement): string {
  if (element.matches(':focus')) return '';
  const home = element.closest('.edit, .more, #columns, #draft-dock');
  if (home?.matches(':focus-within') === false) return 'F8';
  const isPast = home !== null && element.compareDocumentPosition(element.ownerDocument.activeElement) === 4;
  return isPast ? 'Shift+Tab' : 'Tab';
}

async function write(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a');
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.insertText(text));
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'));
}

function nameOf(target: Locator): Promise<string> {
  return target.evaluate((element) => (element.getAttribute('aria-label') ?? element.textContent).trim());
}

/** The row of a problem, and a list to pick from, in a dialog. */
async function lookAtRow(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('rowheader', { name: '5', exact: true }).getByRole('link').press('Enter');
  await dialog
    .getByText('The post as it will be')
    .or(dialog.getByLabel('The post as it will be'))
    .first()
    .waitFor();
  expect(await findings(page, { within: 'dialog[open]' })).toEqual([]);
  await dialog.getByRole('link', { name: 'Find a creator…' }).first().press('Enter');
  await dialog.getByRole('heading', { name: 'Find a creator' }).waitFor();
  await dialog.getByRole('searchbox').fill('henry');
  await dialog.getByRole('searchbox').press('Enter');
  await dialog.getByRole('rowheader', { name: 'demo_henry' }).waitFor();
  expect(await findings(page, { within: 'dialog[open]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** The page of a draft for the agency's folder, by one hand. */
async function openAgencyDraft(test: TestContext, by: (page: Page) => Hand) {
  const runner = await openRunner({}, test);
  const { url } = await openPages(runner, test);
  const folder = join(runner.folder, 'planner', 'glow');
  mkdirSync(folder, { recursive: true });
  writeMedia(folder, agencyFiles);
  cpSync(await agencyWorkbook(), join(folder, 'glow.xlsx'));
  const { page, complaints } = await openPage(test);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  const hand = by(page);

  /** Does something that changes the draft, and waits for the page as it is then. */
  async function leads(act: () => Promise<void>) {
    await page.evaluate("document.querySelector('main').firstElementChild.dataset.before = 'yes'");
    await act();
    await page.locator('[data-before=yes]').waitFor({ state: 'detached' });
    expect(await page.locator('.notice[data-state=failed]').allTextContents()).toEqual([]);
  }
  const use = (name: string | RegExp) => leads(() => hand.press(page.getByRole('button', { name }).first()));
  const fill = (name: string, text: string) => hand.fill(page.getByLabel(name).first(), text);

  /** Drops the folder, and takes the columns and the zone as proposed. */
  async function drop() {
    await page.goto(`${url}/campaigns/new`);
    const chooser = page.waitForEvent('filechooser');
    await hand.press(page.getByLabel('Choose a whole folder…'));
    hand.actions.push('choose the folder');
    await (await chooser).setFiles(folder);
    await page.locator('#columns').waitFor();
    await use('Use all 2 column suggestions');
    await use('Use this zone');
    await page.getByRole('heading', { name: '26 rows to fix, 23 kinds of problem' }).waitFor();
  }

  async function chooseModel() {
    await hand.press(page.getByRole('link', { name: 'Choose a model' }));
    const model = page.getByRole('dialog').getByRole('button', { name: 'Use seedream5.0-lite' });
    await leads(() => hand.press(model));
  }
  return { runner, page, complaints, hand, leads, use, fill, drop, chooseModel };
}

it('an agency’s sheet is all posted in under 40 actions', async (test) => {
  const draft = await openAgencyDraft(test, byMouse);
  const { runner, page, complaints, hand, leads, use, fill } = draft;
  await page.setViewportSize({ width: 1920, height: 900 });
  await runner.start();
  await draft.drop();
  await use(/Read 24.12. 18:30 as 24 December 2031/);
  await fill('Datum, line 22', '20.03.2031');
  await use('Use demo_anna in 1 row');
  await fill('Handle, line 5', 'demo_anna');
  await use(/Use \d+1001 in 1 row/);
  await use(/Use \d+1002 in 1 row/);
  await use(/Use “Vitamin C Serum mit Hyaluron”/);
  await use('Use Lippenöl Kirsche in 1 row');
  await use(/03\/04\/2031 is 3 April/);
  await use(/Read 2024-03-11 11:30 as 11 March 2031/);
  await use('30 March 2031, 03:30, 1 row');
  await use('Use clips/glow-01.mp4 in 1 row');
  await fill('Copy, line 17', 'Frühling!');
  await use('Cut at a word in 1 row');
  await use('Use the row number, 1 row');
  await fill('Handle, line 20', 'demo_anna');
  await fill('Uhrzeit, line 21', '18:30');
  await fill('KI-Kennzeichnung, line 23', '');
  await fill('Copy, line 24', 'Pflege im Alltag');
  await fill('Uhrzeit, line 25', '20:00');
  await leads(() => hand.save());
  await use('Keep the video only, 1 row');
  await use('Generate, without the media, 1 row');
  await draft.chooseModel();
  await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
  const start = `Start ${agencyRows.length} posts`;
  await use(`${start}…`);
  await page.getByText('AI outputs to pay for').waitFor();
  await hand.press(page.getByRole('button', { name: start, exact: true }));
  await page.waitForURL(/\/campaigns\/c1/);
  expect((await runner.ended('c1')).counts.posted).toBe(agencyRows.length);
  expect(hand.actions.length, hand.actions.join('\n')).toBeLessThanOrEqual(mostActions);

  // Its next version has all its mistakes again, a new row, and an edit of a post.
  const [first, ...others] = agencyRows;
  if (first === undefined) throw new TypeError('it has rows');
  const edited = { cells: { ...first.cells, Copy: 'Neu' } };
  const added = { cells: { ...first.cells, 'Nr.': '42', Copy: 'Ganz neu' } };
  await page.getByText('More…').first().click();
  await page.getByText('Update with corrected sheet…').click();
  const next = join(runner.folder, 'glow.xlsx');
  cpSync(await agencyWorkbook([added, edited, ...others]), next);
  await page.locator('#files').setInputFiles(next);
  await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
  const plan = page.locator('#draft-plan');
  expect(await plan.textContent()).toMatch(
    /1 row new: added.*41 rows already posted or scheduled, unchanged/s,
  );
  expect(await plan.locator('[aria-labelledby=ignored] tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/1CopySo geht Pflege \(1\)Neu/),
  ]);
  await use('Update 1 row…');
  await page.getByText('AI outputs to pay for').waitFor();
  await leads(() => page.getByRole('button', { name: 'Update 1 row', exact: true }).click());
  expect((await runner.ended('c1')).counts.posted).toBe(agencyRows.length + 1);
  expect(complaints).toEqual([]);
});

it('each kind of fix is within reach of the keyboard, on a phone in the dark', async (test) => {
  const draft = await openAgencyDraft(test, byKeyboard);
  const { page, complaints, hand, leads, use, fill } = draft;
  await page.setViewportSize({ width: 390, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await draft.drop();
  expect(await findings(page)).toEqual([]);
  await lookAtRow(page);
  await use(/Read 24.12. 18:30 as 24 December 2031/);
  await fill('Datum, line 22', '20.03.2031');
  await leads(() => hand.save());
  await use('Use the row number, 1 row');
  await draft.chooseModel();
  expect(await page.locator('#problems').textContent()).toContain('19 rows');
  expect(hand.moves).toBeLessThanOrEqual(mostMoves);
  expect(complaints).toEqual([]);
});
