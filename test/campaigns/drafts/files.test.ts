import {
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
import { discardDraft } from '../../../src/campaigns/drafts/discard.ts';
import { createDraft } from '../../../src/campaigns/drafts/drafts.ts';
import { offerFiles } from '../../../src/campaigns/drafts/files/offer.ts';
import { readFiles } from '../../../src/campaigns/drafts/files/record.ts';
import { settleFiles } from '../../../src/campaigns/drafts/files/settle.ts';
import { receivePart, receiveWhole } from '../../../src/campaigns/drafts/files/upload.ts';
import { type DraftRuntime, draftMediaFolder } from '../../../src/campaigns/drafts/folder.ts';
import { draftMediaRoot } from '../../../src/campaigns/drafts/media-root.ts';
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

it('what is still to come of other drafts takes room as well, while it comes', async () => {
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

it('what came of a form that a crash cut off goes with the draft', async () => {
  await send('a.mp4');
  writeFileSync(medium(`.incoming/${'b'.repeat(32)}.part`), film);
  await discardDraft(runtime, draft);
  expect(readdirSync(join(runtime.environment.dataDir, 'drafts'), { recursive: true })).toEqual([]);
});

it('a draft that is removed leaves what others put into its folder', async () => {
  const folder = join(runtime.environment.dataDir, 'drafts', draft);
  writeFileSync(join(folder, 'theirs.txt'), 'not ours');
  await discardDraft(runtime, draft);
  expect(readdirSync(folder)).toEqual(['theirs.txt']);
});
