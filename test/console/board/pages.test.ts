import { expect, it } from 'vitest';
import { queueNames } from '../../../src/queues/queues.ts';
import { openPage } from '../../support/console/browser.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

/** The board asks another site for its fonts; that this is blocked is meant. */
const blockedFonts = /(?:Loading the stylesheet '|policy style-src-elem )https:\/\/fonts\.googleapis\.com\//;

it('Bull Board shows whose jobs failed and why, only buttons that work, and retries a failed job, whose row is then posted', async (test) => {
  const { page, complaints } = await openPage(test);
  // Nothing tidies up after the campaign.
  const queues = ['showcase', 'upload', 'post'] as const;
  const runner = await openRunner({ queues, settings: { retry: { attempts: 1 } } });
  runner.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
  const { url } = await openPages(runner);
  const id = await runner.importRows([videoRow('B25')]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);

  await page.goto(`${url}/board`);
  for (const name of queueNames) await page.getByRole('link', { name }).first().waitFor();
  expect(complaints.filter((complaint) => !blockedFonts.test(complaint))).toEqual([]);

  await page.goto(`${url}/board/queue/upload?status=failed`);
  await page.getByRole('button', { name: 'Clean all' }).waitFor();
  await page.locator('button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
  const menu = await page.getByRole('menuitem').allTextContents();
  expect(menu).toEqual([expect.stringContaining('Retry all'), 'Pause']);

  // Nothing of a job that has not ended can be cleaned, and only its removal is left.
  await page.goto(`${url}/board/queue/post?status=waiting-children`);
  await page.getByText('B25 · demo_anna · test').waitFor();
  expect(await page.getByRole('button', { name: 'Clean all' }).isVisible()).toBe(false);
  expect(await page.locator('[class*=jobActions]').getByRole('button').count()).toBe(1);

  const job = `${id}-0-0-upload-media-0`;
  await page.goto(`${url}/board/queue/upload/${job}?status=failed`);
  await page.getByText('createFileUpload was refused').first().waitFor();
  await page.getByText('B25 · demo_anna · test').first().waitFor();
  await page.getByText('In the sheet, fix what the service names').first().waitFor();
  expect(await page.getByText('UnrecoverableError').count()).toBe(0);
  // The buttons beside the job's id have no names; what the first one does is asked before it does it.
  await page.getByText(job).first().locator('xpath=ancestor::*[.//button][1]//button').first().click();
  await page.getByText('want to retry this job').waitFor();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await runner.until(async () => (await runner.rows(id))[0]?.state === 'waiting', 'the row to wait again');
  await runner.admit(id);
  expect((await runner.ended(id)).counts).toMatchObject({ posted: 1 });

  // The row went on in its next revision.
  await page.goto(`${url}/board/queue/post/${id}-0-1-post?status=completed`);
  await page.getByText('B25 · demo_anna · test').first().waitFor();
  expect(await page.getByText('createFileUpload was refused').count()).toBe(0);
  await page.getByRole('tab', { name: 'Data' }).click();
  await page
    .getByText(runner.sandbox.effects().posts[0]?.postId ?? 'no post')
    .first()
    .waitFor();
});
