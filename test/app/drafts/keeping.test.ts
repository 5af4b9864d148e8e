import { existsSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { deleteCampaign } from '../../../src/app/campaigns/steer.ts';
import { findCheck } from '../../../src/app/drafts/check/draft-check.ts';
import type { DraftSheet } from '../../../src/app/drafts/download.ts';
import { draftSchema } from '../../../src/app/drafts/draft.ts';
import {
  changeDraft,
  changeFiles,
  createDraft,
  findDraft,
  listDrafts,
} from '../../../src/app/drafts/drafts.ts';
import { discardDraft, sweepDrafts } from '../../../src/app/drafts/expiry.ts';
import { draftFiles, draftFolder } from '../../../src/app/drafts/folder.ts';
import { DraftDatabase } from '../../../src/app/drafts/store/database.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' }), videoRow('c')];
const day = 24 * 3600 * 1000;

describe('a sweep', () => {
  it('removes a draft that was not used for 7 days', async () => {
    const clock = { ahead: 0 };
    const { runtime, id, look } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    await look();
    clock.ahead = 6.9 * day;
    expect(await sweepDrafts(runtime)).toEqual([]);
    clock.ahead = 7.1 * day;
    expect(await sweepDrafts(runtime)).toEqual([id]);
    await expect(findDraft(runtime, id)).rejects.toMatchObject({ code: 'draft_not_found' });
  });

  it('waits for a check that is about to change the draft', async () => {
    const clock = { ahead: 0 };
    const { runtime, id } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    clock.ahead = 8 * day;
    const remove = async (of: string, removal: () => Promise<void>) => {
      await changeFiles(runtime, of, 'ann', async () => undefined);
      await removal();
    };
    expect(await sweepDrafts(runtime, { remove })).toEqual([id]);
  });

  it('leaves one that was changed while it waited', async () => {
    const clock = { ahead: 0 };
    const { runtime, id } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    clock.ahead = 8 * day;
    const change = { by: 'ann', version: undefined, what: 'looked' };
    const remove = async (of: string, removal: () => Promise<void>) => {
      await changeDraft(runtime, of, change, () => ({}));
      await removal();
    };
    expect(await sweepDrafts(runtime, { remove })).toEqual([]);
    expect(await findDraft(runtime, id)).toMatchObject({ changed: 'looked' });
  });

  it('leaves one whose campaign needs its media, and removes it with the campaign', async () => {
    const clock = { ahead: 0 };
    const { runner, runtime, drafts, id, look } = await openTestDraft([videoRow('a')], {
      now: () => Date.now() + clock.ahead,
    });
    const { version } = (await look()).draft;
    const { campaign } = await drafts.start(id, { by: 'ann', version, rows: 1 });
    await runner.start();
    await runner.ended(campaign.id);
    clock.ahead = 8 * day;
    expect(await sweepDrafts(runtime)).toEqual([]);
    await deleteCampaign(runtime, campaign.id, { force: false });
    expect(await sweepDrafts(runtime)).toEqual([id]);
  });

  it('keeps a draft whose campaign is in another ledger', async () => {
    const clock = { ahead: 0 };
    const { runtime, id, look } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    const { draft } = await look();
    const started = (ledger: string) =>
      writeFileSync(draftFiles(runtime, id).draft, JSON.stringify({ ...draft, campaign: 'c99', ledger }));
    clock.ahead = 8 * day;
    started('other');
    expect(await sweepDrafts(runtime)).toEqual([]);
    started(await runtime.ledger.format.id());
    expect(await sweepDrafts(runtime)).toEqual([id]);
  });
});

it('a draft that was started is read once for the lists', async () => {
  const { runtime, drafts, id, look } = await openTestDraft([videoRow('a')]);
  const { version } = (await look()).draft;
  await drafts.start(id, { by: 'ann', version, rows: 1 });
  const before = await listDrafts(runtime);
  const read = vi.spyOn(draftSchema, 'safeParse');
  expect(await listDrafts(runtime)).toEqual(before);
  expect(read).not.toHaveBeenCalled();
  rmSync(draftFolder(runtime, id), { recursive: true });
  expect(await listDrafts(runtime)).toEqual({ drafts: [], unreadable: [] });
});

describe('a draft whose record cannot be read', () => {
  const opened = async () => {
    const clock = { ahead: 0 };
    const open = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    writeFileSync(draftFiles(open.runtime, open.id).draft, '{"torn');
    return { ...open, clock };
  };

  it('stands in the list', async () => {
    const { runtime, pages, id } = await opened();
    expect(await listDrafts(runtime)).toMatchObject({ drafts: [], unreadable: [{ id }] });
    const { text } = await pages.get('/campaigns');
    expect(text).toContain(`A draft that cannot be read`);
    expect(text).toContain(join('drafts', id, 'sheet'));
  });

  it('is removed with its files after 7 days without a change', async () => {
    const { runtime, id, clock } = await opened();
    clock.ahead = 6.9 * day;
    expect(await sweepDrafts(runtime)).toEqual([]);
    clock.ahead = 7.1 * day;
    expect(await sweepDrafts(runtime)).toEqual([id]);
    expect(existsSync(draftFolder(runtime, id))).toBe(false);
  });

  it('stays as long as a campaign needs its media', async () => {
    const clock = { ahead: 0 };
    const open = await openTestDraft([videoRow('a')], { now: () => Date.now() + clock.ahead });
    const { version } = (await open.look()).draft;
    await open.drafts.start(open.id, { by: 'ann', version, rows: 1 });
    writeFileSync(draftFiles(open.runtime, open.id).draft, '{"torn');
    clock.ahead = 8 * day;
    expect(await sweepDrafts(open.runtime)).toEqual([]);
  });

  it('goes also if a crash left its folder without one', async () => {
    const { runtime, id, clock } = await opened();
    unlinkSync(draftFiles(runtime, id).draft);
    expect(await listDrafts(runtime)).toEqual({ drafts: [], unreadable: [] });
    clock.ahead = 7.1 * day;
    expect(await sweepDrafts(runtime)).toEqual([id]);
  });
});

describe('drafts', () => {
  it('are limited in number, also when created concurrently, not counting started ones', async () => {
    const { runtime, drafts, id, look } = await openTestDraft([videoRow('a')], {
      settings: { drafts: { most: 2 } },
    });
    const made = await Promise.allSettled([createDraft(runtime, 'ben'), createDraft(runtime, 'ben')]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'drafts_full',
        fix: expect.arrayContaining([hint('setting', { name: 'drafts.most' })]),
      },
    });
    const { version } = (await look()).draft;
    await drafts.start(id, { by: 'ann', version, rows: 1 });
    await createDraft(runtime, 'ben');
    await expect(createDraft(runtime, 'ben')).rejects.toMatchObject({ code: 'drafts_full' });
  });
});

it('a check ends with the process, not with its sheet', async () => {
  const draft = await openTestDraft([]);
  const { runtime, drafts, id } = draft;
  await draft.drop(`creator,caption\n${'demo_anna,a\n'.repeat(200_000)}`);
  expect((await drafts.look(id, { waitMs: 0 })).state).toBe('checking');
  await drafts.close();
  using database = await DraftDatabase.open(draftFiles(runtime, id).database);
  expect(findCheck(database)).toBeUndefined();
});

it('a draft that was looked at is discarded without a trace', async () => {
  const { runtime, id, edit } = await openTestDraft(rows);
  await edit({ leaveOut: [2] });
  await discardDraft(runtime, id);
  expect(existsSync(draftFolder(runtime, id))).toBe(false);
});

describe('a download', () => {
  it('as it was is the planner’s file, byte by byte', async () => {
    const open = await openTestDraft(rows);
    await open.edit({ cells: [{ row: 2, position: 1, text: 'demo_ben' }] });
    const { fileName, bytes } = await download(open, 'original');
    expect(fileName).toBe('Spring.csv');
    expect(bytes).toEqual(readFileSync(draftFiles(open.runtime, open.id).sheet));
  });

  it('edited has the new texts, without the rows that are left out', async () => {
    const open = await openTestDraft(rows);
    await open.edit({ cells: [{ row: 2, position: 1, text: 'demo_ben' }], leaveOut: [3] });
    const { fileName, bytes } = await download(open, 'edited');
    expect(fileName).toMatch(/^Spring, corrected, \d{1,2} [A-Z][a-z]{2,3}\.csv$/);
    const lines = bytes.toString().trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^b,demo_ben,/);
  });

  it('with problems has the rows that are not posted, and why', async () => {
    const open = await openTestDraft(rows);
    await open.edit({ leaveOut: [3] });
    const { bytes } = await download(open, 'problems');
    const [header, ...lines] = bytes.toString().trim().split('\r\n');
    expect(header).toMatch(/,line,column,problem,fix$/);
    expect(lines).toEqual([
      expect.stringContaining(',3,creator,the service has no account with this name or id'),
      expect.stringContaining(',4,,this row was skipped,'),
    ]);
  });
});

async function download({ drafts, id, look }: TestDraft, which: DraftSheet) {
  await look();
  const { fileName, write } = await drafts.download(id, which);
  const pieces: Buffer[] = [];
  await write(
    new Writable({
      write(piece: Buffer | string, _encoding, done) {
        pieces.push(Buffer.from(piece));
        done();
      },
    }),
  );
  return { fileName, bytes: Buffer.concat(pieces) };
}
