import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readingId } from '../../../../src/app/drafts/draft.ts';
import { changeDraft, findDraft, listDrafts } from '../../../../src/app/drafts/drafts.ts';
import { draftFiles } from '../../../../src/app/drafts/folder.ts';
import { DraftDatabase } from '../../../../src/app/drafts/store/database.ts';
import { addEdit, readEdits } from '../../../../src/app/drafts/store/edits.ts';
import { type DropScene, film, openDropScene, sha256 } from '../../../support/console/drop-scene.ts';
import { sheetOf } from '../../../support/console/uploads.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

let scene: DropScene;

beforeEach(async (test) => {
  scene = await openDropScene(test);
});

it('a file that is not what it says is told in the list, with its fix', async () => {
  await scene.drop.send('cut.mp4', film.subarray(0, 50_000));
  await scene.drop.send('text.mp4', Buffer.from('This is the script, not the film.'));
  await scene.drop.send('whole.mp4', film);
  const { text } = await scene.filesPage();
  expect(text).toMatch(/cut\.mp4 .*The file is cut off; it lacks at least \d+ KB\. Check that it opens/);
  expect(text).toContain('The file text.mp4 was not accepted: named as MP4, but contains no video or image');
  expect(text.match(/cut off/g)).toHaveLength(1);
});

describe('the sheet', () => {
  it('stays as it is kept, with what was edited, when the same one is dropped again', async () => {
    const bytes = sheetOf(scene.runner.folder, 'a');
    await scene.drop.send('春季口红.csv', bytes);
    const draft = await findDraft(scene.pages.runtime, scene.drop.draft);
    expect(draft.sheet).toMatchObject({ name: '春季口红.csv', bytes: bytes.length, sha256: sha256(bytes) });
    expect(readFileSync(join(scene.folder, 'sheet'))).toEqual(bytes);
    await edit();
    await scene.drop.send('春季口红.csv', bytes, 2);
    expect(await isLeftOut()).toBe(true);
  });

  it('replaces the earlier one, whose edits are lost', async () => {
    await scene.drop.send('posts.csv', sheetOf(scene.runner.folder, 'a'));
    await edit();
    await scene.drop.send('posts.csv', sheetOf(scene.runner.folder, 'a', 'b'), 2);
    expect(await isLeftOut()).toBe(false);
    expect(readFileSync(join(scene.folder, 'sheet'))).toEqual(sheetOf(scene.runner.folder, 'a', 'b'));
  });

  it.each(['key', '编号'])(
    'of results with the header %s makes its draft the one that updates its campaign',
    async (header) => {
      const { runner, pages, drop } = scene;
      const id = await runner.importRows([videoRow('a')]);
      const results = await (await fetch(`${pages.url}/campaigns/${id}/results.csv`)).text();
      await drop.send('edited.csv', Buffer.from(results.replace('key', header)));
      const done = await pages.post(`/campaigns/new/${drop.draft}/files/done`, {});
      expect(done.text).toContain('edited.csv into test');
      expect((await findDraft(pages.runtime, drop.draft)).into).toBe(id);
    },
  );

  it("of results of a plan with a column campaign of its own is found by the runner's", async () => {
    const { runner, pages, drop } = scene;
    const id = await runner.importRows([{ Campaign: 'Spring glow', ...videoRow('a') }]);
    const results = await (await fetch(`${pages.url}/campaigns/${id}/results.csv`)).text();
    await drop.send('edited.csv', Buffer.from(results));
    await pages.post(`/campaigns/new/${drop.draft}/files/done`, {});
    expect((await findDraft(pages.runtime, drop.draft)).into).toBe(id);
  });

  const open = () => DraftDatabase.open(draftFiles(scene.pages.runtime, scene.drop.draft).database);
  const edit = async () => {
    using database = await open();
    const change = { by: 'anna', version: undefined, what: 'a row' };
    await changeDraft(scene.pages.runtime, scene.drop.draft, change, (draft) =>
      addEdit(database, draft, { at: 1, by: 'anna', of: readingId(draft) ?? '', leaveOut: [1] }),
    );
  };
  const isLeftOut = async () => {
    using database = await open();
    return readEdits(database, await findDraft(scene.pages.runtime, scene.drop.draft)).skips(1);
  };
});

describe('the page of the files', () => {
  it('tells how far they have come', async () => {
    await scene.drop.begin('posts.csv', 500);
    await scene.drop.send('a.mp4', film);
    const id = await scene.drop.begin('b.mp4', film.length);
    await scene.drop.patch(id, 0, film.subarray(0, 50_000));
    const { text } = await scene.filesPage();
    expect(text).toContain('posts.csv 0 of 0.5 KB');
    expect(text).toContain('1 of 2 files, 150 of 200.1 KB');
  });

  it('counts the files that are still to be sent, once their page has said how many', async () => {
    await scene.drop.send('a.mp4', film);
    const metadata = { path: 'b.mp4', modified: '1', of: '39' };
    await scene.drop.request('POST', '', {
      'upload-length': String(film.length),
      'upload-metadata': Object.entries(metadata)
        .map(([name, text]) => `${name} ${btoa(text)}`)
        .join(),
    });
    expect((await scene.filesPage()).text).toMatch(/1 of 39 files, 100(?:\.1)? KB/);
  });

  it('tells how far the check is', async () => {
    await scene.drop.send('posts.csv', sheetOf(scene.runner.folder, 'a', 'b'));
    await scene.drop.begin('b.mp4', film.length);
    const { text } = await scene.runner.until(async () => {
      const page = await scene.filesPage();
      return page.text.includes('have not arrived yet') && page;
    }, 'the check to end');
    expect(text).toMatch(/Check 2 rows read(?! so far)/);
    expect(text).toContain(
      'media as they arrive. 2 files that it names have not arrived yet. No problem so far.',
    );
  });

  it('removes a file', async () => {
    await scene.drop.send('rosewood/a.mp4', film);
    const done = await scene.pages.post(`/campaigns/new/${scene.drop.draft}/files/remove`, {
      path: 'rosewood/a.mp4',
    });
    expect(done.text).toContain('rosewood/a.mp4 removed.');
    expect(existsSync(scene.medium('rosewood'))).toBe(false);
  });

  it('discards the draft with all that it wrote, after a question, and nothing else', async () => {
    await scene.drop.send('posts.csv', sheetOf(scene.runner.folder, 'a'));
    await scene.drop.send('rosewood/a.mp4', film);
    writeFileSync(scene.medium('theirs.txt'), 'not ours');
    const question = await scene.pages.get(`/campaigns/new/${scene.drop.draft}/discard`);
    expect(question.text).toContain('1 uploaded file (100 KB)');
    expect(question.html).toContain(`href="/campaigns/new/${scene.drop.draft}"`);
    await scene.pages.post(`/campaigns/new/${scene.drop.draft}/discard`, {});
    expect(existsSync(scene.medium('rosewood/a.mp4'))).toBe(true);
    await scene.pages.post(`/campaigns/new/${scene.drop.draft}/discard`, { sure: 'yes' });
    expect((await scene.filesPage()).status).toBe(404);
    expect(readdirSync(scene.folder, { recursive: true })).toEqual(['media', 'media/theirs.txt']);
  });
});

it('a new draft has the lead of the newest campaign', async () => {
  const { runner, pages } = scene;
  const begin = async () => {
    await pages.post('/campaigns/new', {});
    const { drafts } = await listDrafts(pages.runtime);
    return drafts.toSorted((one, other) => other.createdAt - one.createdAt)[0]?.options;
  };
  expect(await begin()).toEqual({});
  await runner.importRows([videoRow('a')], { lead: 2 * 86_400_000 });
  expect(await begin()).toEqual({ lead: '2d' });
});
