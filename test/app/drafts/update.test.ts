import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CellEdit } from '../../../src/app/campaigns/import/edit.ts';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { draftUpdate } from '../../../src/app/drafts/files/sheet-home.ts';
import { draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import { checkedPage } from '../../support/console/draft-page.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft, storeMedia } from './test-draft.ts';

describe('an update', () => {
  describe('with a new version of a file, dropped without its folder,', () => {
    const openUpdate = async () => {
      const testDraft = await openTestDraft([videoRow('a', { media: 'Clips/a.mp4' })]);
      const { drafts, id, look, runtime } = testDraft;
      const { draft } = await look();
      const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 1 });
      const path = join(temporaryFolder(), 'more.csv');
      const rows = [videoRow('a', { media: 'Clips/a.mp4' }), videoRow('d', { media: 'd.mp4' })];
      writeFileSync(path, sheetText(rows));
      const of = { campaign, by: 'ann' };
      const update = await draftUpdate(runtime, drafts, of, { name: 'more.csv', path });
      await storeMedia(runtime, update, draftMediaFolder(runtime, update), ['A.mp4', 'd.mp4']);
      const lookAtIt = () => drafts.look(update, { waitMs: 2 ** 31 - 1 });
      const start = async (posts: number) => {
        const { version } = (await lookAtIt()).draft;
        return drafts.start(update, { by: 'ann', version, rows: posts });
      };
      const edit = async (cells: readonly CellEdit[]) => {
        const { version } = (await lookAtIt()).draft;
        await drafts.edit(update, { by: 'ann', version }, { cells: [...cells] }, 'edited cells');
        await drafts.checkAgain(update);
        return lookAtIt();
      };
      const page = () => checkedPage(testDraft, update);
      return { drafts, update, page, pages: testDraft.pages, runtime, campaign, lookAtIt, start, edit };
    };
    const mediaAt = Object.keys(videoRow('a')).indexOf('media');

    it('refuses it while no row uses it', async () => {
      const { start } = await openUpdate();
      await expect(start(1)).rejects.toThrow('the campaign has other files with these names: A.mp4');
    });

    it('asks no question that cannot be answered while no row uses it', async () => {
      const { update, pages, page } = await openUpdate();
      await page();
      const { text } = await pages.get(`/campaigns/new/${update}/start`);
      expect(text).toContain('A new file is not used: 1 row still has its earlier version.');
      expect(text).not.toContain('Back Update 1 row');
    });

    it('offers it for the row that has the last version', async () => {
      const { drafts, update, page, lookAtIt, edit, start, campaign } = await openUpdate();
      const { checked } = await lookAtIt();
      const group = checked?.warnings.find(({ code }) => code === 'file_replaced');
      const [offered] = await drafts.suggestions(update, group?.id ?? '');
      expect(offered).toMatchObject({
        label: 'Use A.mp4 in 1 row',
        edits: [{ row: 1, position: mediaAt, text: 'A.mp4' }],
      });
      expect((await page()).text).toContain('Use A.mp4 in 1 row');
      const after = await edit(offered?.edits ?? []);
      expect(after.checked?.warnings.map(({ code }) => code)).not.toContain('file_replaced');
      await start(2);
      expect(readFileSync(join(campaign.mediaRoot, 'A.mp4'))).toBeTruthy();
    });

    it('takes it for another row that names it', async () => {
      const { edit, start } = await openUpdate();
      const { checked } = await edit([{ row: 2, position: mediaAt, text: 'A.mp4' }]);
      expect(checked?.warnings.map(({ code }) => code)).not.toContain('file_replaced');
      expect((await start(1)).campaign.rows).toBe(2);
    });
  });

  it('brings new media into the folder of its campaign, and overwrites nothing there', async () => {
    const testDraft = await openTestDraft([videoRow('a')]);
    const { drafts, id, look, pages, runtime } = testDraft;
    const { draft } = await look();
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 1 });
    const of = { campaign, by: 'ann' };
    const sheet = sheetText([videoRow('a'), videoRow('d')]);
    const path = join(temporaryFolder(), 'more.csv');
    writeFileSync(path, sheet);
    const update = await draftUpdate(runtime, drafts, of, { name: 'more.csv', path });
    const lookAtIt = () => drafts.look(update, { waitMs: 2 ** 31 - 1 });
    expect((await lookAtIt()).checked?.groups).toMatchObject([{ code: 'media_missing', count: 1 }]);
    expect((await checkedPage(testDraft, update)).text).toContain(
      'Files missing for 1 row drop new files here',
    );

    const folder = draftMediaFolder(runtime, update);
    await storeMedia(runtime, update, folder, ['d.mp4']);
    expect((await lookAtIt()).checked).toMatchObject({ accepted: 1, refused: 0 });
    const page = await checkedPage(testDraft, update);
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
    const testDraft = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { drafts, id, look, runtime } = testDraft;
    const { draft } = await look();
    const { campaign } = await drafts.start(id, { by: 'ann', version: draft.version, rows: 2 });
    const path = join(temporaryFolder(), 'copied.csv');
    const update = async (sheet: Parameters<typeof sheetText>[0]) => {
      writeFileSync(path, sheetText(sheet));
      const of = { campaign, by: 'ann' };
      const copied = await draftUpdate(runtime, drafts, of, { name: 'copied.csv', path });
      await drafts.look(copied, { waitMs: 2 ** 31 - 1 });
      return (await checkedPage(testDraft, copied)).text;
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
    const { text } = await checkedPage({ runner, pages }, update);
    expect(text).toContain(
      'the console does not write to their folder: ask an operator to put new files there',
    );
    expect(text).not.toContain('Add files');
  });
});
