import { expect, test } from 'vitest';
import { progressLines } from '../../src/cli/progress.ts';
import type { Campaign } from '../../src/ledger/campaigns.ts';
import { testLedger } from '../support/ledger.ts';

const plain = { paint: (_style: unknown, text: string) => text };
const none = { waiting: 0, active: 0, delayed: 0 };
const loads = {
  showcase: none,
  generate: none,
  poll: { ...none, delayed: 4 },
  upload: none,
  post: { waiting: 12, active: 3, delayed: 0 },
};

/** A real campaign of 60 rows, of which so many are said to have ended. */
async function campaignWith(counts: Partial<Campaign['counts']>): Promise<Campaign> {
  const { ledger, campaign } = testLedger();
  const found = await ledger.campaigns.find(await campaign(60));
  if (!found) throw new Error('the campaign is missing');
  return { ...found, counts: { ...found.counts, ...counts } };
}

test('a wide terminal shows the bar, the counts, the rate and the time that is left', async () => {
  const campaign = await campaignWith({ posted: 26, failed: 4 });
  const [head] = progressLines(plain, { campaign, loads, perSecond: 5, width: 120 });
  expect(head).toBe(
    `${campaign.id} ${'█'.repeat(15)}${'░'.repeat(15)} 30/60  26 posted  4 failed  5.0/s, about 6 s left`,
  );
});

test.each([20, 40, 60, 80])('no line is wider than a terminal of %i columns', async (width) => {
  const campaign = await campaignWith({ posted: 26, failed: 4, review: 1, cancelled: 2 });
  const lines = progressLines(plain, { campaign, loads, perSecond: 5, width });
  expect(lines.filter((line) => line.length >= width)).toEqual([]);
});

test('each step has its counts under their titles, and a dot where there is nothing', async () => {
  const campaign = await campaignWith({});
  const lines = progressLines(plain, { campaign, loads, perSecond: 0, width: 80 });
  expect(lines[1]?.trim().split(/\s+/)).toEqual(['done', 'active', 'waiting', 'later']);
  expect(lines.at(-1)?.trim().split(/\s+/)).toEqual(['post', '·', '3', '12', '·']);
  expect(lines[4]?.trim().split(/\s+/)).toEqual(['poll', '·', '·', '·', '4']);
});
