/** Guesses the encoding of text that could not be detected. Used only in a message: people decide. */
import type { Encoding } from './encoding.ts';
import { toUtf8 } from './to-utf8.ts';

interface Candidate {
  readonly encoding: Encoding;
  /** The most common letters of its texts. */
  readonly letters: RegExp;
  /** Smallest share of these among all letters beyond ASCII. */
  readonly share: number;
}

/** Japanese mixes kanji with kana, so the share of kana is low. */
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

/** Fewer letters say nothing about a script. */
const fewest = 4;
const beyondAscii = /[^\p{ASCII}\p{P}\p{S}]/gu;

/** @returns `null` if the bytes match no candidate. */
export function guessEncoding(bytes: Buffer): Encoding | null {
  if (looksLike(bytes, japanese)) return japanese.encoding;
  // Accented letters are usually next to plain ones; letters of other scripts come in words.
  if (isolatedShare(bytes) > 0.5) return 'windows-1252';
  return others.find((candidate) => looksLike(bytes, candidate))?.encoding ?? null;
}

function looksLike(bytes: Buffer, { encoding, letters, share }: Candidate): boolean {
  const text = toUtf8(bytes, encoding, { stream: true })?.toString();
  if (text === undefined) return false;
  const all = text.match(beyondAscii)?.length ?? 0;
  return all >= fewest && (text.match(letters)?.length ?? 0) >= all * share;
}

/** Share of the bytes beyond ASCII, from 0 to 1, that have only ASCII next to them. */
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
