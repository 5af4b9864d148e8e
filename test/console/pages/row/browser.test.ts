/** Rows and reviews as a person uses them: dialogs, one browser for all. */
import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findCampaign } from '../../../../src/app/campaigns/find.ts';
import { openReview } from '../../../app/decisions/review.ts';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openRunner } from '../../../support/in-process.ts';
import { asIf } from '../../../support/ledger.ts';
import { mp4 } from '../../../support/sheets/media.ts';
import { aiPhotoRow, videoRow } from '../../../support/sheets/rows.ts';

const hostile = '<img src=x onerror=alert(1)>';

/** Whether the page can be moved sideways. */
function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

it('an operator decides rows, edits a failed one, and all are posted', async (test) => {
  const runner = await openRunner({ queues: ['showcase', 'generate', 'poll', 'upload', 'post'] });
  const { faults } = runner.sandbox;
  for (const key of ['a', 'b']) {
    const kind = key === 'a' ? 'lost-answer' : 'reset';
    faults.add({ operation: 'createCreatorPost', kind, times: 1, match: { title: `Caption ${key}` } });
  }
  const body = { code: 16001001, message: hostile };
  const wrong = { title: hostile };
  faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, body, match: wrong });
  const id = await runner.importRows([videoRow('a'), videoRow('b'), videoRow('f', { caption: hostile })]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  const pages = await openPages(runner);
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 800 });

  await page.goto(`${pages.url}/review`);
  const post = runner.sandbox.effects().posts.find(({ title }) => title === 'Caption a');
  await page.getByLabel('Post ID of a').fill(post?.postId ?? '');
  expect(await page.getByLabel('Posted', { exact: true }).isChecked()).toBe(true);
  // Nothing is sent, and it can be undone: no second question.
  await page.getByRole('button', { name: 'Decide and go on' }).click();
  await page.getByText('Decided 1 row.').waitFor();
  // The next row is open.
  await page.getByLabel('Post ID of b').waitFor();
  await page.getByLabel('Not posted').check();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Decide', exact: true }).click();
  await dialog.getByText('Resend 1 row?').waitFor();
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  // Nothing is sent until the person says that they checked.
  await dialog.getByRole('button', { name: 'Resend 1 row' }).click();
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['posted', 'review', 'failed']);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Decide', exact: true }).click();
  await dialog.getByLabel('I checked the creator’s profile').check();
  await dialog.getByRole('button', { name: 'Resend 1 row' }).click();
  await page.getByText('Decided 1 row.').waitFor();

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${pages.url}/campaigns/${id}/rows/f`);
  // What is at fault stands alone.
  await page.getByText(/^All \d+ other fields$/).click();
  await page.getByRole('textbox', { name: 'Media media', exact: true }).fill('none.mp4');
  await page.getByRole('textbox', { name: 'Caption caption', exact: true }).fill('Edited');
  const product = page.getByRole('textbox', { name: 'Product ID product_id' });
  await page.getByRole('button', { name: 'Use this ID' }).click();
  expect(await product.inputValue()).toMatch(/^p-[ab]$/);
  await product.fill('p-f');
  // The lists of the draft fill the form, and keep what is typed.
  await page.getByRole('textbox', { name: 'Creator creator', exact: true }).fill('nobody');
  await page.getByRole('link', { name: 'Find a creator…' }).click();
  // The answer to a search comes when an entry was picked already: the list stays closed.
  const picked = Promise.withResolvers<void>();
  await page.route(/q=anna/, (route) => picked.promise.then(() => route.continue()));
  await dialog.getByRole('searchbox').fill('anna');
  await dialog.getByRole('searchbox').press('Enter');
  await dialog.getByRole('button', { name: 'Use demo_anna' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const answered = page.waitForEvent('requestfinished', (request) => request.url().includes('q=anna'));
  picked.resolve();
  await answered;
  expect(await dialog.isVisible()).toBe(false);
  expect(await page.getByRole('textbox', { name: 'Creator creator', exact: true }).inputValue()).toBe(
    'demo_anna',
  );
  await page.getByRole('link', { name: 'Find a product…' }).first().click();
  await dialog.getByText('The showcase of demo_anna').waitFor();
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save and retry…' }).click();
  await page.getByText('1 problem.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Caption caption', exact: true }).inputValue()).toBe(
    'Edited',
  );
  expect(await axeFindings(page, { onlySerious: true })).toEqual([]);
  await page.getByRole('textbox', { name: 'Media media', exact: true }).fill('f.mp4');
  await page.getByRole('button', { name: 'Save and retry…' }).click();
  await page.getByRole('dialog', { name: 'Save and retry f?' }).waitFor();
  // Not while the question still comes in.
  await expect.poll(() => isTooWide(page)).toBe(false);
  await page.getByRole('button', { name: 'Save and retry', exact: true }).click();
  await page.getByText('Saved 1 change. Row f is retried.').waitFor();
  await runner.admit(id);
  // The page is live.
  await page.locator('#row-title').getByText('Posted').waitFor();
  // A page with problems answers 422, which the browser tells.
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  expect(runner.sandbox.effects().posts.map(({ title }) => title)).not.toContain(hostile);
});

it('the page of a row with generated media is no wider than the screen', async (test) => {
  const runner = await openRunner({ queues: ['showcase', 'generate', 'poll', 'upload', 'post'] });
  const id = await runner.importRows([aiPhotoRow('g', 3)]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  const pages = await openPages(runner);
  const { page } = await openPage(test);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${pages.url}/campaigns/${id}/rows/g`);
    expect([width, await isTooWide(page)]).toEqual([width, false]);
  }
});

it('"Not posted" can be chosen once the call can no longer be under way', async (test) => {
  const runner = await openRunner({ queues: ['showcase', 'upload', 'post'] });
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset' });
  const id = await runner.importRows([videoRow('a')]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  const at = Date.now();
  // As its worker had left it, if it had been killed in the call.
  const entry = `unknown token ${at} ${at} ${at + 5000}`;
  await asIf(runner).inCall(id, 0, entry);
  const pages = await openPages(runner);
  const { page } = await openPage(test);
  await page.goto(`${pages.url}/review`);
  const choice = page.getByLabel('Not posted');
  expect(await choice.isDisabled()).toBe(true);
  expect(await page.locator('.case').textContent()).toMatch(/You can choose this in \d s/);
  await page.locator('input[value="not-posted"]:enabled').waitFor();
  await choice.check();
});

it('a decision can be undone until its countdown ends', async (test) => {
  const review = await openReview();
  const pages = await openPages(review);
  await pages.post('/review/decide', { [`d.${review.id}.0.0`]: 'not-posted', looked: 'yes' });
  const { page } = await openPage(test);
  await page.clock.install();
  await page.goto(`${pages.url}/review?decided=${review.id}.0`);
  const control = page.locator('.undo');
  const undo = control.getByRole('button', { name: 'Undo a' });
  expect(await control.textContent()).toMatch(/\d s left/);
  expect(await undo.isVisible()).toBe(true);
  await page.clock.runFor(10_000);
  expect(await control.textContent()).toBe('Time is up.');
  expect(await undo.count()).toBe(0);
  expect(await page.locator('tr').filter({ has: control }).textContent()).toContain(
    'After that, delete duplicates in the social app.',
  );
});

it('a file is replaced on the row of a campaign, and a sheet is no file', async (test) => {
  const draft = await openDraft([videoRow('a', { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'UTC' })]);
  const { pages, drafts, id } = draft;
  const { version } = (await draft.look()).draft;
  const { campaign } = await drafts.start(id, { by: 'ann', version, rows: 1, mayPostTwice: false });
  const { page, complaints } = await openPage(test);
  await page.goto(`${pages.url}/campaigns/${campaign.id}/rows/a`);
  const choose = (name: string) =>
    page
      .getByLabel('Replace the file…')
      .setInputFiles({ name, mimeType: 'video/mp4', buffer: Buffer.from(mp4(name, 2000)) });
  await choose('plan.csv');
  await page.getByText('Plan.csv is neither a video nor a picture.').waitFor();
  await choose('new.mp4');
  await page.getByText('It has arrived: save the row.').waitFor();
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved 1 change.').waitFor();
  const { mediaRoot } = await findCampaign(draft.runtime, campaign.id);
  expect(readdirSync(mediaRoot)).toContain('new.mp4');
  expect(complaints).toEqual([]);
});
