/**
 * Tells whether a picture or video is whole, as far as its structure shows it: nothing is decoded. A few reads are enough, but for a JPEG
 * that does not end as JPEGs do, which is read once.
 */
import { describeSize } from '../../manifest/printable.ts';
import type { Fix } from '../../manifest/problems/hint.ts';
import type { PieceReader } from './content-hash.ts';

/** No file of the type is smaller, in bytes. */
const smallest: Readonly<Record<string, number>> = {
  'image/jpeg': 100,
  'image/png': 57,
  'image/gif': 26,
  'image/bmp': 26,
  'image/webp': 20,
};

/** Parts of one file that are looked at. Damaged files may have very many. */
const mostParts = 100_000;
/** Larger JPEGs are not searched for their end. */
const longestSearch = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;

export interface MediaFault {
  /** As a sentence. */
  readonly problem: string;
  readonly fix: Fix;
}

const fix = 'Check that it opens, or copy the file again from its source.';

/** @param contentType as its first bytes show it. @returns undefined for a whole file, or a type that does not show it. */
export async function findCut(
  handle: PieceReader,
  size: number,
  contentType: string,
): Promise<MediaFault | undefined> {
  const problem = await tellCut(handle, size, contentType);
  return problem === undefined ? undefined : { problem, fix };
}

async function tellCut(handle: PieceReader, size: number, contentType: string): Promise<string | undefined> {
  const least = smallest[contentType] ?? 0;
  if (size < least) {
    return `The file is not a complete picture: it has ${size} bytes; even the smallest picture has more than ${least}.`;
  }
  const file = { handle, size };
  switch (contentType) {
    case 'image/jpeg':
      return cutJpeg(file);
    case 'image/png':
      return cutPng(file);
    case 'image/webp':
      return tooShort(file, 8 + (await read(file, 4, 4)).readUInt32LE(0));
    case 'image/bmp':
      return tooShort(file, (await read(file, 2, 4)).readUInt32LE(0));
    default:
      return isBoxes.has(contentType) ? cutBoxes(file) : undefined;
  }
}

interface OpenFile {
  readonly handle: PieceReader;
  readonly size: number;
}

const withoutEnd = 'The file is cut off; the end of the picture is missing.';

async function cutJpeg(file: OpenFile): Promise<string | undefined> {
  const tail = await read(file, file.size - 2, 2);
  if (tail.readUInt16BE(0) === endOfImage) return undefined;
  const from = await findScan(file);
  if (from === undefined) return withoutEnd;
  // Phones put more behind the picture, such as a short film. The data of a picture never has these two bytes.
  const end = Math.min(file.size, from + longestSearch);
  for (let at = from; at < end; at += chunkBytes) {
    const chunk = await read(file, at, Math.min(chunkBytes + 1, file.size - at));
    if (chunk.includes(endMarker)) return undefined;
  }
  return end < file.size ? undefined : withoutEnd;
}

const endOfImage = 0xffd9;
const endMarker = Buffer.from([0xff, 0xd9]);
const startOfScan = 0xda;

/** Where the data of a JPEG begins; undefined if the file ends before, or is no JPEG behind its first bytes. */
async function findScan(file: OpenFile): Promise<number | undefined> {
  let at = 2;
  for (let part = 0; part < mostParts && at + 4 <= file.size; part += 1) {
    const head = await read(file, at, 4);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff) return undefined;
    // Bytes that fill up, and markers without data.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      at += 2 + head.readUInt16BE(2);
      if (marker === startOfScan) return at;
    }
  }
  return undefined;
}

async function cutPng(file: OpenFile): Promise<string | undefined> {
  const isEnd = (chunk: Buffer) => chunk.toString('latin1', 4, 8) === 'IEND';
  if (isEnd(await read(file, file.size - 12, 8))) return undefined;
  let at = 8;
  for (let part = 0; part < mostParts && at + 12 <= file.size; part += 1) {
    const head = await read(file, at, 8);
    if (isEnd(head)) return undefined;
    at += 12 + head.readUInt32BE(0);
  }
  return withoutEnd;
}

/** Files of boxes, each with its length (ISO/IEC 14496-12). */
const isBoxes: ReadonlySet<string> = new Set([
  ...['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp'],
  ...['image/heic', 'image/heif', 'image/avif'],
]);
const boxes: ReadonlySet<string> = new Set(
  'ftyp moov mdat free skip wide meta moof mfra sidx styp uuid pnot udta'.split(' '),
);

async function cutBoxes(file: OpenFile): Promise<string | undefined> {
  let at = 0;
  for (let part = 0; part < mostParts && at + 8 <= file.size; part += 1) {
    const head = await read(file, at, 16);
    const short = head.readUInt32BE(0);
    // Something else stands behind the boxes, or the last one goes to the end.
    if (!boxes.has(head.toString('latin1', 4, 8)) || short === 0) return undefined;
    const length = short === 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8) return undefined;
    at += length;
  }
  return tooShort(file, at);
}

function tooShort({ size }: OpenFile, wanted: number): string | undefined {
  return size >= wanted
    ? undefined
    : `The file is cut off; it lacks at least ${describeSize(wanted - size)}.`;
}

async function read({ handle, size }: OpenFile, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, at);
  // A file that shrinks meanwhile reads as zeros, which are no part of anything.
  return bytesRead < bytes.length ? bytes.fill(0, bytesRead) : bytes;
}
