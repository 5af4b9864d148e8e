import { expect, it } from 'vitest';
import { causesOf } from '../../../src/app/campaigns/causes.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { asIf, testLedger } from '../../support/ledger.ts';

const usualCode = (row: number): string => (row % 4 === 0 ? 'http_404' : 'http_400');

/** A campaign whose rows have all failed, three of four of them with 400 and the others with 404 unless given. */
async function failedCampaign(rows: number, codeOf = usualCode) {
  const test = testLedger();
  const { ledger, redis } = test;
  const id = await test.campaign(rows, { isWhole: true });
  const all = Array.from({ length: rows }, (_, row) => ({ code: codeOf(row), at: (rows - row) * 1000 }));
  await asIf(test).ended(
    id,
    all.map((error, row) => ({ row, state: 'failed', error })),
  );
  await redis.hset(ledger.keys.campaign(id), 'state', 'ended');
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('the campaign is missing');
  return { ledger, campaign };
}

it('rows are counted one by one where there are few, since the first of them', async () => {
  const { ledger, campaign } = await failedCampaign(400);
  expect(await causesOf(ledger, campaign)).toMatchObject([
    { code: 'http_400', rows: 300, isEstimate: false, since: '1970-01-01T00:00:01.000Z' },
    { code: 'http_404', rows: 100, isEstimate: false, since: '1970-01-01T00:00:04.000Z' },
  ]);
});

it('of very many rows only some are read, and the rest is estimated from all parts of the sheet', async () => {
  const { ledger, campaign } = await failedCampaign(24_000);
  const rows = await ledger.rows.someInState(campaign.id, 'failed', 24_000, 10_000);
  expect(rows).toHaveLength(10_000);
  expect(rows.at(-1)).toBeGreaterThan(23_000);
  expect(await causesOf(ledger, campaign)).toMatchObject([
    { code: 'http_400', rows: 18_000, isEstimate: true },
    { code: 'http_404', rows: 6000, isEstimate: true },
  ]);
});

it('codes that a service invents for each row are summed up beyond a hundred', async () => {
  const { ledger, campaign } = await failedCampaign(1500, (row) => String(20_000 + Math.max(0, row - 99)));
  const causes = await causesOf(ledger, campaign);
  expect(causes).toHaveLength(101);
  expect(causes[0]).toMatchObject({ code: '20000', rows: 100 });
  expect(causes.at(-1)).toMatchObject({
    state: 'failed',
    code: 'other',
    rows: 1301,
    repair: 'edit',
    message: '1301 further codes; a results sheet has the code of each row',
    commands: [hint('writeSheet', { campaign: campaign.id, only: 'failed' })],
  });
  const codes = await ledger.rows.errorCodes(campaign.id);
  expect(Object.keys(codes)).toHaveLength(1001);
  expect(Object.values(codes).reduce((sum, rows) => sum + rows)).toBe(1500);
});
