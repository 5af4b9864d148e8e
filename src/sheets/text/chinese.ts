/** Tells Chinese from text that only happens to be valid in an encoding of Chinese: Korean, Cyrillic, Japanese, accented Latin. */

export interface ChineseWords {
  /** Letters beyond ASCII. */
  readonly letters: number;
  /** Different words of at least two characters that the dictionary of the runtime has, and letters of all such words. */
  readonly words: number;
  readonly inWords: number;
}

const letter = /[\p{L}\p{Co}]/gu;
const word = /^\p{Script=Han}{2,}$/u;

/**
 * Looks the text up in a dictionary of Chinese. In Chinese, at least a third of the letters stand in its words; in the characters that
 * other encodings happen to give, a tenth at most.
 */
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
