/** Guesses the encoding of text that is in none of those that are found for certain. For a message only: people decide. */
import type { Encoding } from './encoding.ts';
import { toUtf8 } from './to-utf8.ts';

interface Candidate {
  readonly encoding: Encoding;
  /** Letters that its texts are mostly made of. */
  readonly letters: RegExp;
  /** How many of all letters beyond ASCII have to be of them. */
  readonly share: number;
}

/** Kanji stand between kana. */
const japanese: Candidate = {
  encoding: 'shift_jis',
  letters: /[\p{Script=Hiragana}\u30a1-\u30fe]/gu,
  share: 0.3,
};
const others: readonly Candidate[] = [
  { encoding: 'euc-kr', letters: /[\uac00-\ud7a3]/gu, share: 0.9 },
  { encoding: 'windows-1251', letters: /[а-яё]/gu, share: 0.7 },
  { encoding: 'big5', letters: /\p{Script=Han}/gu, share: 0.8 },
  { encoding: 'gb18030', letters: /\p{Script=Han}/gu, share: 0.8 },
];

/** Fewer letters than these tell nothing about a script. */
const fewest = 4;
const beyondAscii = /[^\p{ASCII}\p{P}\p{S}]/gu;

/** @returns `null` where the bytes look like nothing that is known. */
export function guessEncoding(bytes: Buffer): Encoding | null {
  if (looksLike(bytes, japanese)) return japanese.encoding;
  // Accented letters stand between plain ones; other scripts have words of their own.
  if (isolatedShare(bytes) > 0.5) return 'windows-1252';
  return others.find((candidate) => looksLike(bytes, candidate))?.encoding ?? null;
}

function looksLike(bytes: Buffer, { encoding, letters, share }: Candidate): boolean {
  const text = toUtf8(bytes, encoding, { stream: true })?.toString();
  if (text === undefined) return false;
  const all = text.match(beyondAscii)?.length ?? 0;
  return all >= fewest && (text.match(letters)?.length ?? 0) >= all * share;
}

/** How many of the bytes beyond ASCII have none beside them, from 0 to 1. */
function isolatedShare(bytes: Buffer): number {
  let high = 0;
  let isolated = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[index - 1] ?? 0) < 0x80 && (bytes[index + 1] ?? 0) < 0x80) isolated += 1;
  }
  return high === 0 ? 0 : isolated / high;
}
