/** A client link of a draft in a browser: the plan on a phone, and the same link once it is started. */
import { expect, it } from 'vitest';
import { openTestDraft } from '../app/drafts/test-draft.ts';
import { axeFindings } from '../support/console/axe.ts';
import { openPage } from '../support/console/browser.ts';
import { photoRow, videoRow } from '../support/sheets/rows.ts';

it('shows the plan, takes a comment, and approves the posts once the draft is started', async (test) => {
  const { page, complaints } = await openPage(test);
  const rows = [videoRow('candle'), videoRow('lamp', { creator: 'demo_nobody' }), photoRow('set', 2)];
  const { runner, pages, id } = await openTestDraft(rows, {}, test);
  const draft = `${pages.url}/campaigns/new/${id}`;
  await page.goto(draft);
  await page.getByLabel('More for this draft').click();
  await page.getByRole('link', { name: 'Client links…' }).click();
  await page.getByLabel('For whom').fill('Glow Ltd');
  await page.getByLabel('Guests may approve and reject').check();
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = (await page.locator('code.token').textContent()) ?? '';
  expect(link).toMatch(/^\/shared\/[\w-]{43}$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${pages.url}${link}`);
  await page.getByText('This is a plan, which may still change.').waitFor();
  await page.getByText('2 posts planned').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await axeFindings(page)).toEqual([]);
  const card = (text: string) => page.locator('.approvals > li', { hasText: text });
  expect(await page.getByText('Caption lamp').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await page.getByLabel('Your name').fill('Lin');
  await card('Caption set').getByText('Comment…').click();
  await card('Caption set').getByLabel('Comment').fill('The blue one first');
  await card('Caption set').getByRole('button', { name: 'Send' }).click();
  await page.getByText('Your comment was added.').waitFor();
  await card('Caption set').getByText('The blue one first').waitFor();

  await page.goto(draft);
  await page.getByRole('heading', { name: 'Latest comments' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel('Approval').selectOption('all');
  await page.getByRole('button', { name: 'Skip 1 row and start 2 posts…' }).click();
  await page.getByRole('button', { name: 'Start 2 posts', exact: true }).click();
  await page.getByText('Started: 2 posts').waitFor();
  await runner.start();
  const [{ id: campaign } = { id: '' }] = await runner.ledger.campaigns.listAll();
  await runner.until(
    async () => (await runner.ledger.campaigns.find(campaign))?.unapproved === 2,
    'the posts to wait for an approval',
  );

  await page.goto(`${pages.url}${link}`);
  await page.getByText('2 posts to approve').waitFor();
  await card('Caption set').getByText('The blue one first').waitFor();
  await card('Caption set').getByText('Approve…').click();
  await card('Caption set').getByRole('button', { name: 'Approve and post now' }).click();
  await page.getByText('Approved. Thank you.').waitFor();
  await runner.until(async () => (await runner.rows(campaign))[1]?.state === 'posted', 'the approved post');
  expect((await runner.rows(campaign))[0]?.state).toBe('ready');
  expect(runner.sandbox.calls('createCreatorPost')).toHaveLength(1);
  expect(complaints).toEqual([]);
});
