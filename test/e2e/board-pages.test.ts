import { describe, expect, it } from 'vitest';
import { queueNames } from '../../src/queues/queues.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openPage } from '../support/console/browser.ts';
import { waitUntil } from '../support/events.ts';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

/** The board asks another site for its fonts; that this is blocked is meant. */
const blockedFonts = /(?:Loading the stylesheet '|policy style-src-elem )https:\/\/fonts\.googleapis\.com\//;

describe('the pages of Bull Board', { timeout: 150_000 }, () => {
  it('show the queues, whose jobs they are, why one failed, only buttons that work, and retry a failed job, whose row is then posted', async (test) => {
    const { page, complaints } = await openPage(test);
    const scene = await openScene(test, { settings: { retry: { attempts: 1 } } });
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
    expect((await scene.run(['run', scene.manifest([videoRow('B25')])])).code).toBe(3);
    const served = scene.start(['serve', '--port', '0', '--json']);
    const [, url = ''] = await served.line(/"url": "(.*)"/, 50_000);

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
    await page.getByText('B25 · demo_anna · posts').waitFor();
    expect(await page.getByRole('button', { name: 'Clean all' }).isVisible()).toBe(false);
    expect(await page.locator('[class*=jobActions]').getByRole('button').count()).toBe(1);

    await page.goto(`${url}/board/queue/upload/c1-0-0-upload-media-0?status=failed`);
    await page.getByText('createFileUpload was refused').first().waitFor();
    await page.getByText('B25 · demo_anna · posts').first().waitFor();
    await page.getByText('Correct what the service names in the sheet').first().waitFor();
    expect(await page.getByText('UnrecoverableError').count()).toBe(0);
    // The buttons beside the job's id have no names; what the first one does is asked before it does it.
    const id = page.getByText('c1-0-0-upload-media-0').first();
    await id.locator('xpath=ancestor::*[.//button][1]//button').first().click();
    await page.getByText('want to retry this job').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await waitUntil(() => scene.sandbox.effects().posts.length === 1, 'the post of row 1', 60_000);

    // The row went on in its next revision.
    await page.goto(`${url}/board/queue/post/c1-0-1-post?status=completed`);
    await page.getByText('B25 · demo_anna · posts').first().waitFor();
    expect(await page.getByText('createFileUpload was refused').count()).toBe(0);
    await page.getByRole('tab', { name: 'Data' }).click();
    await page
      .getByText(scene.sandbox.effects().posts[0]?.postId ?? 'no post')
      .first()
      .waitFor();

    expect((await scene.run(['run'])).code).toBe(0);
    expect((await scene.run(['report', 'c1', '--out', 'now.csv'])).code).toBe(0);
    const sheet = scene.results('now.csv');
    expect(sheet.rows.map(({ status }) => status)).toEqual(['posted']);
    expectAgreement(scene.sandbox, sheet);
  });
});
