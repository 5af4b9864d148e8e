/** Files of one name that come at once, from two people or two tabs. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findDraft } from '../../../src/app/drafts/drafts.ts';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { takeSheet } from '../../../src/app/drafts/files/upload.ts';
import { type DraftRuntime, draftFiles } from '../../../src/app/drafts/folder.ts';
import { newDraft, sendAdmitted, sendFile } from '../../support/drafts.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { mp4 } from '../../support/sheets/media.ts';

let runtime: DraftRuntime;
let draft: string;
const film = mp4('film', 1000);

beforeEach(async () => {
  ({ runtime, draft } = await newDraft());
});

it('of two files that come at once for one new path, the second makes a version that nobody agreed to', async () => {
  await sendFile(runtime, draft, { path: 'a.mp4', modifiedAt: 1 }, film);
  const { version } = await findDraft(runtime, draft);
  const files = [mp4('one', 1000), mp4('other', 1000)];
  const admitted = await Array.fromAsync(files, (bytes, index) =>
    admitFile(runtime, draft, { path: 'b.mp4', bytes: bytes.length, modifiedAt: 2 + index }, 'anna'),
  );
  await Promise.all(
    admitted.map((file, index) => sendAdmitted(runtime, draft, file, [files[index] ?? film])),
  );
  expect((await findDraft(runtime, draft)).version).toBe(version + 1);
});

it('a file of which another version comes before it is in its place says so', async () => {
  const given = { path: 'b.mp4', bytes: film.length, modifiedAt: 2 };
  const admitted = await admitFile(runtime, draft, given, 'anna');
  async function* bytes() {
    yield film;
    await admitFile(runtime, draft, { ...given, modifiedAt: 3 }, 'ben');
  }
  await expect(sendAdmitted(runtime, draft, admitted, bytes())).rejects.toMatchObject({
    code: 'upload_refused',
    message: 'the file b.mp4 was not accepted: it was sent again before it was saved',
  });
});

it('the sheet of a draft that comes again at once with another is the one of the record', async () => {
  const folder = temporaryFolder();
  const take = (at: number, text: string) => {
    const path = join(folder, `${at}.csv`);
    writeFileSync(path, text);
    return takeSheet({ ...runtime, now: () => at }, { draft, path: 's.csv', by: 'anna' }, path);
  };
  await take(2, 'a\n1\n');
  await Promise.all([take(3, 'a\n2\n'), take(4, 'a\n1\n')]);
  const digest = createHash('sha256')
    .update(readFileSync(draftFiles(runtime, draft).sheet))
    .digest('hex');
  expect((await findDraft(runtime, draft)).sheet?.sha256).toBe(digest);
});
