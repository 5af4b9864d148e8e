/** How the bytes of each encoding become UTF-8, piece by piece. */
import { isUtf8 } from 'node:buffer';
import type { Encoding } from './encoding.ts';

export interface Codec {
  /** How many bytes at the end begin a character without finishing it. `bytes` begins with a character. */
  unfinished(bytes: Buffer): number;
  /** The same text in UTF-8; `null` where the bytes are invalid. A byte order mark stays in it. */
  toUtf8(bytes: Buffer): Buffer | null;
}

export function codecOf(encoding: Encoding): Codec {
  switch (encoding) {
    case 'utf-8':
      return { unfinished: unfinishedUtf8, toUtf8: (bytes) => (isUtf8(bytes) ? bytes : null) };
    case 'gb18030':
      return { unfinished: unfinishedGb18030, toUtf8: transcoder(encoding) };
    case 'utf-16le':
      return { unfinished: (bytes) => unfinishedUtf16(bytes, 1), toUtf8: transcoder(encoding) };
    case 'utf-16be':
      return { unfinished: (bytes) => unfinishedUtf16(bytes, 0), toUtf8: transcoder(encoding) };
    case 'shift_jis':
      return { unfinished: (bytes) => unfinishedPair(bytes, isShiftJisLead), toUtf8: transcoder(encoding) };
    case 'euc-kr':
    case 'big5':
      return { unfinished: (bytes) => unfinishedPair(bytes, isLead), toUtf8: transcoder(encoding) };
    case 'windows-1252':
      return { unfinished: () => 0, toUtf8: fromWindows1252 };
    default:
      return { unfinished: () => 0, toUtf8: transcoder(encoding) };
  }
}

/** Its bytes from 0x80 to 0x9f. `TextDecoder` reads them as control characters in some releases of Node. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function fromWindows1252(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte));
}

function transcoder(encoding: Encoding): Codec['toUtf8'] {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return Buffer.from(decoder.decode(bytes));
    } catch {
      return null;
    }
  };
}

function unfinishedUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}

/** @param high where the higher byte of a unit stands. */
function unfinishedUtf16(bytes: Buffer, high: 0 | 1): number {
  const odd = bytes.length % 2;
  const last = bytes[bytes.length - odd - 2 + high] ?? 0;
  const isFirstOfPair = last >= 0xd8 && last <= 0xdb;
  return isFirstOfPair ? odd + 2 : odd;
}

/** The bytes after the first one of a character look like others: only counting from the start tells where one ends. */
function unfinishedGb18030(bytes: Buffer): number {
  let index = 0;
  while (index < bytes.length) {
    const length = gb18030Length(bytes, index);
    if (index + length > bytes.length) return bytes.length - index;
    index += length;
  }
  return 0;
}

/** Where a character takes one byte or two, as the first one tells. */
function unfinishedPair(bytes: Buffer, isFirst: (byte: number) => boolean): number {
  let index = 0;
  while (index < bytes.length) index += isFirst(bytes[index] ?? 0) ? 2 : 1;
  return index > bytes.length ? 1 : 0;
}

function isLead(byte: number): boolean {
  return byte >= 0x81 && byte <= 0xfe;
}

function isShiftJisLead(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
}

/** How many bytes the character that begins here takes in GB18030. */
export function gb18030Length(bytes: Buffer, index: number): 1 | 2 | 4 {
  const first = bytes[index] ?? 0;
  if (first <= 0x80 || first === 0xff) return 1;
  const second = bytes[index + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
}
