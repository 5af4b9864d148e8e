/** Suggests values within their limits: captions and titles cut at a word, durations that a model allows. */
import { readDuration } from '../../../manifest/cells/scalars.ts';
import { type ColumnIndexes, captionSeparator } from '../../../manifest/headers/header.ts';
import { videoModels, videoSeconds } from '../../../service/contract/generation.ts';
import { maxAnchorTitleLength } from '../../../service/contract/posts.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import type { SheetEvidence } from './evidence.ts';
import { smallWord } from './near-titles.ts';
import {
  type FaultyCell,
  mostNames,
  mostSuggestions,
  rowsOf,
  type Suggestion,
  suggestionId,
  textOf,
} from './suggestion.ts';

/** Product titles cut to their limit, each with what viewers would see. A person looks: what is cut off may be what matters. @param id position of the product id. */
export function suggestShorterTitles(
  cells: readonly FaultyCell[],
  evidence: SheetEvidence,
  id: number,
): readonly Suggestion[] {
  const read = cells.map((cell) => {
    const title = textOf(cell);
    return { cell, title, text: cutTitle(title), id: (cell.cells[id] ?? '').trim() };
  });
  const byText = Map.groupBy(read, ({ text }) => foldName(text));
  const isTaken = ({ title, text, id: own }: (typeof read)[number]) =>
    byText.get(foldName(text))?.some((each) => isOther(each, { title, id: own })) ||
    [...evidence.idsOf(text).keys()].some((each) => each !== own);
  const found = [...Map.groupBy(read, ({ title }) => title)].map(([title, same]): Suggestion => {
    const edits = same.map(({ cell: { row, position }, text }) => ({ row, position, text }));
    return {
      id: suggestionId('shorter', title),
      label: `Use “${edits[0]?.text}” in ${rowsOf(edits)}`,
      evidence: `Cut after a word within ${maxAnchorTitleLength} characters: ${title}.`,
      edits,
      doubt: same.some(isTaken) ? 'another product would have the same title' : undefined,
    };
  });
  const clear = found.filter(({ doubt }) => doubt === undefined);
  const shown = found.slice(0, mostNames);
  if (clear.length < 2) return shown;
  const edits = clear.flatMap((each) => each.edits);
  const examples = clear.slice(0, mostExamples).map((each) => each.edits[0]?.text);
  const rest = clear.length > mostExamples ? `, and ${clear.length - mostExamples} more` : '';
  const together = {
    id: 'shorter',
    label: `Cut at a word in ${rowsOf(edits)}`,
    evidence: `Viewers then see ${examples.join(', ')}${rest}.`,
    edits,
  };
  return [together, ...shown];
}

interface TitleOfId {
  readonly title: string;
  readonly id: string;
}

/** Whether two titles are those of different products, as far as anybody knows. */
function isOther(one: TitleOfId, other: TitleOfId): boolean {
  return foldName(one.title) !== foldName(other.title) && (one.id === '' || one.id !== other.id);
}

const mostExamples = 5;

/** Captions cut to their limit. @param limit in characters, which are code points. @param appended positions of what is appended to them. */
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
  if (edits.length === 0) return [];
  const label = `Cut at a word in ${rowsOf(edits)}`;
  const evidence = `Cut after the last word within ${limit.toLocaleString('en')} characters.`;
  return [...suggestFirstParagraph(cells, roomIn), { id: 'shorter', label, evidence, edits }];
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

/** Words that begin what a product comes with, or is for. */
const comesWith =
  /^(?:with|without|for|mit|ohne|für|avec|sans|pour|con|sin|para|com|sem|senza|per|met|zonder|voor)$/;

/** The beginning of a title that fits, without the half of what its product comes with. */
export function cutTitle(title: string): string {
  const kept = cutAtWord(title, maxAnchorTitleLength);
  const [next = ''] = title.slice(kept.length).trimStart().split(' ', 1);
  // Where a further part begins, this one is whole.
  if (next === '' || isHanging(next) || !/^[\p{L}\d]/u.test(next)) return kept;
  const words = kept.split(' ');
  const start = words.findLastIndex((word) => comesWith.test(word.toLowerCase()));
  return start < 2 ? kept : trimEnd(words.slice(0, start).join(' '));
}

/** The longest beginning that ends with a word. Text without spaces, such as Chinese, is cut anywhere. */
export function cutAtWord(text: string, limit: number): string {
  // A character takes one or two units. The rest of a long text is not looked at.
  const characters = [...text.slice(0, limit * 2 + 2)];
  if (characters.length <= limit) return text;
  let end = limit;
  while (end > 0 && !isBreak(characters, end)) end -= 1;
  // A word that fills more than half is cut in its middle.
  const kept = characters.slice(0, end > limit / 2 ? end : limit).join('');
  return withoutTail(kept);
}

function isBreak(characters: readonly string[], at: number): boolean {
  const [before = '', character = '', after = ''] = characters.slice(at - 1, at + 2);
  // Not within `Shepherd’s` or `Vitamin-C`.
  if (/[-'’.]/.test(character) && /[\p{L}\d]/u.test(before) && /[\p{L}\d]/u.test(after)) return false;
  return /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}]/u.test(character);
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
    if (space < 0 || !isHanging(kept.slice(space + 1))) return kept;
    kept = trimEnd(kept.slice(0, space));
  }
}

/** Words that a title does not end with, beside the small words of products. */
const hanging: ReadonlySet<string> = new Set(
  (
    'with without in on at to from by or plus no nr incl including mit ohne oder im am an zu zum zur vom auf aus bei die das dem ein eine einer einem ' +
    'sans sous sur par une ou sin por y e o u una unos unas com sem pela pelo dos das na nas nos senza tra fra da dal dalla dello della dei degli ' +
    'nel nella il lo gli i met zonder voor van het een op te z ze w na dla do bez och med utan på av og til uten i'
  ).split(' '),
);

/** One letter alone is a small word only if it is no capital: `Vitamin E` ends well. */
function isHanging(word: string): boolean {
  const folded = word.toLowerCase().replace(/\.$/, '');
  return (word.length > 1 || word === folded) && (smallWord.test(folded) || hanging.has(folded));
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
  while (end > 0 && /[\s,;:，；：、&+/|·•*(（–—-]/.test(text.charAt(end - 1))) end -= 1;
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
