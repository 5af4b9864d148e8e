import { describe, expect, it } from 'vitest';
import {
  CampaignChangedError,
  type CampaignUpdate,
  type OutdatedProgress,
} from '../../../src/ledger/imports/update.ts';
import { progressField } from '../../../src/ledger/rows/row-progress.ts';
import { chunkOf, stepStart, type TestLedger, testLedger } from '../../support/ledger.ts';

const nothing: OutdatedProgress = { files: false, cover: false, references: false, generations: false };
const error = { step: 'post', code: 'http_400', message: 'no', at: 1 } as const;

async function open({ ledger }: TestLedger, id: string) {
  const campaign = await ledger.campaigns.find(id);
  if (!campaign) throw new Error(`no campaign ${id}`);
  const update = ledger.newUpdate(campaign);
  const { header, map } = campaign;
  const extend = () => update.extend({ header, map, creators: new Map() });
  return { campaign, update, extend };
}

async function fail({ ledger }: TestLedger, campaign: string, row: number, revision = 0) {
  const ref = { campaign, row, revision };
  await ledger.steps.start(stepStart(ref, 'job'));
  await ledger.steps.finish({ ...ref, step: 'post', jobId: 'job', end: { verdict: 'failed', error } });
}

function redo(update: CampaignUpdate, row: number, revision = 0, outdated = nothing) {
  return update.updateChunk({
    chunk: 0,
    rows: undefined,
    redone: [{ row, revision, outdated }],
    added: 0,
  });
}

describe('an update into a campaign', () => {
  it('sends failed rows back to waiting in their next revision, and opens the campaign again', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    await test.admit(id, [0, 1]);
    await fail(test, id, 0);
    await fail(test, id, 1);
    const { update, extend } = await open(test, id);
    await extend();
    expect(await redo(update, 1)).toEqual([]);
    const { ledger } = test;
    expect(await ledger.rows.statuses(id, 0, 2)).toEqual([
      { state: 'failed', revision: 0 },
      { state: 'waiting', revision: 1 },
    ]);
    expect(await ledger.campaigns.find(id)).toMatchObject({
      state: 'running',
      counts: { failed: 1, waiting: 1 },
    });
    expect(await ledger.admission.rowsToRedo(id, 10)).toEqual([1]);
  });

  it('changes nothing if a row was taken up in the meantime, and names it', async () => {
    const test = testLedger();
    const id = await test.campaign(3);
    const { update, extend } = await open(test, id);
    await extend();
    await test.admit(id, [1]);
    const moved = await update.updateChunk({
      chunk: 0,
      rows: [0, 1, 2].map((number) => ({ number, cells: ['changed'] })),
      redone: [0, 1].map((row) => ({ row, revision: 0, outdated: nothing })),
      added: 0,
    });
    expect(moved).toEqual([1]);
    const campaign = await test.ledger.campaigns.find(id);
    expect((await test.ledger.store.read(campaign ?? { store: '', sheetVersion: '' }, 0)).cells).toEqual([
      'creator-0',
    ]);
    expect(await test.ledger.rows.statuses(id, 0, 1)).toEqual([{ state: 'waiting', revision: 0 }]);
  });

  it('adds rows after the others, across chunks, and earlier readers of the campaign see them', async () => {
    const test = testLedger();
    const { ledger } = test;
    const id = await test.campaign(499);
    const before = await open(test, id);
    await chunkOf(ledger, before.campaign, 0);
    await before.extend();
    const rows = [...(await chunkOf(ledger, before.campaign, 0)), { number: 500, cells: ['a'] }];
    await before.update.updateChunk({ chunk: 0, rows, redone: [], added: 1 });
    await before.update.updateChunk({
      chunk: 1,
      rows: [{ number: 501, cells: ['b'] }],
      redone: [],
      added: 1,
    });
    const { campaign } = await open(test, id);
    expect(campaign).toMatchObject({ rows: 501, counts: { waiting: 501 } });
    expect((await ledger.store.read(campaign, 499)).cells).toEqual(['a']);
    expect((await ledger.store.read(campaign, 500)).cells).toEqual(['b']);
    expect(await ledger.rows.statuses(id, 499, 9)).toHaveLength(2);
  });

  it('pauses the campaign if its canary rows have ended', async () => {
    const test = testLedger();
    const { ledger } = test;
    const id = await test.campaign(1, { canary: 1 });
    await test.admit(id, [0]);
    await fail(test, id, 0);
    expect(await ledger.campaigns.find(id)).toMatchObject({ state: 'ended' });
    const { campaign, update, extend } = await open(test, id);
    await extend();
    const rows = [...(await chunkOf(ledger, campaign, 0)), { number: 2, cells: ['a'] }];
    await update.updateChunk({ chunk: 0, rows, redone: [], added: 1 });
    expect(await ledger.campaigns.find(id)).toMatchObject({
      state: 'paused',
      pauseReason: { code: 'canary' },
    });
  });

  it('leaves its sheet with the campaign imported from it, unless that is deleted', async () => {
    const test = testLedger();
    const { ledger } = test;
    const first = await test.campaign(1);
    const sha256 = (await ledger.campaigns.find(first))?.sha256 ?? '';
    const other = await test.campaign(1);
    const { update } = await open(test, other);
    await update.finish(sha256);
    expect((await ledger.campaigns.findByManifest(sha256))?.id).toBe(first);
    await test.redis.del(ledger.keys.campaign(first));
    await update.finish(sha256);
    expect((await ledger.campaigns.findByManifest(sha256))?.id).toBe(other);
  });

  it('carries out one of two at the same time, and refuses the other', async () => {
    const test = testLedger();
    const id = await test.campaign(2);
    const one = await open(test, id);
    const other = await open(test, id);
    await one.extend();
    await expect(other.extend()).rejects.toThrow(CampaignChangedError);
    expect(await redo(one.update, 0)).toEqual([]);
    await expect(redo(other.update, 1)).rejects.toThrow(CampaignChangedError);
  });

  it('invalidates the plan of an earlier admission', async () => {
    const test = testLedger();
    const id = await test.campaign(1);
    const planned = await test.ledger.campaigns.find(id);
    const { update, extend } = await open(test, id);
    await extend();
    await redo(update, 0);
    const rows = [{ row: 0, revision: 1, atOnce: true, fields: [] }];
    const plan = { campaign: id, number: planned?.admissions ?? 0, cursor: 1, groups: [], rows };
    expect(await test.ledger.admission.admit(plan)).toBeUndefined();
  });

  it('drops outdated progress, and goes on counting generations', async () => {
    const test = testLedger();
    const { ledger } = test;
    const id = await test.campaign(1);
    await test.admit(id, [0]);
    const ref = { campaign: id, row: 0, revision: 0 };
    const generation = JSON.stringify({ scheduleId: 's', taskIds: [], outputs: 1, since: 1 });
    await ledger.steps.start(stepStart(ref));
    await ledger.steps.finish({
      ...ref,
      step: 'upload',
      jobId: 'job',
      end: {
        verdict: 'ok',
        fields: [
          [progressField.file(0), '7'],
          [progressField.reference(0), 'https://a.example/r'],
          [progressField.generation(1), generation],
          [progressField.assets, '["https://a.example/v"]'],
        ],
      },
    });
    await fail(test, id, 0);
    const { update, extend } = await open(test, id);
    await extend();
    await redo(update, 0, 0, { ...nothing, generations: true });
    expect(await ledger.rows.progress(id, 0)).toMatchObject({
      files: new Map(),
      references: new Map([[0, 'https://a.example/r']]),
      generationEnded: 1,
      assets: [],
    });
  });
});
