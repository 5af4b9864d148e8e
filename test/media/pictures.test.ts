import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AddressPolicy } from '../../src/media/addresses.ts';
import { type Depicted, Pictures } from '../../src/media/pictures.ts';
import { serveMedia } from '../support/file-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { jpegOf } from '../support/jpeg.ts';
import { mp4, png } from '../support/sheets/media.ts';

const small = jpegOf(240, 427, 1000);

function setUp({ mostBytes = 10_000_000, allowed = ['127.0.0.1'] } = {}) {
  const folder = temporaryFolder();
  const directory = join(folder, 'pictures');
  const open = () => new Pictures({ directory, mostBytes, addresses: new AddressPolicy(allowed) });
  writeFileSync(join(folder, 'a.mp4'), mp4('a'));
  writeFileSync(join(folder, 'a.png'), png('a'));
  const video: Depicted = { source: 'a.mp4', root: folder, owner: 'root-1', isVideo: true };
  const image: Depicted = { ...video, source: 'a.png', isVideo: false };
  return { folder, directory, open, pictures: open(), video, image };
}

const remote = (source: string): Depicted => ({ source, root: '', owner: 'campaign-c1', isVideo: false });

async function contentOf(opened: Awaited<ReturnType<Pictures['open']>>): Promise<Buffer> {
  const bytes: Buffer[] = [];
  for await (const chunk of opened.read(0, opened.bytes - 1)) bytes.push(chunk as Buffer);
  return Buffer.concat(bytes);
}

it('a video is shown once its frame was offered, also after a restart, until the file changes', async () => {
  const { folder, open, pictures, video } = setUp();
  expect(await pictures.look(video)).toMatchObject({ place: 'kept', isShown: false, wantsSmall: true });
  await expect(pictures.open(video, 'small')).rejects.toMatchObject({ code: 'media_missing' });
  await pictures.keepSmall(video, small);
  expect(await pictures.look(video)).toMatchObject({ isShown: true, wantsSmall: false });
  const again = open();
  const opened = await again.open(video, 'small');
  expect(opened).toMatchObject({ contentType: 'image/jpeg', etag: (await again.look(video)).version });
  expect(await contentOf(opened)).toEqual(small);
  writeFileSync(join(folder, 'a.mp4'), mp4('other'));
  expect(await again.look(video)).toMatchObject({ isShown: false, wantsSmall: true });
});

it('another frame of the same file is another picture; until it is drawn, the usual one serves', async () => {
  const { pictures, video } = setUp();
  const later = { ...video, frameMs: 1200 };
  await pictures.keepSmall(video, small);
  expect(await pictures.look(later)).toMatchObject({ isShown: true, wantsSmall: true });
  const other = jpegOf(240, 427, 2000);
  await pictures.keepSmall(later, other);
  expect(await contentOf(await pictures.open(later, 'small'))).toEqual(other);
  expect(await contentOf(await pictures.open(video, 'small'))).toEqual(small);
});

it('an image serves as its own small version, unless it is large', async () => {
  const { folder, pictures, image } = setUp();
  expect(await pictures.look(image)).toMatchObject({ isShown: true, wantsSmall: false });
  expect(await contentOf(await pictures.open(image, 'small'))).toEqual(png('a'));
  writeFileSync(join(folder, 'a.png'), Buffer.concat([png('a'), Buffer.alloc(2 * 1024 * 1024)]));
  expect(await pictures.look(image)).toMatchObject({ place: 'kept', isShown: false, wantsSmall: true });
  await expect(pictures.open(image, 'small')).rejects.toMatchObject({ code: 'media_missing' });
  const whole = await pictures.open(image, 'whole');
  expect(whole.bytes).toBeGreaterThan(2 * 1024 * 1024);
  await whole.close();
});

it('a missing file, and one outside the media folder, have no picture', async () => {
  const { pictures, video } = setUp();
  for (const source of ['none.mp4', '../a.mp4', '/etc/passwd']) {
    expect(await pictures.look({ ...video, source })).toMatchObject({ place: 'missing', wantsSmall: false });
    await expect(pictures.open({ ...video, source }, 'whole')).rejects.toThrow();
    await expect(pictures.keepSmall({ ...video, source }, small)).rejects.toThrow('no such file');
  }
});

it.each([
  ['a picture of another format', png('a'), 'no JPEG'],
  ['a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'no JPEG'],
  ['a JPEG that ends early', small.subarray(0, -2), 'no JPEG'],
  ['a JPEG without a frame', Buffer.from('ffd8ffe00004000affd9', 'hex'), 'no JPEG'],
  ['a JPEG of 65,535 pixels', jpegOf(65_535, 1), '512 pixels'],
  ['an empty JPEG', jpegOf(0, 10), '512 pixels'],
  ['more than 40 KB', jpegOf(240, 427, 40 * 1024), '40 KB'],
])('refuses %s as a small version', async (_what, bytes, why) => {
  const { directory, pictures, video } = setUp();
  await expect(pictures.keepSmall(video, bytes)).rejects.toThrow(why);
  expect(await pictures.look(video)).toMatchObject({ isShown: false });
  expect(readdirSync(directory)).toEqual([]);
});

it('a file of another server is fetched once, however many ask for it', async (test) => {
  const { url, requests } = await serveMedia(test);
  const { open, pictures } = setUp();
  const a = remote(`${url}/a.png`);
  expect(await pictures.look(a)).toMatchObject({ place: 'away', isShown: false, wantsSmall: true });
  expect(requests).toHaveLength(0);
  const opened = await Promise.all([1, 2, 3].map(() => pictures.open(a, 'whole')));
  for (const each of opened) expect(await contentOf(each)).toEqual(png('/a.png'));
  const again = open();
  expect(await again.look(a)).toMatchObject({ place: 'kept', isShown: true });
  await (await again.open(a, 'small')).close();
  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toHaveProperty('x-api-key');
});

it('a cover is known by its video: its URL is signed anew each time', async (test) => {
  const { url, requests } = await serveMedia(test);
  const { pictures } = setUp();
  for (const sign of ['1', '2']) {
    const cover = { ...remote(`${url}/a.png?sign=${sign}`), copyOf: 'v1' };
    await (await pictures.open(cover, 'small')).close();
  }
  expect(requests).toHaveLength(1);
});

it('a private address is refused, and not asked again at once', async (test) => {
  const { url, requests } = await serveMedia(test);
  const { pictures } = setUp({ allowed: [] });
  const attempts = [1, 2].map(() => pictures.open(remote(`${url}/a.png`), 'small'));
  for (const attempt of attempts) await expect(attempt).rejects.toThrow('not a public address');
  await expect(pictures.open(remote(`${url}/a.png`), 'small')).rejects.toThrow('not a public address');
  expect(requests).toHaveLength(0);
});

it('a fetched file that is too large, or neither image nor video, is not kept', async (test) => {
  const { url } = await serveMedia(test);
  const { pictures, directory } = setUp({ mostBytes: 2000 });
  await expect(pictures.open(remote(`${url}/a.mp4?padding=3000`), 'whole')).rejects.toMatchObject({
    code: 'media_too_large',
  });
  expect(readdirSync(directory)).toEqual(['incoming']);
  expect(readdirSync(join(directory, 'incoming'))).toEqual([]);
});

it('all pictures together are bounded: the oldest go first, also after a restart', async () => {
  const { folder, directory, open, pictures, video } = setUp({ mostBytes: 5000 });
  const videos = ['1', '2', '3', '4', '5', '6'].map((name) => {
    writeFileSync(join(folder, `${name}.mp4`), mp4(name));
    return { ...video, source: `${name}.mp4` };
  });
  for (const each of videos.slice(0, 4)) await pictures.keepSmall(each, small);
  const shown = async (by: Pictures) =>
    Promise.all(videos.map(async (each) => (await by.look(each)).isShown));
  expect(await shown(pictures)).toEqual([true, true, true, true, false, false]);
  await pictures.keepSmall(videos[4] ?? video, small);
  expect(await shown(pictures)).toEqual([false, true, true, true, true, false]);
  // By the time of their files.
  const owner = join(directory, 'root-1');
  for (const name of readdirSync(owner)) utimesSync(join(owner, name), 1000, 1000);
  const [newest = ''] = readdirSync(owner);
  utimesSync(join(owner, newest), 2000, 2000);
  const again = open();
  await again.keepSmall(videos[5] ?? video, small);
  expect((await shown(again)).filter(Boolean)).toHaveLength(4);
  expect(statSync(join(owner, newest)).size).toBe(small.length);
});

it('a sweep removes the pictures of campaigns that are gone, and nothing else', async () => {
  const { directory, pictures, video } = setUp();
  const others = ['root-2', 'campaign-c1', 'campaign-c2', 'videos-covers'];
  for (const owner of others) await pictures.keepSmall({ ...video, owner }, small);
  writeFileSync(join(directory, 'campaign-c2', 'notes.txt'), 'mine');
  await pictures.store.sweep(new Set(['campaign-c1']));
  expect(readdirSync(directory).sort()).toEqual(['campaign-c1', 'campaign-c2', 'videos-covers']);
  expect(readdirSync(join(directory, 'campaign-c2'))).toEqual(['notes.txt']);
  expect(await pictures.look({ ...video, owner: 'root-2' })).toMatchObject({ isShown: false });
  expect(await pictures.look({ ...video, owner: 'campaign-c1' })).toMatchObject({ isShown: true });
});

it('a picture that was removed from the disk is not there any more', async () => {
  const { directory, pictures, video } = setUp();
  await pictures.keepSmall(video, small);
  rmSync(join(directory, 'root-1'), { recursive: true });
  await expect(pictures.open(video, 'small')).rejects.toMatchObject({ code: 'media_missing' });
  expect(await pictures.look(video)).toMatchObject({ isShown: false, wantsSmall: true });
});
