/**
 * Guesses the encoding of text that could not be detected, only for a message: people decide. Tells Chinese from text that only happens
 * to be valid in an encoding of Chinese: Korean, Cyrillic, Japanese, accented Latin.
 */
import { showValue } from '../../manifest/problems/problem.ts';
import { type Encoding, toUtf8 } from './encoding.ts';

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
  { encoding: 'gb18030', letters: /\p{Script=Han}/gu, share: 0.8 },
  { encoding: 'big5', letters: /\p{Script=Han}/gu, share: 0.8 },
];

/** With more letters, the first guess is hardly ever wrong. */
const fewLetters = 8;
const mostGuesses = 3;
const beyondAscii = /[^\p{ASCII}\p{P}\p{S}]/gu;

interface Guess {
  readonly encoding: Encoding;
  /** The first text beyond ASCII: about a cell. */
  readonly text: string;
}

/** @returns the likeliest encoding first, and others if the text is too short to decide; empty if the bytes match no candidate. */
export function guessEncodings(bytes: Buffer): readonly Guess[] {
  const likely = candidates(bytes);
  const [first] = likely;
  if (first === undefined) return [];
  const letters = decode(bytes, first)?.match(beyondAscii)?.length ?? 0;
  // Korean may look like words of Chinese, however long it is.
  const shown = letters < fewLetters ? likely : [first, ...likely.filter((other) => other === 'euc-kr')];
  return [...new Set(shown)]
    .slice(0, mostGuesses)
    .map((encoding) => ({ encoding, text: textInEncoding(bytes, encoding) }));
}

function candidates(bytes: Buffer): readonly Encoding[] {
  if (hasLongCharacters(bytes)) return ['gb18030'];
  if (looksLike(bytes, japanese)) return [japanese.encoding];
  if (isLatin(bytes)) return ['windows-1252'];
  const chinese = (['gb18030', 'big5'] as const)
    .map((encoding) => ({ encoding, found: chineseWords(decode(bytes, encoding) ?? '') }))
    .filter(({ found }) => readsAsChinese(found))
    .sort((one, other) => other.found.inWords - one.found.inWords)
    .map(({ encoding }) => encoding);
  const like = others.filter((candidate) => looksLike(bytes, candidate)).map(({ encoding }) => encoding);
  return [...chinese, ...like];
}

/** The first text beyond ASCII as it reads in this encoding; empty if there is none. */
function textInEncoding(bytes: Buffer, encoding: Encoding): string {
  const text = decode(bytes, encoding) ?? '';
  const at = text.search(/[^\p{ASCII}]/u);
  if (at < 0) return '';
  const before = text.slice(0, at).split(cellEnd).at(-1) ?? '';
  const [after = ''] = text.slice(at).split(cellEnd, 1);
  return showValue((before + after).trim());
}

/** A comma before a space belongs to the text. */
const cellEnd = /[;\t|"\r\n]|,(?! )/;

function decode(bytes: Buffer, encoding: Encoding): string | undefined {
  return toUtf8(bytes, encoding, { stream: true })?.toString();
}

function looksLike(bytes: Buffer, { encoding, letters, share }: Candidate): boolean {
  const text = decode(bytes, encoding);
  if (text === undefined) return false;
  const all = text.match(beyondAscii)?.length ?? 0;
  return all > 0 && (text.match(letters)?.length ?? 0) >= all * share;
}

/** Whether the bytes have GB18030 characters of four bytes, such as emoji and Hebrew. No other text has digits in such places. */
function hasLongCharacters(bytes: Buffer): boolean {
  return (
    /[\x81-\xfe]\d[\x81-\xfe]\d/.test(bytes.toString('latin1')) && decode(bytes, 'gb18030') !== undefined
  );
}

/** As Latin text of a single-byte encoding: alone, or two in a word of plain letters. Other scripts have longer runs. */
function isLatin(bytes: Buffer): boolean {
  let all = 0;
  let latin = 0;
  for (const { 0: run, index } of bytes.toString('latin1').matchAll(/[\x80-\xff]+/g)) {
    all += run.length;
    const isInWord = isLetter(bytes[index - 1]) || isLetter(bytes[index + run.length]);
    if (run.length === 1 || (run.length === 2 && isInWord)) latin += run.length;
  }
  return latin * 2 > all;
}

function isLetter(byte = 0): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

interface ChineseWords {
  /** Letters beyond ASCII. */
  readonly letters: number;
  /** Different words of at least two characters that the dictionary of the runtime has, and letters of all such words. */
  readonly words: number;
  readonly inWords: number;
}

const letter = /[\p{L}\p{Co}]/gu;
const word = /^\p{Script=Han}{2,}$/u;

/** At least a third of the letters of Chinese stand in words of the dictionary; of other encodings a tenth at most. */
export function chineseWords(text: string): ChineseWords {
  const beyondAscii = text.match(/[^\p{ASCII}]+/gu)?.join(' ') ?? '';
  const words = new Set<string>();
  let inWords = 0;
  for (const { segment } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(beyondAscii)) {
    if (!word.test(segment)) continue;
    words.add(segment);
    inWords += [...segment].length;
  }
  return { letters: beyondAscii.match(letter)?.length ?? 0, words: words.size, inWords };
}

/** Whether enough of the letters stand in words. */
export function readsAsChinese({ letters, words, inWords }: ChineseWords): boolean {
  return words > 0 && inWords * 4 >= letters;
}

const hangul = /[\uac00-\ud7a3]/gu;

/** Whether bytes beyond ASCII are Korean in EUC-KR: nine of ten letters are syllables, but in Chinese only some would be. */
export function readsAsKorean(bytes: Buffer): boolean {
  const text = new TextDecoder('euc-kr').decode(bytes);
  return (text.match(hangul)?.length ?? 0) * 10 >= (text.match(letter)?.length ?? 0) * 9;
}
