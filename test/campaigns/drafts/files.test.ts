import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import { discardDraft } from '../../../src/campaigns/drafts/discard.ts';
import { createDraft } from '../../../src/campaigns/drafts/drafts.ts';
import { offerFiles } from '../../../src/campaigns/drafts/files/offer.ts';
import { PartFile } from '../../../src/campaigns/drafts/files/part-file.ts';
import { readFiles } from '../../../src/campaigns/drafts/files/record.ts';
import { settleFiles } from '../../../src/campaigns/drafts/files/settle.ts';
import { receivePart } from '../../../src/campaigns/drafts/files/upload.ts';
import { type DraftRuntime, draftMediaFolder } from '../../../src/campaigns/drafts/folder.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { mp4 } from '../../support/media.ts';

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

it('media that are cut, or gone, are taken off the record before a start', async () => {
  await send('a.mp4');
  await send('b.mp4');
  await send('c.mp4');
  truncateSync(medium('a.mp4'), 500);
  unlinkSync(medium('b.mp4'));
  await expect(settleFiles(runtime, draft, 'anna')).rejects.toMatchObject({
    code: 'draft_refused',
    message: 'these files are not as they were uploaded: a.mp4, b.mp4',
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

it('files that the disk has no room for are refused before a byte comes', async () => {
  const diskWith = (free: number) => ({ ...runtime, freeBytes: async () => free });
  runtime = diskWith(1e9 + film.length - 1);
  await expect(send('a.mp4')).rejects.toMatchObject({ code: 'draft_not_stored' });
  runtime = diskWith(1e9 + film.length);
  await send('a.mp4');
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
