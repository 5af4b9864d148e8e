import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeDraft, findDraft } from '../../../src/campaigns/drafts/drafts.ts';
import { addMend, readingId, readMends } from '../../../src/campaigns/drafts/mends.ts';
import { openPages, type Pages } from '../../support/console-pages.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { mp4 } from '../../support/media.ts';
import { type Drop, openDrop, sheetOf } from '../../support/uploads.ts';

let runner: TestRunner;
let pages: Pages;
let drop: Drop;

beforeEach(async (test) => {
  runner = await openRunner({}, test);
  pages = await openPages(runner, test);
  drop = await openDrop(pages);
});

const film = mp4('rosewood', 100_000);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const folder = () => join(runner.folder, 'drafts', drop.draft);
const medium = (path: string) => join(folder(), 'media', path);
const filesPage = () => pages.get(`/campaigns/new/${drop.draft}/files`);

it('a file that is not what it says is told in the list, with its cure', async () => {
  await drop.send('cut.mp4', film.subarray(0, 50_000));
  await drop.send('text.mp4', Buffer.from('This is the script, not the film.'));
  await drop.send('whole.mp4', film);
  const { text } = await filesPage();
  expect(text).toMatch(
    /cut\.mp4 .*The file is cut off; it has 50,000 of at least [\d,]+ bytes\. Copy the file anew/,
  );
  expect(text).toContain('The file text.mp4 was not taken: the name says video/mp4');
  expect(text.match(/cut off/g)).toHaveLength(1);
});

describe('the sheet', () => {
  it('stays as it is kept, with what was mended, when the same one is dropped again', async () => {
    const bytes = sheetOf(runner.folder, 'a');
    await drop.send('春季口红.csv', bytes);
    const draft = await findDraft(pages.runtime, drop.draft);
    expect(draft.sheet).toMatchObject({ name: '春季口红.csv', bytes: bytes.length, sha256: sha256(bytes) });
    expect(readFileSync(join(folder(), 'sheet'))).toEqual(bytes);
    await mend();
    await drop.send('春季口红.csv', bytes, 2);
    expect(await isLeftOut()).toBe(true);
  });

  it('takes the place of the earlier one, whose mends are void', async () => {
    await drop.send('posts.csv', sheetOf(runner.folder, 'a'));
    await mend();
    await drop.send('posts.csv', sheetOf(runner.folder, 'a', 'b'), 2);
    expect(await isLeftOut()).toBe(false);
    expect(readFileSync(join(folder(), 'sheet'))).toEqual(sheetOf(runner.folder, 'a', 'b'));
  });

  const mend = () =>
    changeDraft(pages.runtime, drop.draft, { by: 'anna', version: undefined, what: 'a row' }, (draft) =>
      addMend(pages.runtime, draft, { at: 1, by: 'anna', of: readingId(draft) ?? '', leaveOut: [1] }),
    );
  const isLeftOut = async () =>
    (await readMends(pages.runtime, await findDraft(pages.runtime, drop.draft))).leavesOut(1);
});

describe('the page of the files', () => {
  it('tells how far they have come', async () => {
    await drop.offer('posts.csv', 500);
    await drop.send('a.mp4', film);
    const { id } = await drop.offer('b.mp4', film.length);
    await drop.patch(String(id), 0, film.subarray(0, 50_000));
    const { text } = await filesPage();
    expect(text).toContain('posts.csv 0 of 0.5 KB');
    expect(text).toContain('1 of 2 files, 150 of 200.1 KB');
  });

  it('removes a file', async () => {
    await drop.send('rosewood/a.mp4', film);
    const done = await pages.post(`/campaigns/new/${drop.draft}/files/remove`, { path: 'rosewood/a.mp4' });
    expect(done.text).toContain('rosewood/a.mp4 removed.');
    expect(existsSync(medium('rosewood'))).toBe(false);
  });

  it('discards the draft with all that it wrote, after a question, and nothing else', async () => {
    await drop.send('posts.csv', sheetOf(runner.folder, 'a'));
    await drop.send('rosewood/a.mp4', film);
    writeFileSync(medium('theirs.txt'), 'not ours');
    const question = await pages.get(`/campaigns/new/${drop.draft}/discard`);
    expect(question.text).toContain('1 uploaded file (100 KB)');
    await pages.post(`/campaigns/new/${drop.draft}/discard`, {});
    expect(existsSync(medium('rosewood/a.mp4'))).toBe(true);
    await pages.post(`/campaigns/new/${drop.draft}/discard`, { sure: 'yes' });
    expect((await filesPage()).status).toBe(404);
    expect(readdirSync(folder(), { recursive: true })).toEqual(['media', 'media/theirs.txt']);
  });
});
