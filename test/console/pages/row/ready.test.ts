/** The page of a row that waits for its day. */
import { expect, it } from 'vitest';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('says until when it waits, and sends it now if a person says so', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a', { scheduled_at: '2036-01-10T10:00Z' })], {
    lead: 2 * 86_400_000,
  });
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.counts.ready === 1, 'a ready row');
  const pages = await openPages(runner);
  const page = await pages.get(`/campaigns/${id}/rows/a?zone=UTC`);
  expect(page.text).toContain('Ready until Tue 8 Jan 2036, 10:00');
  const change = { revision: '0', 'c.lead': 'now' };
  const asked = await pages.post(`/campaigns/${id}/rows/a/edit`, change);
  expect(asked.text).toContain('lead');
  await pages.post(`/campaigns/${id}/rows/a/save`, change);
  await runner.ended(id);
  const [call] = runner.sandbox.calls('createCreatorPost');
  expect(call?.body).toMatchObject({ scheduledAt: Date.parse('2036-01-10T10:00Z') });
});
