import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { describeProbe, MediaProber } from '../../../src/service/media/probe.ts';
import { patienceMs } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { photo } from '../../support/photo.ts';
import { seededRandom } from '../../support/random.ts';
import { projectRoot } from '../../support/sheets/manifests.ts';
import { blankMovie, box, type MovieFacts, movie } from '../../support/sheets/movie.ts';

/** A busy machine takes long to start its thread. */
const prober = new MediaProber({ longestMs: patienceMs });
let contents = 0;

/** A file in memory that counts what is read of it. */
async function lookAt(bytes: Buffer, contentType = 'video/mp4', { size = bytes.length, by = prober } = {}) {
  let read = 0;
  const handle = {
    async read(buffer: Buffer, offset: number, length: number, position: number) {
      read += length;
      return { bytesRead: bytes.copy(buffer, offset, position, position + length) };
    },
  };
  contents += 1;
  const probe = await by.probe(`content ${contents}`, contentType, handle, size);
  return { probe, text: probe && describeProbe(probe), read };
}

it.for<[string, MovieFacts, string]>([
  ['an upright video', {}, '0:19 · 1080 × 1920 · H.264'],
  [
    'a video of a phone that was turned',
    { width: 1920, height: 1080, isTurned: true },
    '0:19 · 1080 × 1920 · H.264',
  ],
  [
    'a landscape video of HEVC',
    { width: 1280, height: 720, codec: 'hvc1', ms: 61_400 },
    '1:01 · 1280 × 720 · HEVC',
  ],
  ['a video of no length', { ms: 0 }, '0:00 · 1080 × 1920 · H.264'],
  ['another codec', { codec: 'mp4v' }, '0:19 · 1080 × 1920 · mp4v'],
])('reads %s', async ([, facts, text]) => {
  expect((await lookAt(movie(facts))).text).toBe(text);
});

it('reads headers behind the pictures, and not the pictures', async () => {
  const bytes = movie({}, { atEnd: true });
  const { text, read } = await lookAt(bytes, 'video/quicktime');
  expect(text).toBe('0:19 · 1080 × 1920 · H.264');
  expect(read).toBeLessThan(bytes.length / 2);
});

it('finds no length in a video without a track', async () => {
  const { probe, text } = await lookAt(blankMovie());
  expect(probe).toEqual({ durationMs: 0 });
  expect(text).toBe('0:00');
});

it('finds no length in a video of sound alone', async () => {
  const sound = movie({ codec: 'mp4a' }).toString('latin1').replace('vide', 'soun').replace('vmhd', 'smhd');
  expect((await lookAt(Buffer.from(sound, 'latin1'))).probe).toEqual({ durationMs: 0 });
});

it('keeps no process alive by what a library prints', async () => {
  const file = join(temporaryFolder(), 'phone.mov');
  const bytes = movie({ more: [box('udta', box('\u00a9swr', Buffer.from('Phone')))] });
  writeFileSync(file, bytes);
  const program = `
    const { MediaProber } = await import('${new URL('../../../src/service/media/probe.ts', import.meta.url)}');
    const handle = await (await import('node:fs/promises')).open('${file}');
    const probe = await new MediaProber({ longestMs: ${patienceMs} }).probe('a', 'video/quicktime', handle, ${bytes.length});
    console.log(probe.codec);
    await handle.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 30_000,
  });
  expect(stdout).toBe('H.264\n');
});

it('reads a video as programs make it', async () => {
  const bytes = readFileSync(join(projectRoot, 'examples/media/videos/serum.mp4'));
  expect((await lookAt(bytes)).text).toBe('0:04 · 360 × 640 · H.264');
});

it('reads the pixels of pictures', async () => {
  const image = await photo(60, 80);
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const bytes = await sharp(image).toFormat(format).toBuffer();
    expect([format, (await lookAt(bytes, `image/${format}`)).text]).toEqual([format, '60 × 80']);
  }
});

it('reads a JPEG with a large preview in front', async () => {
  const segment = Buffer.concat([Buffer.from('ffe1fffe', 'hex'), Buffer.alloc(65_532)]);
  const jpeg = await sharp(await photo(60, 80))
    .jpeg()
    .toBuffer();
  const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, segment, jpeg.subarray(2)]);
  expect((await lookAt(bytes, 'image/jpeg')).text).toBe('60 × 80');
});

it('takes the claim of 3,600 megapixels as one', async () => {
  const png = Buffer.from(
    await sharp(await photo(6, 8))
      .png()
      .toBuffer(),
  );
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  expect((await lookAt(png, 'image/png')).probe).toMatchObject({ width: 60_000, height: 60_000 });
});

it('looks once at the same content', async () => {
  const handle = { read: () => Promise.reject(new Error('read again')) };
  const own = new MediaProber({ longestMs: patienceMs });
  const { probe } = await lookAt(movie(), 'video/mp4', { by: own });
  expect(await own.probe(`content ${contents}`, 'video/mp4', handle, 100)).toEqual(probe);
});

const brand = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'));
const nested = (depth: number) =>
  Array.from({ length: depth }).reduce<Buffer>(
    (inner, _, at) => box(at % 2 ? 'moov' : 'trak', inner),
    box('free'),
  );

it.for<[string, Buffer, number?]>([
  ['no boxes', Buffer.concat([brand, Buffer.alloc(5000, 7)])],
  ['a header that is cut off', movie().subarray(0, 300)],
  ['a header as large as the file', Buffer.concat([brand, Buffer.from('7fffffff6d6f6f76', 'hex')]), 2 ** 40],
  ['boxes in boxes', Buffer.concat([brand, nested(2000)])],
  ['very many boxes', Buffer.concat([brand, ...Array.from({ length: 20_000 }, () => box('free'))])],
])('tells nothing of %s, and reads a bounded part of it', async ([, bytes, size = bytes.length]) => {
  const { probe, read } = await lookAt(bytes, 'video/mp4', { size });
  expect(probe).toBeUndefined();
  expect(read).toBeLessThanOrEqual(17 * 1024 * 1024);
});

it('outlives damage of any kind', async () => {
  const random = seededRandom();
  const header = movie().subarray(0, 900);
  for (let round = 0; round < 200; round += 1) {
    const bytes = Buffer.from(header);
    for (let hit = 0; hit < 8; hit += 1) bytes[random.integer(24, 700)] = random.integer(0, 255);
    await lookAt(bytes);
  }
  expect((await lookAt(movie())).text).toBe('0:19 · 1080 × 1920 · H.264');
});

it('gives up a file that takes too long, and looks at the next one', async () => {
  const hasty = new MediaProber({ longestMs: 1 });
  expect((await lookAt(movie(), 'video/mp4', { by: hasty })).probe).toBeUndefined();
  expect((await lookAt(movie())).text).toBeDefined();
});
