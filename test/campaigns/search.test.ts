import { expect, it } from 'vitest';
import { searchCampaigns } from '../../src/campaigns/search.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('looks at a bounded number of rows for a key, and goes on where it stopped', async () => {
  const runner = await openRunner();
  const first = await runner.importRows([videoRow('a')]);
  const second = await runner.importRows([videoRow('b')]);
  const campaigns = await runner.ledger.campaigns.list();
  const step = await searchCampaigns(runner, campaigns, 'a', { rowsAtOnce: 1 });
  expect(step).toMatchObject({ rows: [], next: { campaign: first, chunk: 0 } });
  const on = await searchCampaigns(runner, campaigns, 'a', { rowsAtOnce: 1, from: step.next });
  expect(on).toMatchObject({ rows: [{ key: 'a', campaign: { id: first } }], next: undefined });
  expect(second).not.toBe(first);
});

it('begins nowhere when the campaign where it stopped is gone', async () => {
  const runner = await openRunner();
  await runner.importRows([videoRow('a')]);
  const campaigns = await runner.ledger.campaigns.list();
  const from = { campaign: 'c99', chunk: 0 };
  expect(await searchCampaigns(runner, campaigns, 'a', { from })).toMatchObject({
    rows: [],
    next: undefined,
  });
});
