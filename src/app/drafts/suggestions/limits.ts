/** Suggests values within their limits: captions and titles cut at a word, durations that a model allows. */
import { readDuration } from '../../../manifest/cells/scalars.ts';
import { type ColumnIndexes, captionSeparator } from '../../../manifest/headers/header.ts';
import { videoModels, videoSeconds } from '../../../service/contract/generation.ts';
import { maxAnchorTitleLength } from '../../../service/contract/posts.ts';
import { smallWord } from './near-titles.ts';
import { type FaultyCell, mostSuggestions, rowsOf, type Suggestion, textOf } from './suggestion.ts';

/** Texts cut to their limit. @param limit in characters, which are code points. @param appended positions of what is appended to them. */
export function suggestShorter(
  cells: readonly FaultyCell[],
  limit: number,
  appended: readonly number[] = [],
): readonly Suggestion[] {
  const roomIn = ({ cells: texts }: FaultyCell) => {
    const more = appended.map((position) => (texts[position] ?? '').trim()).filter(Boolean);
    return limit - [...more.map((text) => captionSeparator + text).join('')].length;
  };
  const edits = cells
    .filter((cell) => roomIn(cell) > 0)
    .map((cell) => ({
      row: cell.row,
      position: cell.position,
      text: cutAtWord(textOf(cell), roomIn(cell)),
    }));
  const [first] = edits;
  if (first === undefined) return [];
  const isSame = first.text.length <= 60 && edits.every(({ text }) => text === first.text);
  const label = `${isSame ? `Use “${first.text}”` : 'Cut at a word'} in ${rowsOf(edits)}`;
  const evidence = `Cut after the last word within ${limit.toLocaleString('en')} characters.`;
  // Nothing but the name is cut. A caption may lose what matters.
  const confidence = limit <= maxAnchorTitleLength ? 'likely' : undefined;
  return [...suggestFirstParagraph(cells, roomIn), { id: 'shorter', label, evidence, edits, confidence }];
}

/** A briefing is often pasted below a caption. */
function suggestFirstParagraph(
  cells: readonly FaultyCell[],
  roomIn: (cell: FaultyCell) => number,
): readonly Suggestion[] {
  const edits = cells.flatMap((cell) => {
    const lines = textOf(cell).split(/\r?\n/);
    const end = lines.findIndex((line, at) => at > 0 && line.trim() === '');
    const text = lines.slice(0, Math.max(0, end)).join('\n').trim();
    const fits = text !== '' && [...text].length <= roomIn(cell);
    return fits ? [{ row: cell.row, position: cell.position, text }] : [];
  });
  const [first] = edits;
  if (first === undefined) return [];
  const label = `Keep the first paragraph in ${rowsOf(edits)}`;
  const evidence = `It ends with “${[...first.text].slice(-40).join('')}”. What is below the blank line is dropped.`;
  return [{ id: 'first-paragraph', label, evidence, edits }];
}

/** The longest beginning that ends with a word. Text without spaces, such as Chinese, is cut anywhere. */
export function cutAtWord(text: string, limit: number): string {
  // A character takes one or two units. The rest of a long text is not looked at.
  const characters = [...text.slice(0, limit * 2 + 2)];
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

/** A cut text does not end with a comma, a small word, or a quote that nothing closes. */
function withoutTail(text: string): string {
  let kept = trimEnd(text);
  for (const [opening, closing] of pairs) {
    const start = kept.lastIndexOf(opening);
    const isClosed =
      opening === closing ? kept.indexOf(opening) < start : kept.indexOf(closing, start) > start;
    if (start > 0 && !isClosed) kept = trimEnd(kept.slice(0, start));
  }
  for (;;) {
    const space = kept.lastIndexOf(' ');
    if (space < 0 || !smallWord.test(kept.slice(space + 1).toLowerCase())) return kept;
    kept = trimEnd(kept.slice(0, space));
  }
}

const pairs: readonly (readonly [string, string])[] = [
  '«»',
  '„“',
  '“”',
  '()',
  '（）',
  '[]',
  '「」',
  '""',
].map(([opening = '', closing = '']) => [opening, closing]);

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:，；：、&+(（–-]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The nearest durations that a video model allows. Up to two for each model: the next shorter, and the next longer. */
export function suggestSeconds(
  cells: readonly FaultyCell[],
  { ai_model }: ColumnIndexes,
): readonly Suggestion[] {
  const byText = Map.groupBy(cells, (cell) => `${modelOf(cell, ai_model)}\n${textOf(cell)}`);
  const suggestions = [...byText.values()].flatMap((same): Suggestion[] => {
    const [cell] = same;
    const model = videoModels.find((name) => cell !== undefined && name === modelOf(cell, ai_model));
    if (cell === undefined || model === undefined) return [];
    const written = readDuration(textOf(cell), 1000) ?? Number.NaN;
    const allowed: readonly number[] = videoSeconds[model];
    const near = [allowed.findLast((each) => each < written), allowed.find((each) => each > written)];
    const evidence = `${model} makes videos of ${new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed.map(String))} seconds.`;
    return near
      .filter((seconds) => seconds !== undefined)
      .map((seconds) => {
        const edits = same.map(({ row, position }) => ({ row, position, text: String(seconds) }));
        const label = `Use ${seconds} s in ${rowsOf(edits)}`;
        return { id: `${model} ${textOf(cell)} ${seconds}`, label, evidence, edits: edits };
      });
  });
  return suggestions.slice(0, mostSuggestions);
}

function modelOf({ cells }: FaultyCell, position: number): string {
  return (cells[position] ?? '').trim().toLowerCase();
}
