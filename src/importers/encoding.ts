/** The encodings that a text manifest may be in: their names, and how bytes of each become UTF-8. */
import { isUtf8 } from 'node:buffer';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030'] as const;
export type Encoding = (typeof encodings)[number];

/** As people say it. */
export const encodingTitles: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
};

/** GB18030 holds both of its forerunners. */
const otherNames: ReadonlyMap<string, Encoding> = new Map([
  ['utf8', 'utf-8'],
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['gbk', 'gb18030'],
  ['gb2312', 'gb18030'],
]);

/** The encoding of this name, in any case; `undefined` where there is none. */
export function parseEncoding(name: string): Encoding | undefined {
  const lower = name.trim().toLowerCase();
  return encodings.find((encoding) => encoding === lower) ?? otherNames.get(lower);
}

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
  }
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

/** How many bytes the character that begins here takes. */
export function gb18030Length(bytes: Buffer, index: number): 1 | 2 | 4 {
  const first = bytes[index] ?? 0;
  if (first <= 0x80 || first === 0xff) return 1;
  const second = bytes[index + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
}
