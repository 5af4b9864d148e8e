import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeDraft, createDraft, findDraft } from '../../../src/app/drafts/drafts.ts';
import { discardDraft } from '../../../src/app/drafts/expiry.ts';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { removeMedium } from '../../../src/app/drafts/files/media.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { draftFiles, draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';
import { writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft } from './test-draft.ts';

const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' }), videoRow('c')];
const toBen = { cells: [{ row: 2, position: 1, text: 'demo_ben' }] };

describe('a start', () => {
  it('imports the edited rows, and sends them', async () => {
    const { drafts, id, edit, runner, runtime } = await openTestDraft(rows);
    const { draft, checked } = await edit(toBen);
    const before = readFileSync(draftFiles(runtime, id).sheet, 'utf8');
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 3 });
    expect(campaign).toMatchObject({ name: 'Spring', rows: 3, sha256: checked?.sha256 });
    await runner.start();
    await runner.ended(campaign.id);
    expect((await runner.rows(campaign.id)).map(({ state }) => state)).toEqual([
      'posted',
      'posted',
      'posted',
    ]);
    expect(readFileSync(draftFiles(runtime, id).sheet, 'utf8')).toBe(before);
  });

  it('takes the sheet of a workbook that was chosen, and knows it again', async () => {
    const { drafts, id, drop, look } = await openTestDraft(rows);
    const { media = '', ...row } = videoRow('a');
    const text = (cell: string) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
    const line = (cells: readonly string[]) => `<row>${cells.map(text).join('')}</row>`;
    const posts = line([...Object.keys(row), 'media']) + line([...Object.values(row), media]);
    const sheets = [
      { name: 'Notes', rows: line(['Read me first']) },
      { name: 'Posts', rows: posts },
    ];
    await drop(readFileSync(await writeWorkbook({ sheets })), 'Spring.xlsx');
    const { draft } = await look();
    const by = 'ann';
    await drafts.read(id, { by, version: draft.version }, { sheet: 'Posts' });
    const { draft: read, checked, failure } = await look();
    expect(failure).toBeUndefined();
    expect(checked).toMatchObject({ accepted: 1, refused: 0 });
    const { campaign } = await drafts.start(id, { by, version: read.version, rows: 1 });
    expect(campaign.rows).toBe(1);
    await look();
    expect(await drafts.earlier(id)).toMatchObject({ kind: 'campaign', campaign: { id: campaign.id } });
  });

  it('without a row that was left out sends the others', async () => {
    const { drafts, id, edit } = await openTestDraft(rows);
    const { draft } = await edit({ leaveOut: [2] });
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });
    expect(campaign).toMatchObject({ rows: 2, leftOut: 1 });
  });

  it('of another number of rows than was shown imports nothing', async () => {
    const { drafts, id, edit, runner } = await openTestDraft(rows);
    const { draft } = await edit(toBen);
    await expect(drafts.start(id, { by: 'ann', version: draft.version, rows: 2 })).rejects.toMatchObject({
      code: 'plan_changed',
      message: '3 rows can be posted now, not 2',
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('with problems that were not agreed to be left out imports nothing', async () => {
    const { drafts, id, look, runner } = await openTestDraft(rows);
    const { version } = (await look()).draft;
    const start = drafts.start(id, { by: 'ann', version, rows: 2 });
    await expect(start).rejects.toMatchObject({ code: 'plan_changed' });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('after somebody else changed the draft imports nothing', async () => {
    const { drafts, id, look, edit, runner } = await openTestDraft(rows);
    const { version } = (await look()).draft;
    await edit(toBen);
    await expect(drafts.start(id, { by: 'bob', version, rows: 3 })).rejects.toMatchObject({
      code: 'draft_changed',
      message: 'the draft has since been changed by ann: edited cells',
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('pressed twice makes one campaign', async () => {
    const { drafts, id, edit, runner } = await openTestDraft(rows);
    const { version } = (await edit(toBen)).draft;
    const agreed = { by: 'ann', version, rows: 3 };
    const started = await Promise.all([drafts.start(id, agreed), drafts.start(id, agreed)]);
    expect(started.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(await runner.ledger.campaigns.list()).toHaveLength(1);
  });

  it('of all rows left out is refused', async () => {
    const { drafts, id, edit, runner } = await openTestDraft(rows);
    const { version } = (await edit({ leaveOut: [1, 2, 3] })).draft;
    const start = drafts.start(id, { by: 'ann', version, rows: 0 });
    await expect(start).rejects.toMatchObject({
      code: 'plan_changed',
      message: expect.stringContaining('all rows of the sheet are skipped'),
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('that was cut off after the import goes on with its campaign, and keeps the media until then', async () => {
    const { drafts, id, edit, runner, runtime } = await openTestDraft(rows);
    const { draft } = await edit(toBen);
    const agreed = { by: 'ann', version: draft.version, rows: 3 };
    const { campaign } = await drafts.start(id, agreed);
    // As a process leaves it that ends between the import and the record of the draft.
    writeFileSync(draftFiles(runtime, id).draft, JSON.stringify({ ...draft, starting: true }));
    await expect(discardDraft(runtime, id)).rejects.toMatchObject({ code: 'draft_refused' });
    await expect(removeMedium(runtime, id, 'a.mp4', 'bob')).rejects.toMatchObject({ code: 'draft_refused' });
    const given = { path: 'a.mp4', bytes: 9, modifiedAt: 1 };
    await expect(admitFile(runtime, id, given, 'bob')).rejects.toMatchObject({ code: 'draft_refused' });
    expect(await drafts.start(id, agreed)).toMatchObject({ campaign: { id: campaign.id }, isNew: false });
    expect(await runner.ledger.campaigns.list()).toHaveLength(1);
    expect(await findDraft(runtime, id)).toMatchObject({ campaign: campaign.id });
    expect((await findDraft(runtime, id)).starting).toBeUndefined();
    const { version } = await findDraft(runtime, id);
    await expect(drafts.choose(id, { by: 'bob', version }, { canary: 1 })).rejects.toMatchObject({
      code: 'draft_changed',
      message: `the draft has become campaign ${campaign.id}`,
    });
  });

  it('that imported nothing leaves a draft that can be discarded', async () => {
    const { drafts, id, look, runtime } = await openTestDraft(rows);
    const { version } = (await look()).draft;
    await expect(drafts.start(id, { by: 'ann', version, rows: 2 })).rejects.toMatchObject({
      code: 'plan_changed',
    });
    await discardDraft(runtime, id);
    await expect(findDraft(runtime, id)).rejects.toMatchObject({ code: 'draft_not_found' });
  });

  it('of a sheet that runs as a campaign already does not take that for its own', async () => {
    const { drafts, id, edit, runtime } = await openTestDraft(rows);
    const { draft } = await edit(toBen);
    const agreed = { by: 'ann', version: draft.version, rows: 3 };
    const { campaign } = await drafts.start(id, agreed);
    writeFileSync(draftFiles(runtime, id).draft, JSON.stringify(draft));
    await expect(drafts.start(id, agreed)).rejects.toMatchObject({
      code: 'manifest_known',
      message: `the sheet was started before, as campaign ${campaign.id}`,
    });
  });

  it('begun together with one of the same sheet leaves that its campaign, and can be discarded', async () => {
    const { drafts, id, runtime, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { version } = (await look()).draft;
    const [theirs, ours] = [await copyOf(runtime, id), { by: 'ann', version, rows: 2 }];
    const outcomes = await Promise.allSettled([
      drafts.start(id, ours),
      drafts.start(theirs.id, theirs.agreed),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = outcomes[0].status === 'rejected' ? { id, agreed: ours } : theirs;
    await expect(drafts.start(lost.id, lost.agreed)).rejects.toMatchObject({ code: 'manifest_known' });
    await discardDraft(runtime, lost.id);
  });

  it('cut off before the import does not take the campaign of another draft for its own', async () => {
    const { drafts, id, runtime, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { draft } = await look();
    const theirs = await copyOf(runtime, id);
    const { campaign } = await drafts.start(theirs.id, theirs.agreed);
    writeFileSync(draftFiles(runtime, id).draft, JSON.stringify({ ...draft, starting: true }));
    await expect(drafts.start(id, { by: 'ann', version: draft.version, rows: 2 })).rejects.toMatchObject({
      code: 'manifest_known',
      message: `the sheet was started before, as campaign ${campaign.id}`,
    });
    expect((await findDraft(runtime, id)).starting).toBeUndefined();
  });

  it('cut off before the import makes its campaign when it is pressed again', async () => {
    const { drafts, id, runtime, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { draft } = await look();
    writeFileSync(draftFiles(runtime, id).draft, JSON.stringify({ ...draft, starting: true }));
    const started = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });
    expect(started).toMatchObject({ isNew: true, campaign: { rows: 2 } });
  });

  it('keeps the mark, and so the media, while a campaign needs them that nobody remembers the start of', async () => {
    const { drafts, id, runtime, runner, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { draft } = await look();
    const agreed = { by: 'ann', version: draft.version, rows: 2 };
    await drafts.start(id, agreed);
    const { redis, ledger } = runner;
    await redis.del(...(await redis.keys(ledger.keys.origin('*'))));
    writeFileSync(draftFiles(runtime, id).draft, JSON.stringify({ ...draft, starting: true }));
    await expect(drafts.start(id, agreed)).rejects.toMatchObject({ code: 'manifest_known' });
    await expect(discardDraft(runtime, id)).rejects.toMatchObject({ code: 'draft_refused' });
  });

  it('after a medium was removed imports nothing', async () => {
    const { drafts, id, edit, runner, runtime } = await openTestDraft([videoRow('a'), photoRow('b', 2)]);
    const { version } = (await edit({ leaveOut: [2] })).draft;
    const [path = ''] = (await readFiles(runtime, id)).stored.keys();
    await removeMedium(runtime, id, path, 'bob');
    await expect(drafts.start(id, { by: 'ann', version, rows: 1 })).rejects.toMatchObject({
      code: 'draft_changed',
      message: `the draft has since been changed by bob: the file ${path}`,
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });
});

/** Another draft of the same sheet and media. */
async function copyOf(runtime: Runtime, id: string) {
  const { sheet } = await findDraft(runtime, id);
  const copy = await createDraft(runtime, 'ben');
  copyFileSync(draftFiles(runtime, id).sheet, draftFiles(runtime, copy.id).sheet);
  cpSync(draftMediaFolder(runtime, id), draftMediaFolder(runtime, copy.id), { recursive: true });
  copyFileSync(draftFiles(runtime, id).media, draftFiles(runtime, copy.id).media);
  const change = { by: 'ben', version: copy.version, what: 'the sheet' };
  const { version } = await changeDraft(runtime, copy.id, change, () => ({ sheet }));
  return { id: copy.id, agreed: { by: 'ben', version, rows: 2 } };
}
