/** Guesses the encoding of text that could not be detected. Used only in a message: people decide. */
import { showValue } from '../../manifest/problems/problem.ts';
import type { Encoding } from './encoding.ts';
import { HighRuns } from './high-runs.ts';
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
  if (isLatin(bytes)) return 'windows-1252';
  return others.find((candidate) => looksLike(bytes, candidate))?.encoding ?? null;
}

/** The first text beyond ASCII as it reads in this encoding: about a cell; empty if there is none. */
export function textInEncoding(bytes: Buffer, encoding: Encoding): string {
  const text = toUtf8(bytes, encoding, { stream: true })?.toString() ?? '';
  const at = text.search(/[^\p{ASCII}]/u);
  if (at < 0) return '';
  const before = text.slice(0, at).split(cellEnd).at(-1) ?? '';
  const [after = ''] = text.slice(at).split(cellEnd, 1);
  return showValue((before + after).trim());
}

/** A comma before a space belongs to the text. */
const cellEnd = /[;\t|"\r\n]|,(?! )/;

function looksLike(bytes: Buffer, { encoding, letters, share }: Candidate): boolean {
  const text = toUtf8(bytes, encoding, { stream: true })?.toString();
  if (text === undefined) return false;
  const all = text.match(beyondAscii)?.length ?? 0;
  return all >= fewest && (text.match(letters)?.length ?? 0) >= all * share;
}

/** Whether most bytes beyond ASCII stand in words of plain letters: letters of other scripts come in words of their own. */
function isLatin(bytes: Buffer): boolean {
  const runs = new HighRuns().add(bytes).end();
  return runs.latinBytes * 2 > runs.bytes;
}
