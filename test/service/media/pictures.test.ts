import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { AddressPolicy } from '../../../src/service/media/addresses.ts';
import { type Depicted, Pictures } from '../../../src/service/media/pictures.ts';
import { serveMedia } from '../../support/file-server.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { photo } from '../../support/photo.ts';
import { mp4, png } from '../../support/sheets/media.ts';

const large = await photo(1200, 1600);

function setUp({ mostBytes = 10_000_000, allowed = ['127.0.0.1'] } = {}) {
  const folder = temporaryFolder();
  const directory = join(folder, 'pictures');
  mkdirSync(directory);
  const open = () => new Pictures({ directory, mostBytes, addresses: new AddressPolicy(allowed) });
  writeFileSync(join(folder, 'a.mp4'), mp4('a'));
  writeFileSync(join(folder, 'a.png'), png('a'));
  writeFileSync(join(folder, 'large.jpg'), large);
  const video: Depicted = { source: 'a.mp4', root: folder, owner: 'root-1', isVideo: true };
  const image: Depicted = { ...video, source: 'a.png', isVideo: false };
  return {
    folder,
    directory,
    open,
    pictures: open(),
    video,
    image,
    photo: { ...image, source: 'large.jpg' },
  };
}

const remote = (source: string): Depicted => ({ source, root: '', owner: 'campaign-c1', isVideo: false });

async function contentOf(opened: Awaited<ReturnType<Pictures['open']>>): Promise<Buffer> {
  const bytes: Buffer[] = [];
  for await (const chunk of opened.read(0, opened.bytes - 1)) bytes.push(chunk as Buffer);
  return Buffer.concat(bytes);
}

const smallOnes = (directory: string) =>
  readdirSync(directory, { recursive: true }).filter((name) => /\.(?:small|tiny)$/.test(String(name)));

const smallNameOf = async (pictures: Pictures, depicted: Depicted) =>
  (await pictures.look(depicted)).small ?? '';

it('a large image has a small version, which is made once, also for many at once and after a restart', async () => {
  const { folder, directory, open, pictures, photo } = setUp();
  expect(smallOnes(directory)).toEqual([]);
  const [small, same] = await Promise.all([1, 2].map(() => pictures.open(photo, 'small')));
  if (small === undefined || same === undefined) throw new Error('not opened');
  expect(small).toMatchObject({ contentType: 'image/jpeg' });
  const bytes = await contentOf(small);
  expect(await contentOf(same)).toEqual(bytes);
  expect(bytes.length).toBeLessThan(40_000);
  const { width, height } = await sharp(bytes).metadata();
  expect([width, height]).toEqual([240, 427]);
  expect(smallOnes(directory)).toHaveLength(2);
  const tiny = await contentOf(await pictures.open(photo, 'tiny'));
  expect((await sharp(tiny).metadata()).width).toBe(96);
  expect(tiny.length).toBeLessThan(bytes.length / 2);
  expect(await contentOf(await open().open(photo, 'small'))).toEqual(bytes);
  writeFileSync(join(folder, 'large.jpg'), await sharp(large).negate().jpeg().toBuffer());
  expect(await contentOf(await pictures.open(photo, 'small'))).not.toEqual(bytes);
});

it('an image stands as a person sees it, and on white', async () => {
  const { folder, pictures, photo } = setUp();
  const half = { create: { width: 800, height: 400, channels: 4, background: '#f000' } } as const;
  const noise = await sharp(half).png({ compressionLevel: 0 }).toBuffer();
  writeFileSync(join(folder, 'large.jpg'), noise);
  writeFileSync(join(folder, 'turned.png'), noise);
  const opened = await pictures.open({ ...photo, source: 'turned.png' }, 'small');
  const { channels } = await sharp(await contentOf(opened)).stats();
  expect(channels.map(({ min }) => min > 250)).toEqual([true, true, true]);
});

it('small versions are named by content: a file has one name whatever it is called, and one it keeps until it changes', async () => {
  const { folder, directory, pictures, photo } = setUp();
  const name = await smallNameOf(pictures, photo);
  expect(name).toMatch(/^root-1\/[0-9a-f]{32}$/);
  writeFileSync(join(folder, 'same.jpg'), large);
  const same = { ...photo, source: 'same.jpg' };
  expect(await smallNameOf(pictures, same)).toBe(name);
  const opened = await Promise.all([
    pictures.openSmall(name, 'tiny'),
    pictures.open(photo, 'tiny'),
    pictures.open(same, 'tiny'),
  ]);
  for (const each of opened) await each.close();
  expect(smallOnes(directory)).toHaveLength(2);
  writeFileSync(join(folder, 'same.jpg'), await sharp(large).negate().jpeg().toBuffer());
  expect(await smallNameOf(pictures, same)).not.toBe(name);
});

it('a name opens nothing that was not looked at: neither other files, nor those of a campaign that is gone', async () => {
  const { directory, open, pictures, photo } = setUp();
  const name = await smallNameOf(pictures, photo);
  const refused = { code: 'media_missing' };
  await expect(open().openSmall(name, 'tiny')).rejects.toMatchObject(refused);
  for (const other of [
    'root-1/..',
    'root-1/../root-1',
    `../x/${name.slice(7)}`,
    `root-2/${name.slice(7)}`,
    '',
    '/',
  ])
    await expect(pictures.openSmall(other, 'tiny')).rejects.toMatchObject(refused);
  await (await pictures.openSmall(name, 'tiny')).close();
  const again = open();
  await (await again.openSmall(name, 'tiny')).close();
  rmSync(join(directory, 'root-1'), { recursive: true });
  await expect(again.openSmall(name, 'tiny')).rejects.toMatchObject(refused);
});

it('a picture beside a video that has its name stands for it', async () => {
  const { folder, pictures, video } = setUp();
  rmSync(join(folder, 'a.png'));
  expect(await smallNameOf(pictures, video)).toBe('');
  writeFileSync(join(folder, 'a.webp'), await sharp(large).webp().toBuffer());
  const opened = await pictures.openSmall(await smallNameOf(pictures, video), 'small');
  expect((await sharp(await contentOf(opened)).metadata()).width).toBe(240);
  // Not what only has the name of a picture, nor what is elsewhere.
  writeFileSync(join(folder, 'a.webp'), mp4('b'));
  writeFileSync(join(folder, '..', `${basename(folder)}.jpg`), large);
  symlinkSync(join(folder, '..', `${basename(folder)}.jpg`), join(folder, 'a.jpg'));
  expect(await smallNameOf(pictures, video)).toBe('');
  expect(await smallNameOf(pictures, { ...video, source: 'none.mp4' })).toBe('');
});

it('a small image serves as its own small version, and a video alone has none', async () => {
  const { folder, pictures, image, video } = setUp();
  expect(await contentOf(await pictures.open(image, 'small'))).toEqual(png('a'));
  rmSync(join(folder, 'a.png'));
  await expect(pictures.open(video, 'small')).rejects.toMatchObject({ code: 'media_missing' });
});

it('an image that cannot be read is shown as it is, unless it is large, and is not tried again at once', async () => {
  const { folder, pictures, image } = setUp();
  const broken = Buffer.concat([png('a').subarray(0, 40), Buffer.alloc(100_000, 'x')]);
  writeFileSync(join(folder, 'a.png'), broken);
  for (const _time of [1, 2]) expect(await contentOf(await pictures.open(image, 'small'))).toEqual(broken);
  writeFileSync(join(folder, 'a.png'), Buffer.concat([broken, Buffer.alloc(2 * 1024 * 1024)]));
  await expect(pictures.open(image, 'small')).rejects.toMatchObject({ code: 'media_missing' });
  const whole = await pictures.open(image, 'whole');
  expect(whole.bytes).toBeGreaterThan(2 * 1024 * 1024);
  await whole.close();
});

it.each(['heic', 'heif'])('a picture as %s is not shown, also if it is called otherwise', async (brand) => {
  const { folder, pictures, image } = setUp();
  const bytes = Buffer.concat([
    Buffer.from([0, 0, 0, 16]),
    Buffer.from(`ftyp${brand === 'heif' ? 'mif1' : brand}`),
    Buffer.alloc(100),
  ]);
  writeFileSync(join(folder, 'a.jpg'), bytes);
  const phone = { ...image, source: 'a.jpg' };
  expect(await pictures.look(phone)).toMatchObject({ place: 'unshown', small: undefined });
  await expect(pictures.open(phone, 'small')).rejects.toMatchObject({ code: 'media_missing' });
});

it('a missing file, and one outside the media folder, have no picture', async () => {
  const { pictures, video } = setUp();
  for (const source of ['none.mp4', '../a.mp4', '/etc/passwd']) {
    expect(await pictures.look({ ...video, source })).toEqual({
      place: 'missing',
      version: '',
      small: undefined,
    });
    await expect(pictures.open({ ...video, source }, 'whole')).rejects.toThrow();
  }
});

it('a file of another server is fetched once, however many ask for it', async (test) => {
  const { url, requests } = await serveMedia(test);
  const { open, pictures } = setUp();
  const a = remote(`${url}/a.png`);
  expect(await pictures.look(a)).toEqual({ place: 'away', version: '', small: undefined });
  expect(requests).toHaveLength(0);
  const opened = await Promise.all([1, 2, 3].map(() => pictures.open(a, 'whole')));
  for (const each of opened) expect(await contentOf(each)).toEqual(png('/a.png'));
  const again = open();
  expect(await again.look(a)).toMatchObject({ place: 'kept' });
  await (await again.open(a, 'small')).close();
  expect(requests).toHaveLength(1);
  expect(requests[0]).not.toHaveProperty('x-api-key');
});

it('files are fetched once the folder of downloads can be made', async (test) => {
  const { url } = await serveMedia(test);
  const { pictures, directory } = setUp();
  const inTheWay = join(directory, 'incoming');
  writeFileSync(inTheWay, '');
  await expect(pictures.open(remote(`${url}/a.png`), 'whole')).rejects.toThrow();
  rmSync(inTheWay);
  expect(await contentOf(await pictures.open(remote(`${url}/a.png`), 'whole'))).toEqual(png('/a.png'));
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

it('a cover whose URL has expired is fetched from the URL that the service names next', async (test) => {
  const { url } = await serveMedia(test);
  const { pictures } = setUp();
  const cover = (source: string) => ({ ...remote(source), copyOf: 'v1' });
  await expect(pictures.open(cover('http://127.0.0.1:1/a.png'), 'small')).rejects.toThrow(
    'cannot be reached',
  );
  const opened = await pictures.open(cover(`${url}/a.png`), 'small');
  expect(await contentOf(opened)).toEqual(png('/a.png'));
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

it.skipIf(!existsSync('/proc/self/fd'))(
  'however many files are looked at, few are open at once',
  async () => {
    const { folder, pictures, image } = setUp();
    const names = Array.from({ length: 400 }, (_, index) => `${index}.png`);
    for (const name of names) writeFileSync(join(folder, name), png(name));
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, open());
    });
    const found = await Promise.all(names.map((source) => smallNameOf(pictures, { ...image, source })));
    clearInterval(timer);
    expect(new Set(found)).toHaveLength(400);
    expect(most - before).toBeLessThan(60);
  },
);

it('a small version that was removed from the disk is made again', async () => {
  const { directory, pictures, photo } = setUp();
  await (await pictures.open(photo, 'small')).close();
  rmSync(join(directory, 'root-1'), { recursive: true });
  // The file is noticed to be gone, and the whole image serves once.
  await (await pictures.open(photo, 'small')).close();
  await (await pictures.open(photo, 'small')).close();
  expect(smallOnes(directory)).toHaveLength(2);
});
