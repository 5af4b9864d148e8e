/** Cuts texts at a word to their limit. Characters are code points, as in the limits. */
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';

/** @param limit in characters. */
export function suggestShorter(cells: readonly FaultyCell[], limit: number): readonly Suggestion[] {
  const mends = cells.map((cell) => ({
    row: cell.row,
    position: cell.position,
    text: cutAtWord(textOf(cell), limit),
  }));
  const [first] = mends;
  if (first === undefined) return [];
  const isSame = mends.every(({ text }) => text === first.text);
  return [
    {
      id: 'shorter',
      label:
        isSame && first.text.length <= 60
          ? `Use “${first.text}” in ${rowsOf(mends)}`
          : `Cut at a word in ${rowsOf(mends)}`,
      evidence: `Cut at a word, it has at most ${limit.toLocaleString('en')} characters.`,
      mends,
    },
  ];
}

/** The longest beginning that ends with a word. Text without spaces, such as Chinese, is cut anywhere. */
export function cutAtWord(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  let end = limit;
  while (end > 0 && !isBreak(characters[end])) end -= 1;
  // A word that fills more than half is cut in its middle.
  const kept = characters.slice(0, end > limit / 2 ? end : limit).join('');
  return withoutTail(kept);
}

function isBreak(character: string | undefined): boolean {
  return (
    character !== undefined &&
    /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]/u.test(character)
  );
}

/** A cut text does not end with a space or a comma. */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:，；：、&+(（–-]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
