import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeDraft, createDraft, findDraft } from '../../../src/app/drafts/drafts.ts';
import { discardDraft } from '../../../src/app/drafts/expiry.ts';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { removeMedium } from '../../../src/app/drafts/files/media.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { draftFiles, draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { photoRow, videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { writeWorkbook } from '../../support/sheets/workbook.ts';
import { openTestDraft, storeMedia } from './test-draft.ts';

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

describe('an update', () => {
  it('brings new media into the folder of its campaign, and overwrites nothing there', async () => {
    const { drafts, id, look, pages, runtime } = await openTestDraft([videoRow('a')]);
    const { draft } = await look();
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 1 });
    const of = { campaign, by: 'ann' };
    const sheet = sheetText([videoRow('a'), videoRow('d')]);
    const path = join(temporaryFolder(), 'more.csv');
    writeFileSync(path, sheet);
    const update = await draftUpdate(runtime, drafts, of, { name: 'more.csv', path });
    const lookAtIt = () => drafts.look(update, { waitMs: 2 ** 31 - 1 });
    expect((await lookAtIt()).checked?.groups).toMatchObject([{ code: 'media_missing', count: 1 }]);
    expect((await pages.get(`/campaigns/new/${update}`)).text).toContain('drop new files here');

    const folder = draftMediaFolder(runtime, update);
    await storeMedia(runtime, update, folder, ['d.mp4']);
    expect((await lookAtIt()).checked).toMatchObject({ accepted: 1, refused: 0 });
    const page = await pages.get(`/campaigns/new/${update}`);
    expect(page.text).toContain('1 new media file');
    // The new file is shown before it is in the folder of the campaign.
    const row = await pages.get(`/campaigns/new/${update}/rows/2`);
    expect(row.html).toMatch(new RegExp(`<video [^>]*"/media/drafts/${update}/2/0`));
    const medium = await fetch(`${pages.url}/media/drafts/${update}/2/0`);
    expect(Buffer.from(await medium.arrayBuffer())).toEqual(readFileSync(`${folder}/d.mp4`));
    // Somebody has put another file there.
    const there = `${campaign.mediaRoot}/d.mp4`;
    writeFileSync(there, 'another');
    const press = async () => {
      const { version } = (await lookAtIt()).draft;
      return drafts.start(update, { by: 'ann', version, rows: 1 });
    };
    await expect(press()).rejects.toThrow('the campaign has other files with these names: d.mp4');
    expect(readFileSync(there, 'utf8')).toBe('another');
    expect((await runtime.ledger.campaigns.find(campaign.id))?.rows).toBe(1);

    copyFileSync(`${folder}/d.mp4`, there);
    expect((await press()).campaign.rows).toBe(2);
    expect([...(await readFiles(runtime, id)).stored.keys()].sort()).toEqual(['a.mp4', 'd.mp4']);
    await expect(findDraft(runtime, update)).rejects.toThrow('no longer exists');
  });

  it('offers no button where a key may be another row’s', async () => {
    const { drafts, id, look, pages, runtime } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { draft } = await look();
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });
    const path = join(temporaryFolder(), 'copied.csv');
    const update = async (sheet: Parameters<typeof sheetText>[0]) => {
      writeFileSync(path, sheetText(sheet));
      const of = { campaign, by: 'ann' };
      const copied = await draftUpdate(runtime, drafts, of, { name: 'copied.csv', path });
      await drafts.look(copied, { waitMs: 2 ** 31 - 1 });
      return (await pages.get(`/campaigns/new/${copied}`)).text;
    };
    const copy = videoRow('a', { caption: 'Another' });
    const changed = videoRow('b', { caption: 'New' });
    expect(await update([videoRow('a'), changed, copy])).toContain('Update 1 row now, and fix the other one');
    const doubtful = await update([copy, changed, videoRow('a')]);
    expect(doubtful).toContain('A changed key may be another row’s: fix it first, or skip its row.');
    expect(doubtful).not.toContain('Update 2 rows');
  });

  it('takes none where the console does not own the folder of the media', async () => {
    const { drafts, runner, runtime, pages } = await openTestDraft([videoRow('x')]);
    const campaign = await runtime.ledger.campaigns.find(await runner.importRows([videoRow('a')]));
    if (campaign === undefined) throw new TypeError('it was imported');
    const path = join(runner.folder, 'more.csv');
    writeFileSync(path, sheetText([videoRow('a'), videoRow('d')]));
    const update = await draftUpdate(runtime, drafts, { campaign, by: 'ann' }, { name: 'more.csv', path });
    await storeMedia(runtime, update, draftMediaFolder(runtime, update), ['d.mp4']);
    const { checked } = await drafts.look(update, { waitMs: 2 ** 31 - 1 });
    expect(checked?.groups).toMatchObject([{ code: 'media_missing' }]);
    const { text } = await pages.get(`/campaigns/new/${update}`);
    expect(text).toContain(
      'the console does not write to their folder: ask an operator to put new files there',
    );
    expect(text).not.toContain('Add files');
  });
});
