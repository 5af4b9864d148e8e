import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
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
import { checkSettings } from '../../config/load.ts';
import { createDraft, findDraft } from '../../src/drafts/drafts.ts';
import { discardDraft } from '../../src/drafts/expiry.ts';
import { draftMediaRoot, settleFiles } from '../../src/drafts/files/media.ts';
import { offerFiles } from '../../src/drafts/files/offer.ts';
import { PartFile } from '../../src/drafts/files/part-file.ts';
import { readFilesProgress } from '../../src/drafts/files/progress.ts';
import { readFiles } from '../../src/drafts/files/record.ts';
import { receivePart, receiveWhole } from '../../src/drafts/files/upload.ts';
import { type DraftRuntime, draftFiles, draftMediaFolder } from '../../src/drafts/folder.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mp4 } from '../support/sheets/media.ts';

let runtime: DraftRuntime;
let draft: string;
const film = mp4('film', 1000);

beforeEach(async () => {
  runtime = {
    environment: { dataDir: temporaryFolder() } as DraftRuntime['environment'],
    settings: checkSettings({}),
    now: () => 1,
  };
  draft = (await createDraft(runtime, 'anna')).id;
});

const medium = (path: string) => join(draftMediaFolder(runtime, draft), path);

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function send(path: string): Promise<void> {
  const [answer] = await offerFiles(runtime, draft, [{ path, bytes: film.length, modifiedAt: 1 }], 'anna');
  if (answer?.kind !== 'upload') throw new Error(`${path} was not wanted`);
  await receivePart(runtime, { draft, id: answer.id, offset: 0, by: 'anna' }, once(film));
}

it('media that are as they were uploaded are let through', async () => {
  await send('rosewood/a.mp4');
  await settleFiles(runtime, draft, 'anna');
  expect((await readFiles(runtime, draft)).stored.size).toBe(1);
});

it('of two files that come at once for one new path, the second makes a version that nobody agreed to', async () => {
  await send('a.mp4');
  const { version } = await findDraft(runtime, draft);
  const take = (at: number, content: string) =>
    receiveWhole(
      { ...runtime, now: () => at },
      { draft, path: 'b.mp4', by: 'anna' },
      once(mp4(content, 1000)),
    );
  await Promise.all([take(2, 'one'), take(3, 'other')]);
  expect((await findDraft(runtime, draft)).version).toBe(version + 1);
});

it('the sheet of a draft that comes again at once with another is the one of the record', async () => {
  const take = (at: number, text: string) =>
    receiveWhole(
      { ...runtime, now: () => at },
      { draft, path: 's.csv', by: 'anna' },
      once(Buffer.from(text)),
    );
  await take(2, 'a\n1\n');
  await Promise.all([take(3, 'a\n2\n'), take(4, 'a\n1\n')]);
  const digest = createHash('sha256')
    .update(readFileSync(draftFiles(runtime, draft).sheet))
    .digest('hex');
  expect((await findDraft(runtime, draft)).sheet?.sha256).toBe(digest);
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
  const [answer] = await offerFiles(runtime, other, [{ path: 'b.mp4', bytes: 5000, modifiedAt: 1 }], 'ben');
  free = film.length;
  await send('a.mp4');
  if (answer?.kind !== 'upload') throw new Error('b.mp4 was not wanted');
  await receivePart(runtime, { draft: other, id: answer.id, offset: 0, by: 'ben' }, once(film));
  await expect(send('c.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
});

it('a write that the disk takes a part of, or fails at, leaves bytes and digest in step', async () => {
  const arriving = { draft, id: 'a'.repeat(32), kind: 'media', path: 'a.mp4' } as const;
  mkdirSync(draftMediaFolder(runtime, draft));
  {
    await using part = await PartFile.open(runtime, arriving);
    const { handle } = part;
    handle.writev = async (buffers, at) => {
      const { bytesWritten } = await handle.write(film, 0, 10, at);
      return { bytesWritten, buffers };
    };
    await part.append(once(film.subarray(0, 400)), film.length);
    expect(part.bytes).toBe(400);
    handle.writev = async (_buffers, at) => {
      await handle.write(film, 400, 50, at);
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    await expect(part.append(once(film.subarray(400)), film.length)).rejects.toMatchObject({
      code: 'draft_not_stored',
      message: 'the draft cannot be stored: the disk is full',
    });
  }
  await using part = await PartFile.open(runtime, arriving);
  expect(part.bytes).toBe(450);
  await part.append(once(film.subarray(450)), film.length);
  expect(part.digest()).toBe(createHash('sha256').update(film).digest('hex'));
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

it('an upload that meets a full disk keeps its bytes, and goes on once there is room', async () => {
  const long = mp4('film', 3_000_000);
  const source = join(temporaryFolder(), 'a.mp4');
  writeFileSync(source, long);
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
  expect(run(5000)).toBe('0 draft_not_stored');
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

it('thousands of announced files that are never sent leave one line each in the record, and count towards the bounds of a draft', async () => {
  const files = (from: number) =>
    Array.from({ length: 5000 }, (_, index) => ({ path: `${from + index}.mp4`, bytes: 9, modifiedAt: 1 }));
  await offerFiles(runtime, draft, files(0), 'anna');
  await offerFiles(runtime, draft, files(5000), 'anna');
  await expect(offerFiles(runtime, draft, files(9999), 'anna')).rejects.toMatchObject({
    code: 'upload_refused',
    message: expect.stringContaining('the limit is 10,000'),
  });
  expect(await readFilesProgress(runtime, draft)).toMatchObject({ media: { files: 0, ofFiles: 10_000 } });
  expect(readdirSync(join(runtime.environment.dataDir, 'drafts', draft), { recursive: true }).sort()).toEqual(
    ['draft.json', 'media', 'media.jsonl'],
  );
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
    const whole = receiveWhole(runtime, { draft, path: 'a.mp4', by: 'anna' }, once(film));
    await expect(whole).rejects.toMatchObject({ code: 'draft_not_stored' });
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
    const part = `${'a'.repeat(32)}.part`;
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
    cure: expect.stringContaining('choose another media folder'),
  });
  expect(readdirSync(join(root, 'drafts'))).toEqual([]);
});

it('bytes of a form that a crash cut off are removed with the draft', async () => {
  await send('a.mp4');
  writeFileSync(medium(`.incoming/${'b'.repeat(32)}.part`), film);
  await discardDraft(runtime, draft);
  expect(readdirSync(join(runtime.environment.dataDir, 'drafts'), { recursive: true })).toEqual([]);
});

it('removing a draft leaves files of others in its folder', async () => {
  const folder = join(runtime.environment.dataDir, 'drafts', draft);
  writeFileSync(join(folder, 'theirs.txt'), 'not ours');
  await discardDraft(runtime, draft);
  expect(readdirSync(folder)).toEqual(['theirs.txt']);
});
