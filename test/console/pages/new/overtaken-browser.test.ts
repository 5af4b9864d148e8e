/** The page of a draft on a slow machine: the check of a change is still to come when the change is answered. */
import { expect, it } from 'vitest';
import { openTestDraft } from '../../../app/drafts/test-draft.ts';
import { openPage } from '../../../support/console/browser.ts';
import { holdChecks } from '../../../support/console/held-checks.ts';
import { tcpProxy } from '../../../support/redis/tcp-proxy.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const row = () => {
  const { creator, ...others } = videoRow('a');
  return { ...others, Wer: creator ?? '' };
};

it('shows no column as open that was just chosen, and the result once it is there', async (test) => {
  const draft = await openTestDraft([row()], {}, test);
  await draft.look();
  const { page } = await openPage(test);
  await page.goto(`${draft.pages.url}/campaigns/new/${draft.id}`);
  await page.getByLabel('Wer is').selectOption('creator');
  await page.locator('#clock[data-state="live"]').waitFor();

  const letGo = await holdChecks(draft);
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('The columns are saved.').waitFor();
  await page.getByText('is being checked').waitFor();
  expect(await page.getByText('missing: creator').count()).toBe(0);
  await letGo();
  await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
});

it('catches up by itself when its stream broke meanwhile', async (test) => {
  const draft = await openTestDraft([row()], {}, test);
  await draft.look();
  const proxy = await tcpProxy(Number(new URL(draft.pages.url).port), test);
  const { page } = await openPage(test);
  await page.goto(`http://127.0.0.1:${proxy.port}/campaigns/new/${draft.id}`);
  await page.getByLabel('Wer is').selectOption('creator');

  const letGo = await holdChecks(draft);
  await page.getByRole('button', { name: 'Use these columns' }).click();
  await page.getByText('is being checked').waitFor();
  await page.locator('#clock[data-state="live"]').waitFor();
  proxy.reset();
  await letGo();
  await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
  expect(await page.getByText('is being checked').count()).toBe(0);
});

it('shows what new files change, once they are checked', async (test) => {
  const draft = await openTestDraft([videoRow('a', { media: 'late.mp4' })], {}, test);
  await draft.look();
  await draft.pages.get(`/campaigns/new/${draft.id}`);
  const letGo = await holdChecks(draft);
  await draft.store('more.mp4');
  const { page } = await openPage(test);
  await page.goto(`${draft.pages.url}/campaigns/new/${draft.id}`);
  await page.getByText('is being checked').waitFor();
  expect(await page.getByText('1 row left').count()).toBe(0);
  await letGo();
  await page.getByText('is being checked').waitFor({ state: 'detached' });
});
