/** Files that are cut off, or are no whole picture: seen by their structure. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeLocalMedia } from '../../../src/service/media/source.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { mp4, png } from '../../support/sheets/media.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';

const examples = join(import.meta.dirname, '../../../examples/media');
const film = readFileSync(join(examples, 'videos/mug.mp4'));
const picture = readFileSync(join(examples, 'photos/mug-1.jpg'));

function look(name: string, bytes: Buffer) {
  const mediaRoot = temporaryFolder();
  writeFileSync(join(mediaRoot, name), bytes);
  return describeLocalMedia(name, { mediaRoot, maxBytes: 100_000_000 });
}

/** A JPEG as cameras write it: a small picture within its head, then data, then more behind the end. */
function jpeg(behind: Buffer, end = Buffer.from('ffd9', 'hex')): Buffer {
  const small = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(200, 1), Buffer.from('ffd9', 'hex')]);
  const head = Buffer.from('ffd8ffe1000000', 'hex').subarray(0, 6);
  head.writeUInt16BE(small.length + 2, 4);
  const scan = Buffer.concat([Buffer.from('ffda0003', 'hex'), Buffer.alloc(300_000, 7)]);
  return Buffer.concat([head, small, scan, end, behind]);
}

describe('a file', () => {
  it.each([
    ['whole.mp4', film],
    ['made.mp4', mp4('a', 1000)],
    ['more-behind.mp4', Buffer.concat([mp4('a'), Buffer.from('something that is no box')])],
    ['unknown-boxes.mp4', bytesOf('video/mp4', 2000)],
    ['whole.jpg', picture],
    ['film-behind.jpg', jpeg(Buffer.alloc(100_000, 9))],
    ['whole.png', png('a')],
    ['more-behind.png', Buffer.concat([png('a'), Buffer.alloc(100)])],
    ['whole.webm', bytesOf('video/webm', 100)],
  ])('that is whole: %s', async (name, bytes) => {
    expect(await look(name, bytes)).toMatchObject({ size: bytes.length, cut: undefined });
  });

  it.each([
    ['half.mp4', film.subarray(0, film.length / 2), /cut off; it lacks at least \d+ KB/],
    ['half.jpg', picture.subarray(0, picture.length / 2), /the end of the picture is missing/],
    ['head.jpg', picture.subarray(0, 300), /the end of the picture is missing/],
    ['no-end.jpg', jpeg(Buffer.alloc(0), Buffer.alloc(0)), /the end of the picture is missing/],
    ['six.jpg', Buffer.from('ffd8ffe000ff', 'hex'), /not a complete picture: it has 6 bytes/],
    ['half.png', png('a').subarray(0, 100), /the end of the picture is missing/],
    ['half.webp', Buffer.from('RIFF\xff\0\0\0WEBPVP8 aaaaaaaa', 'latin1'), /it lacks at least 239 bytes/],
  ])('that is not is told: %s', async (name, bytes, message) => {
    expect((await look(name, bytes)).cut?.problem).toMatch(message);
  });
});
