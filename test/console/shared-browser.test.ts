/** A client link in a browser: on a phone first. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApprovals } from '../support/approvals.ts';
import { axeFindings } from '../support/console/axe.ts';
import { openPage } from '../support/console/browser.ts';
import { photoRow, videoRow } from '../support/sheets/rows.ts';

const day = 86_400_000;
const examples = new URL('../../examples/media/', import.meta.url).pathname;
const at = (index: number) => ({
  scheduled_at: new Date(Date.now() + 10 * day + index * 60_000).toISOString(),
});

it('is made on the page of the campaign, approves and rejects on a phone, and does not work once it is revoked', async (test) => {
  const { page, complaints } = await openPage(test);
  const names = ['candle', 'lamp', 'mug'];
  const rows = names.map((name, index) =>
    videoRow(name, { ...at(index), caption: `The ${name} you will keep` }),
  );
  const { runner, pages, waiting, id } = await openApprovals(
    [...rows, photoRow('set', 3, at(4))],
    { approve: 'all', lead: day },
    (folder) => {
      for (const name of names)
        copyFileSync(join(examples, `videos/${name}.mp4`), join(folder, `${name}.mp4`));
    },
  );
  await waiting(4);
  await page.goto(`${pages.url}/campaigns/${id}`);
  await page.getByText('More…').click();
  await page.getByRole('link', { name: 'Client links…' }).click();
  await page.getByLabel('For whom').fill('Glow Ltd');
  await page.getByLabel('Guests may approve and reject').check();
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = (await page.locator('code.token').textContent()) ?? '';
  expect(link).toMatch(/^\/shared\/[\w-]{43}$/);
  // Without one in the settings.
  expect((await fetch(`${pages.url}${link}/logo`)).status).toBe(404);

  await page.setViewportSize({ width: 390, height: 480 });
  await page.goto(`${pages.url}${link}`);
  await page.getByText('0 of 4 approved').waitFor();
  await page.getByText('4 posts to approve').waitFor();
  // In the zone of the guest, once their browser has told it.
  await page.getByText('times in your zone').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await axeFindings(page)).toEqual([]);
  const card = (text: string) => page.locator('.approvals > li', { hasText: text });
  await card('The candle').locator('video[src]').waitFor();
  // Enter in the field decides nothing.
  await page.getByLabel('Your name').fill('Lin');
  await page.getByLabel('Your name').press('Enter');
  await card('The candle').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. Thank you.').waitFor();
  await page.getByText('1 of 4 approved').waitFor();
  expect(await page.getByLabel('Your name').inputValue()).toBe('Lin');
  await card('The mug').getByText('Reject…').click();
  await card('The mug').getByLabel('Reason').fill('The cup is chipped');
  await card('The mug').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected. Thank you.').waitFor();
  // The guest goes on where they were, not at the head of the page.
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'All' }).click();
  await card('The mug').getByText('Rejected').waitFor();
  const [first, , third] = await runner.rows(id);
  expect([first?.state, third?.error?.message]).toEqual([
    'ready',
    'Lin (client link) rejected the post: The cup is chipped',
  ]);

  await page.goto(`${pages.url}/campaigns/${id}/links`);
  await page.getByRole('link', { name: 'Revoke… Glow Ltd' }).click();
  await page.getByText('You cannot undo this').waitFor();
  await page.getByRole('button', { name: 'Revoke the link' }).click();
  await page.getByText('The link is revoked.').waitFor();
  await page.goto(`${pages.url}${link}`);
  await page.getByText('This link does not work').waitFor();
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});
