import { expect, it, vi } from 'vitest';
import { findNamedRows } from '../../../src/app/campaigns/find.ts';
import { resultLines } from '../../../src/app/campaigns/results/sheet.ts';
import { leftOutOf } from '../../../src/app/campaigns/retry/left-out.ts';
import { describeCounts } from '../../../src/cli/print/campaign.ts';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { RowState } from '../../../src/ledger/states.ts';
import { collect } from '../../support/collect.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

/** A campaign of two rows, of which one has begun. */
async function begun() {
  const { ledger, importRows, admit } = await openRunner();
  const id = await importRows([videoRow('a'), videoRow('b')], { window: 1 });
  await admit(id);
  return { ledger, id };
}

async function find(ledger: Ledger, id: string): Promise<Campaign> {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error('the campaign is missing');
  return campaign;
}

async function statuses(ledger: Ledger, campaign: Campaign, state?: RowState) {
  const [header = [], ...lines] = await collect<readonly string[]>(resultLines(ledger, campaign, { state }));
  return lines.map((line) => line[header.indexOf('status')]);
}

it('a begun row of a running campaign is running', async () => {
  const { ledger, id } = await begun();
  const campaign = await find(ledger, id);
  expect(await statuses(ledger, campaign)).toEqual(['running', 'waiting']);
  expect(describeCounts(campaign)).toBe('1 waiting, 1 running');
});

it('no row of a paused campaign is called running', async () => {
  const { ledger, id } = await begun();
  await ledger.campaigns.pause(id, { code: 'paused', message: 'by hand' });
  const campaign = await find(ledger, id);
  expect(await statuses(ledger, campaign)).toEqual(['waiting', 'waiting']);
  expect(await statuses(ledger, campaign, 'waiting')).toEqual(['waiting', 'waiting']);
  expect(describeCounts(campaign)).toBe('2 waiting');
  const { counts } = campaign;
  expect(await leftOutOf(ledger, campaign, { named: undefined, counts, matched: 0 })).toMatchObject([
    { state: 'waiting', rows: 2, why: 'wait until the campaign is resumed' },
  ]);
});

it('rows with several keys are found in one search', async () => {
  const { ledger, importRows } = await openRunner({ queues: [] });
  const campaign = await find(ledger, await importRows(['a', 'b', 'c'].map((key) => videoRow(key))));
  const search = vi.spyOn(ledger.rowKeys, 'all');
  expect([...(await findNamedRows({ ledger }, campaign, ['c', 'a']))]).toEqual([
    ['c', 2],
    ['a', 0],
  ]);
  expect(search).toHaveBeenCalledTimes(1);
});
