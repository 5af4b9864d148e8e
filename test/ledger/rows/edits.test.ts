import { describe, expect, it } from 'vitest';
import type { Campaign } from '../../../src/ledger/campaigns/campaign.ts';
import type { EditedRow } from '../../../src/ledger/imports/update.ts';
import { stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const outdated = { files: true, cover: false, references: false, generations: false };

async function find({ ledger }: TestLedger, id: string): Promise<Campaign> {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error(`no campaign ${id}`);
  return campaign;
}

async function fail({ ledger }: TestLedger, campaign: string, row: number) {
  const ref = { campaign, row, revision: 0 };
  const error = { step: 'post', code: 'http_400', message: 'no', at: 1 } as const;
  await ledger.steps.start(stepStart(ref, 'job'));
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end: { verdict: 'failed', error } });
}

function edited({ header, map }: Campaign, row: number, more: Partial<EditedRow> = {}): EditedRow {
  const rows = [0, 1].map((number) => ({ number: number + 1, cells: [`new-${number}`] }));
  const account = { id: 7, creatorId: '7', username: 'zoe', oauthRegion: undefined };
  return {
    row,
    revision: 0,
    outdated,
    chunk: 0,
    rows,
    what: 'ops-1: creator',
    header,
    map,
    creator: ['zoe', account],
    ...more,
  };
}

/** Two rows: the first has failed, the second waits. */
async function twoRows() {
  const test = testLedger();
  const id = await test.campaign(2);
  await test.admit(id, [0]);
  await fail(test, id, 0);
  return { test, id, campaign: await find(test, id) };
}

describe('an edit of a row', () => {
  it('changes its cells, its progress, its creator and its history, and sends it back to waiting', async () => {
    const { test, id, campaign } = await twoRows();
    const { ledger } = test;
    expect(await ledger.edits.edit(campaign, edited(campaign, 0))).toBeUndefined();
    const after = await find(test, id);
    expect(after).toMatchObject({ state: 'running', counts: { waiting: 2, failed: 0 } });
    expect(after.sheetVersion).not.toBe(campaign.sheetVersion);
    expect((await ledger.store.read(after, 0)).cells).toEqual(['new-0']);
    expect(await ledger.rows.statuses(id, 0, 2)).toEqual([
      { state: 'waiting', revision: 1 },
      { state: 'waiting', revision: 0 },
    ]);
    expect((await ledger.campaigns.creators(id)).get('zoe')).toMatchObject({ creatorId: '7' });
    expect((await ledger.histories.read(id, 0)).at(-1)).toMatchObject({
      outcome: 'changed',
      message: 'ops-1: creator',
    });
  });

  it.each([
    ['another revision', 0, { revision: 1 }, 'moved'],
    ['another version of the sheet', 0, {}, 'changed'],
    ['an import that runs', 1, {}, 'importing'],
    ['a campaign that was cancelled', 1, {}, 'changed'],
  ] as const)('changes nothing because of %s', async (what, row, more, why) => {
    const { test, id, campaign } = await twoRows();
    const { ledger } = test;
    const seen = what.includes('version') ? { ...campaign, sheetVersion: 'other 0' } : campaign;
    await using _import = what.includes('import') ? await ledger.edits.announceImport(id) : undefined;
    if (what.includes('cancelled')) await ledger.cancellation.begin(id);
    const before = await ledger.rows.statuses(id, 0, 2);
    expect(await ledger.edits.edit(seen, edited(campaign, row, more))).toBe(why);
    expect((await ledger.store.read(campaign, row)).cells).toEqual([`creator-${row}`]);
    expect(await ledger.rows.statuses(id, 0, 2)).toEqual(before);
    expect(await test.redis.keys(`${test.prefix}:rows:*`)).toHaveLength(1);
  });

  it('leaves a row alone that runs, or was posted', async () => {
    const { test, campaign, id } = await twoRows();
    await test.admit(id, [1]);
    expect(await test.ledger.edits.edit(campaign, edited(campaign, 1))).toBe('moved');
  });
});
