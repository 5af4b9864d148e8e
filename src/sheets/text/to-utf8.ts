/** The bytes of a text as UTF-8, and where they may be cut. */
import { isUtf8 } from 'node:buffer';
import type { Encoding } from './encoding.ts';

/**
 * The same text in UTF-8; `null` where the bytes are invalid. A byte order mark stays in it.
 * @param bytes begin with a character.
 * @param stream leaves out a character that the bytes end in the middle of; else that is invalid.
 */
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

/** Its bytes from 0x80 to 0x9f. `TextDecoder` reads them as control characters in some releases of Node. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function fromWindows1252(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte));
}

/** More bytes without a separator are cut wherever they end: no row is as long. */
const mostHeld = 1024 * 1024;

/** Where the bytes, which begin with a character, can be cut so that the rest does so, too. */
export function lastCut(bytes: Buffer, encoding: Encoding): number {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return lastCutOfUtf16(bytes, encoding);
  // Separators, quotes, spaces and line breaks are below 0x30, where no encoding has a part of a longer character.
  const from = bytes.findLastIndex((byte) => byte < 0x30) + 1;
  return bytes.length - from > mostHeld ? bytes.length : from;
}

function lastCutOfUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): number {
  const end = bytes.length - (bytes.length % 2);
  const high = bytes[encoding === 'utf-16le' ? end - 1 : end - 2] ?? 0;
  const isFirstOfPair = high >= 0xd8 && high <= 0xdb;
  return isFirstOfPair ? end - 2 : end;
}
