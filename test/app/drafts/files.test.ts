import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { createDraft } from '../../../src/app/drafts/drafts.ts';
import { discardDraft, draftKeptMs, removeOldUploads } from '../../../src/app/drafts/expiry.ts';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { listBegun } from '../../../src/app/drafts/files/incoming.ts';
import { draftMediaRoot, settleFiles } from '../../../src/app/drafts/files/media.ts';
import { readFilesProgress } from '../../../src/app/drafts/files/progress.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import { newDraft, sendFile } from '../../support/drafts.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { mp4 } from '../../support/sheets/media.ts';

let runtime: DraftRuntime;
let draft: string;
const film = mp4('film', 1000);

beforeEach(async () => {
  ({ runtime, draft } = await newDraft());
});

const medium = (path: string) => join(draftMediaFolder(runtime, draft), path);

const send = (path: string, bytes = film, modifiedAt = 1) =>
  sendFile(runtime, draft, { path, modifiedAt }, bytes);

it('media that are as they were uploaded are let through', async () => {
  await send('rosewood/a.mp4');
  await settleFiles(runtime, draft, 'anna');
  expect((await readFiles(runtime, draft)).stored.size).toBe(1);
});

it('media that are cut, or gone, are taken off the record before a start', async () => {
  await send('a.mp4');
  await send('b.mp4');
  await send('c.mp4');
  truncateSync(medium('a.mp4'), 500);
  unlinkSync(medium('b.mp4'));
  await expect(settleFiles(runtime, draft, 'anna')).rejects.toMatchObject({
    code: 'draft_refused',
    message: 'these files have changed since they were uploaded: a.mp4, b.mp4',
  });
  expect([...(await readFiles(runtime, draft)).stored.keys()]).toEqual(['c.mp4']);
});

it('media are below the media root where there is one, and go with the draft', async () => {
  const root = temporaryFolder();
  const theirs = join(root, 'theirs.mp4');
  writeFileSync(theirs, film);
  runtime = { ...runtime, settings: checkSettings({ media: { root } }) };
  await send('rosewood/a.mp4');
  expect(readFileSync(join(root, 'drafts', draft, 'rosewood', 'a.mp4'))).toEqual(film);
  await discardDraft(runtime, draft);
  expect(readdirSync(root, { recursive: true })).toEqual(['drafts', 'theirs.mp4']);
});

it('a media root that is missing, such as a share that is not mounted, is not made', async () => {
  const root = join(temporaryFolder(), 'share');
  runtime = { ...runtime, settings: checkSettings({ media: { root } }) };
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
  expect(existsSync(root)).toBe(false);
});

it('files that the disk has no room for are refused, also if others fill it after the offer', async () => {
  const disk = (...free: number[]) => ({ ...runtime, freeBytes: async () => 1e9 + (free.shift() ?? 0) });
  runtime = disk(film.length - 1);
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
  runtime = disk(film.length, 0);
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
  runtime = disk(film.length, film.length);
  await send('a.mp4');
});

it('files still arriving for other drafts count as used room', async () => {
  const other = (await createDraft(runtime, 'ben')).id;
  let free = 5000;
  runtime = { ...runtime, freeBytes: async () => 1e9 + free };
  await admitFile(runtime, other, { path: 'b.mp4', bytes: 5000, modifiedAt: 1 }, 'ben');
  free = 5000 + film.length - 1;
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
  free = 5000 + film.length;
  await send('a.mp4');
});

it('a record that a crash has torn keeps its whole lines, and takes new ones', async () => {
  const record = join(runtime.environment.dataDir, 'drafts', draft, 'media.jsonl');
  const line = {
    at: 1,
    by: 'anna',
    stored: { id: 'a'.repeat(32), path: 'a.mp4', bytes: 3, modifiedAt: 1, sha256: 'x' },
  };
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, `${JSON.stringify(line)}\n{"at":1,"by":"an`);
  await send('b.mp4');
  expect([...(await readFiles(runtime, draft)).stored.keys()]).toEqual(['a.mp4', 'b.mp4']);
});

it('a record that refusals have made long takes no more of them, but files', async () => {
  const record = draftFiles(runtime, draft).media;
  const refused = { path: 'a', why: 'x'.repeat(400) };
  const line = `${JSON.stringify({ at: 1, by: 'anna', refused })}\n`;
  writeFileSync(record, line.repeat(Math.ceil(8_100_000 / line.length)));
  await expect(send('.hidden.mp4')).rejects.toMatchObject({ code: 'upload_refused' });
  expect([...(await readFiles(runtime, draft)).refused.keys()]).toEqual(['a']);
  await send('b.mp4');
  expect((await readFiles(runtime, draft)).stored.size).toBe(1);
});

it('an upload that meets a full disk keeps its bytes, and goes on once there is room', async () => {
  const long = mp4('film', 3_000_000);
  const source = join(temporaryFolder(), 'a.mp4');
  writeFileSync(source, long);
  await sendFile(runtime, draft, { path: 'a.mp4', modifiedAt: 1 }, long, 0);
  const program = new URL('full-disk-program.ts', import.meta.url).pathname;
  /** A bound on the size of files stands in for the disk. @param blocks of 512 bytes. */
  const run = (blocks: number | 'unlimited') => {
    const script = `ulimit -f ${blocks}; exec "$@"`;
    const command = [
      '-c',
      script,
      'sh',
      process.execPath,
      program,
      runtime.environment.dataDir,
      draft,
      source,
    ];
    return execFileSync('sh', command, { encoding: 'utf8' });
  };
  expect(run(5000)).toMatch(/^0 draft_not_stored/);
  expect((await readFiles(runtime, draft)).stored.size).toBe(0);
  expect(run('unlimited')).toMatch(/^2\d{6} stored$/);
  expect(readFileSync(medium('a.mp4'))).toEqual(long);
  const sha256 = createHash('sha256').update(long).digest('hex');
  expect((await readFiles(runtime, draft)).stored.get('a.mp4')?.sha256).toBe(sha256);
});

it('two names that differ in capitals only do not take one place on a disk that takes no notice of them', async () => {
  await send('A.mp4');
  // What such a disk shows under the other name.
  linkSync(medium('A.mp4'), medium('a.mp4'));
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'upload_refused' });
  unlinkSync(medium('a.mp4'));
  await send('a.mp4');
  expect([...(await readFiles(runtime, draft)).stored.keys()]).toEqual(['A.mp4', 'a.mp4']);
});

it('uploads that begin and never end count towards the bounds of a draft, and there are 200 at most', async () => {
  const begin = (index: number) =>
    sendFile(runtime, draft, { path: `${index}.mp4`, modifiedAt: 1 }, film, 10);
  // At once: each looks at those that have begun before it.
  await Promise.all(Array.from({ length: 200 }, (_, index) => begin(index)));
  await expect(begin(200)).rejects.toMatchObject({ code: 'upload_refused' });
  await begin(7);
  expect(await readFilesProgress(runtime, draft)).toMatchObject({ media: { files: 0, ofFiles: 200 } });
});

it('an upload that has begun is removed after as long as an unused draft', async () => {
  await sendFile(runtime, draft, { path: 'a.mp4', modifiedAt: 1 }, film, 10);
  const later = Date.now() + draftKeptMs;
  await removeOldUploads({ ...runtime, now: () => later - 60_000 }, draft);
  expect(await listBegun(runtime, draft)).toHaveLength(1);
  await removeOldUploads({ ...runtime, now: () => later + 60_000 }, draft);
  expect(await listBegun(runtime, draft)).toEqual([]);
});

describe('a link below the media root', () => {
  let root: string;
  let outside: string;

  beforeEach(() => {
    root = temporaryFolder();
    outside = temporaryFolder();
    runtime = { ...runtime, settings: checkSettings({ media: { root } }) };
    mkdirSync(join(outside, draft));
  });

  const links: Readonly<Record<string, () => void>> = {
    'in place of all drafts': () => symlinkSync(outside, join(root, 'drafts')),
    'in place of the draft': () => {
      mkdirSync(join(root, 'drafts'));
      symlinkSync(join(outside, draft), join(root, 'drafts', draft));
    },
  };

  it.each(Object.keys(links))('%s takes no file', async (link) => {
    links[link]?.();
    await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
    expect(readdirSync(outside, { recursive: true })).toEqual([draft]);
  });

  it.each(Object.keys(links))('%s gives no file to the check', async (link) => {
    await send('a.mp4');
    renameSync(join(root, 'drafts'), join(root, 'before'));
    links[link]?.();
    await expect(draftMediaRoot(runtime, draft)).rejects.toMatchObject({ code: 'draft_not_stored' });
  });

  it.each(Object.keys(links))('%s loses no file when the draft goes', async (link) => {
    await send('a.mp4');
    renameSync(join(root, 'drafts'), join(root, 'before'));
    links[link]?.();
    writeFileSync(join(outside, draft, 'a.mp4'), film);
    mkdirSync(join(outside, draft, '.incoming'));
    const part = `media-${'a'.repeat(32)}`;
    writeFileSync(join(outside, draft, '.incoming', part), film);
    await discardDraft(runtime, draft);
    expect(readdirSync(outside, { recursive: true })).toHaveLength(4);
  });
});

it('a folder of drafts that others may write to takes no file, and says what to do', async () => {
  const root = temporaryFolder();
  runtime = { ...runtime, settings: checkSettings({ media: { root } }) };
  mkdirSync(join(root, 'drafts'));
  chmodSync(join(root, 'drafts'), 0o777);
  await expect(send('a.mp4')).rejects.toMatchObject({
    code: 'draft_not_stored',
    message: expect.stringContaining(`other users may write to ${join(root, 'drafts')}`),
    fix: expect.stringContaining('choose another media folder'),
  });
  expect(readdirSync(join(root, 'drafts'))).toEqual([]);
});

it('uploads that have begun are removed with the draft', async () => {
  await send('a.mp4');
  await sendFile(runtime, draft, { path: 'b.mp4', modifiedAt: 1 }, film, 10);
  writeFileSync(medium(`.incoming/media-${'b'.repeat(32)}`), film);
  await discardDraft(runtime, draft);
  expect(readdirSync(join(runtime.environment.dataDir, 'drafts'), { recursive: true })).toEqual([]);
});

it('removing a draft leaves files of others in its folder', async () => {
  const folder = join(runtime.environment.dataDir, 'drafts', draft);
  writeFileSync(join(folder, 'theirs.txt'), 'not ours');
  await discardDraft(runtime, draft);
  expect(readdirSync(folder)).toEqual(['theirs.txt']);
});
