/** The supported encodings of text manifests: their names, conversion to UTF-8, and where their bytes can be cut. */
import { isUtf8 } from 'node:buffer';

/** Names for people. The first four are detected; the others must be named, because most bytes are valid in all of them. */
export const encodingTitles = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  gb18030: 'GB18030',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'euc-kr': 'EUC-KR',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  'windows-874': 'Windows-874',
  'iso-8859-2': 'ISO 8859-2',
  'iso-8859-15': 'ISO 8859-15',
  'koi8-r': 'KOI8-R',
  macintosh: 'Mac Roman',
} as const;

export type Encoding = keyof typeof encodingTitles;

export const encodings = Object.keys(encodingTitles) as readonly Encoding[];

/** Names that `TextDecoder` does not know, and older subsets of GB18030. */
const otherNames: ReadonlyMap<string, Encoding> = new Map([
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['gbk', 'gb18030'],
  ['cp936', 'gb18030'],
  ['cp932', 'shift_jis'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
]);

/** Finds an encoding by name, in any case; `undefined` if it is unknown. `latin1` and `iso-8859-1` give Windows-1252, as on the web. */
export function parseEncoding(name: string): Encoding | undefined {
  const lower = name.trim().toLowerCase();
  const canonical = canonicalName(lower);
  return encodings.find((encoding) => encoding === canonical) ?? otherNames.get(canonical);
}

function canonicalName(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}

/** Decodes bytes, and keeps a byte order mark; `null` if invalid. @param bytes begin at a character. @param stream ignores an incomplete last one. */
export function toUtf8(bytes: Buffer, encoding: Encoding, { stream }: { stream: boolean }): Buffer | null {
  if (encoding === 'utf-8' && isUtf8(bytes)) return bytes;
  if (encoding === 'windows-1252') return fromWindows1252(bytes);
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    return Buffer.from(decoder.decode(bytes, { stream }));
  } catch {
    return null;
  }
}

/** Bytes 0x80 to 0x9f. `TextDecoder` reads them as control characters in some releases of Node. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function fromWindows1252(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte));
}

/** Longer stretches without a separator are cut at their end: no row is this long. */
const mostHeld = 1024 * 1024;

/** The last index at which the bytes can be cut so that the rest begins at a character. */
export function lastCut(bytes: Buffer, encoding: Encoding): number {
  if (encoding === 'utf-8') return lastCutOfUtf8(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return lastCutOfUtf16(bytes, encoding);
  // Separators, quotes, spaces and line breaks are below 0x30. No encoding uses these bytes inside a longer character.
  let from = bytes.length;
  while (from > 0 && (bytes[from - 1] ?? 0) >= 0x30) from -= 1;
  return bytes.length - from > mostHeld ? bytes.length : from;
}

/** Before the last character, if it may be incomplete. */
function lastCutOfUtf8(bytes: Buffer): number {
  for (let from = bytes.length - 1; from >= 0 && from >= bytes.length - 4; from -= 1) {
    const byte = bytes[from] ?? 0;
    if (byte < 0x80) return from + 1;
    if (byte >= 0xc0) return from;
  }
  return bytes.length;
}

function lastCutOfUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): number {
  const end = bytes.length - (bytes.length % 2);
  const high = bytes[encoding === 'utf-16le' ? end - 1 : end - 2] ?? 0;
  const isFirstOfPair = high >= 0xd8 && high <= 0xdb;
  return isFirstOfPair ? end - 2 : end;
}
