/** The work of an operator in a browser, from a campaign with each kind of failure to all rows posted. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goodPassword, quickUser } from '../support/console/access.ts';
import { openPage } from '../support/console/browser.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner, type TestRunner } from '../support/in-process.ts';
import { writeMedia } from '../support/sheets/media.ts';
import { videoRow } from '../support/sheets/rows.ts';

const rows = [
  videoRow('fine'),
  videoRow('server'),
  videoRow('expired', { creator: 'demo_ben' }),
  videoRow('missing'),
  videoRow('wrong', { creator: 'demo_carla' }),
  videoRow('there', { creator: 'demo_david' }),
  videoRow('lost', { creator: 'demo_elena' }),
];

/** Each row but the first meets a trouble of its own. */
function makeTrouble({ sandbox, folder }: TestRunner): void {
  const { faults } = sandbox;
  const title = (key: string) => ({ title: `Caption ${key}` });
  faults.add({
    operation: 'createFileUpload',
    kind: 'status',
    status: 500,
    times: 5,
    match: { fileName: 'server.mp4' },
  });
  faults.add({ operation: 'addSocialShowcaseProducts', kind: 'code', code: 40101, match: 'p-expired' });
  const body = { code: 16001001, message: 'the caption is not allowed' };
  faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, body, match: title('wrong') });
  faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: title('there') });
  faults.add({ operation: 'createCreatorPost', kind: 'reset', match: title('lost') });
  rmSync(join(folder, 'missing.mp4'));
}

/** A cause on the page of a campaign, by its code. */
const cause = (page: Page, code: string) => page.locator('.causes > li').filter({ hasText: code });

it('each kind of failure is repaired by clicks, and all rows are posted', async (test) => {
  const clock = { ahead: 0 };
  const runner = await openRunner({ now: () => Date.now() + clock.ahead });
  const id = await runner.importOrUpdate(rows, { canary: 1 });
  makeTrouble(runner);
  await runner.start();
  const { url } = await openPages(runner);
  const { page, complaints } = await openPage(test);
  const dialog = page.getByRole('dialog');
  const press = (name: string) => dialog.getByRole('button', { name }).click();
  const told = (text: string) => page.getByRole('status').getByText(text).waitFor();

  await page.goto(`${url}/campaigns`);
  // The list says so when the page is loaded.
  await runner.until(
    async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
    'the canary to end',
  );
  await page.reload();
  await page.getByRole('link', { name: '6 rows wait for the canary' }).click();
  await page.getByRole('button', { name: 'Release 6 rows' }).click();
  await told(`Campaign ${id} is running again.`);

  await cause(page, 'server_error').getByRole('link', { name: 'Retry 1 row…' }).click();
  await dialog.getByText('Finished steps are kept').waitFor();
  expect(await dialog.getByText('Skips').count()).toBe(0);
  await press('Retry 1 row');
  await told('1 row will be retried.');

  await cause(page, '40101')
    .getByRole('link', { name: /^Retry \d+ rows? of demo_ben…$/ })
    .click();
  await press('Retry 1 row');
  await told('demo_ben is no longer on hold. 1 row will be retried.');

  writeMedia(runner.folder, ['missing.mp4']);
  await cause(page, 'media_missing').getByRole('link', { name: 'Retry 1 row…' }).click();
  await press('Retry 1 row');
  await told('1 row will be retried.');

  await cause(page, '16001001').getByRole('link', { name: '1 row failed: show it' }).click();
  await page.getByRole('link', { name: 'wrong' }).click();
  await page.getByText(/^All \d+ other fields$/).click();
  await page.getByRole('textbox', { name: 'Caption caption' }).fill('A caption that is allowed');
  await page.getByRole('button', { name: 'Save and retry…' }).click();
  await page.getByRole('button', { name: 'Save and retry', exact: true }).click();
  await told('Saved 1 change. Row wrong is retried.');

  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'test' }).click();
  await cause(page, 'outcome_unknown').getByRole('link', { name: 'Decide 2 rows' }).click();
  const post = runner.sandbox.effects().posts.find(({ title }) => title === 'Caption there');
  await page.getByLabel('Post ID of there').fill(post?.postId ?? '');
  await page.getByRole('button', { name: 'Decide and go on' }).click();
  await told('Decided 1 row.');
  // The next row is open.
  await page.getByLabel('Post ID of lost').waitFor();
  await page.getByLabel('Not posted').check();
  await page.getByRole('button', { name: 'Decide', exact: true }).click();
  await dialog.getByLabel('I checked the creator’s profile').check();
  await press('Resend 1 row');
  await told('Decided 1 row.');

  // Decided rows wait a while before they are sent, so that the decision can be undone.
  clock.ahead += 11_000;
  await runner.queues.wakeAdmission(id);
  await page.goto(`${url}/campaigns/${id}`);
  await page.locator('#campaign-counts').getByText('7 of 7 posted').waitFor();
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(rows.map(() => 'posted'));
  const titles = runner.sandbox.effects().posts.map(({ title }) => title);
  expect(titles).toHaveLength(rows.length);
  expect(complaints).toEqual([]);
});

it('the same work is done with the keyboard alone', async (test) => {
  const runner = await openRunner();
  await quickUser(runner, 'anna', 'operator');
  runner.sandbox.faults.add({
    operation: 'createFileUpload',
    kind: 'status',
    status: 500,
    times: 5,
    match: { fileName: 'server.mp4' },
  });
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: 'Caption there' });
  const id = await runner.importOrUpdate([videoRow('server'), videoRow('there')]);
  await runner.start();
  await runner.ended(id);
  const { url } = await openPages(runner);
  const { page, complaints } = await openPage(test);
  const { keyboard } = page;
  /** Goes on by Tab until the focus is on an element with this text or label. */
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 100; steps += 1) {
      await keyboard.press('Tab');
      const focused = await page.evaluate<string>(
        "(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '')(document.activeElement)",
      );
      if (focused.replaceAll(/\s+/g, ' ').trim().startsWith(name)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };

  await page.goto(`${url}/campaigns`);
  // The browser sets the focus a moment after the page has loaded.
  await page.locator('#user:focus').waitFor();
  await keyboard.type('anna');
  await keyboard.press('Tab');
  await keyboard.type(goodPassword);
  await keyboard.press('Enter');
  await page.waitForURL(`${url}/campaigns`);
  await keyboard.press('Tab');
  expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe('#main');
  await keyboard.press('Enter');
  await tabTo('test');
  await keyboard.press('Enter');
  await page.waitForURL(`${url}/campaigns/${id}`);

  await tabTo('Retry 1 row…');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // The focus is where it was.
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo('Retry 1 row');
  await keyboard.press('Enter');
  await page.getByText('1 row will be retried.').waitFor();

  await tabTo('Decide 1 row');
  await keyboard.press('Enter');
  await page.waitForURL(/\/review/);
  const post = runner.sandbox.effects().posts.find(({ title }) => title === 'Caption there');
  // A single key only selects.
  await keyboard.press('n');
  expect(await page.getByLabel('Not posted').isChecked()).toBe(true);
  await keyboard.press('p');
  expect(await page.getByLabel('Not posted').isChecked()).toBe(false);
  await tabTo('Post ID of there');
  await keyboard.type(post?.postId ?? '');
  await tabTo('Decide');
  await keyboard.press('Enter');
  await page.getByText('Decided 1 row.').waitFor();
  expect((await runner.ended(id)).counts.posted).toBe(2);
  expect(complaints).toEqual([]);
});
