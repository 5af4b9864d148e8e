/** Media by path and by URL, opened for an upload. */
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AddressPolicy } from '../../../src/service/media/addresses.ts';
import { Downloader } from '../../../src/service/media/download.ts';
import {
  describeLocalMedia,
  identifyMedia,
  type OpenedMedia,
  openMedia,
} from '../../../src/service/media/source.ts';
import { openSpool } from '../../../src/service/media/spool.ts';
import { rejection } from '../../support/client.ts';
import { collect } from '../../support/collect.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { contractHash } from '../../support/sandbox.ts';
import { bytesOf, png } from '../../support/sheets/media-bytes.ts';
import { httpAnswer, wireServer } from '../../support/wire-server.ts';

const large = 3 * 1024 * 1024 + 17;

async function setUp(maxBytes = 10_000_000) {
  const folder = temporaryFolder();
  const mediaRoot = join(folder, 'media');
  const directory = join(folder, 'spool');
  mkdirSync(mediaRoot);
  const spool = await openSpool({ directory, quotaBytes: 100_000_000 });
  const downloader = new Downloader({ spool, addresses: new AddressPolicy(['127.0.0.1']), maxBytes });
  onTestFinished(() => downloader[Symbol.asyncDispose]());
  const write = (name: string, bytes: Buffer) => writeFileSync(join(mediaRoot, name), bytes);
  return { mediaRoot, directory, write, options: { mediaRoot, maxBytes, downloader } };
}

async function bytesFrom(media: OpenedMedia): Promise<Buffer> {
  return 'bytes' in media ? media.bytes : Buffer.concat(await collect<Buffer>(media.open()));
}

test('a small file is kept in memory', async () => {
  const { write, options, mediaRoot } = await setUp();
  write('a.png', png);
  await using media = await openMedia('a.png', options);

  expect(media).toMatchObject({
    fileName: 'a.png',
    contentType: 'image/png',
    kind: 'PHOTO',
    size: png.length,
    hash: contractHash(png),
    bytes: png,
    identity: await identifyMedia('a.png', mediaRoot),
  });
});

test('a large file is read again each time it is sent', async () => {
  const { write, options } = await setUp();
  const bytes = bytesOf('video/mp4', large);
  write('clip.mp4', bytes);
  await using media = await openMedia('clip.mp4', options);

  expect(media).toMatchObject({
    contentType: 'video/mp4',
    kind: 'VIDEO',
    size: large,
    hash: contractHash(bytes),
  });
  expect((await bytesFrom(media)).equals(bytes)).toBe(true);
  expect((await bytesFrom(media)).equals(bytes)).toBe(true);
});

test('a file changed after hashing is noticed before its last byte is sent', async () => {
  const { write, options, mediaRoot } = await setUp();
  write('clip.mp4', bytesOf('video/mp4', large));
  await using media = await openMedia('clip.mp4', options);
  appendFileSync(join(mediaRoot, 'clip.mp4'), 'more');

  expect(await rejection(bytesFrom(media))).toMatchObject({ code: 'media_changed', transient: true });
});

test.each([
  ['no bytes', Buffer.alloc(0), 'media_empty'],
  ['too many bytes', bytesOf('image/png', 2001), 'media_too_large'],
  ['bytes of another type', bytesOf('video/mp4', 100), 'media_type_mismatch'],
])('a file with %s is refused', async (_, bytes, code) => {
  const { write, options } = await setUp(2000);
  write('a.png', bytes);

  expect(await rejection(openMedia('a.png', options))).toMatchObject({ code, subject: 'a.png' });
  expect(await rejection(describeLocalMedia('a.png', options))).toMatchObject({ code });
});

test('a local file can be described without reading it all', async () => {
  const { write, options, mediaRoot } = await setUp();
  write('clip.mov', bytesOf('video/quicktime', large));

  expect(await describeLocalMedia('clip.mov', options)).toEqual({
    fileName: 'clip.mov',
    contentType: 'video/quicktime',
    kind: 'VIDEO',
    size: large,
    sample: expect.any(String),
    identity: await identifyMedia('clip.mov', mediaRoot),
  });
});

test.each([
  ['/photos/a.png?x=1', 'a.png'],
  ['/photos/a.jpg', 'a.png'],
  ['/photos/', 'media.png'],
  ['/download', 'download.png'],
  ['/%E7%8C%AB.png', '猫.png'],
  ['/a%2Fb%2F..%2Fc.png', 'c.png'],
  ['/%ff%fe', '%ff%fe.png'],
])('a file from %s is named %s', async (path, fileName) => {
  const { options } = await setUp();
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, png)));
  await using media = await openMedia(server.origin + path, options);

  expect(media).toMatchObject({ fileName, contentType: 'image/png', identity: undefined });
});

test('a large file from a URL is streamed from the spool, and its space is released', async () => {
  const { directory, options } = await setUp();
  const bytes = bytesOf('video/mp4', large);
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, bytes)));
  {
    await using media = await openMedia(`${server.origin}/clip.mp4`, options);
    expect(media).toMatchObject({ size: large, hash: contractHash(bytes) });
    expect((await bytesFrom(media)).equals(bytes)).toBe(true);
    expect(readdirSync(directory)).toHaveLength(1);
  }
  expect(readdirSync(directory)).toEqual([]);
});

test('a web page instead of a file is refused, and leaves nothing', async () => {
  const { directory, options } = await setUp();
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, '<html>Sign in</html>')));

  expect(await rejection(openMedia(`${server.origin}/clip.mp4`, options))).toMatchObject({
    code: 'media_web_page',
  });
  expect(readdirSync(directory)).toEqual([]);
});

test.each(['none.png', '../a.png', 'https://example.com/a.png'])('%s has no identity', async (source) => {
  const { mediaRoot } = await setUp();

  expect(await identifyMedia(source, mediaRoot)).toBeUndefined();
});
