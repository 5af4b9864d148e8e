/**
 * Suggests which to keep where a row has two of what it may have once: kinds of media, media and a prompt, a key that another row has.
 * What does not apply to its row is cleared.
 */
import { kindOf } from '../../../manifest/cells/media-source.ts';
import { columns, listSeparator } from '../../../manifest/columns.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { maxPhotos } from '../../../service/contract/posts.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import { type FaultyCell, rowsOf, type Suggestion } from './suggestion.ts';

/** @param cells of rows with a video and pictures. @param positions of the columns of media. */
export function suggestOneKind(
  cells: readonly FaultyCell[],
  positions: readonly number[],
): readonly Suggestion[] {
  const kinds = [
    ['VIDEO', 'the video', 1],
    ['PHOTO', 'the pictures', maxPhotos],
  ] as const;
  return kinds.flatMap(([kind, what, most]) => {
    const edits = cells.flatMap(({ row, cells: texts }): readonly CellEdit[] => {
      const lists = positions.map((position) => ({ position, items: itemsOf(texts[position]) }));
      const all = lists.flatMap(({ items }) => items);
      const isKept = (item: string) => kindOf(item) === kind;
      if (all.filter(isKept).length > most || all.some((item) => kindOf(item) === null)) return [];
      return lists
        .filter(({ items }) => !items.every(isKept))
        .map(({ position, items }) => ({ row, position, text: items.filter(isKept).join(listSeparator) }));
    });
    return suggestionOf(kind, `Keep ${what} only`, 'A post is one video, or pictures.', edits);
  });
}

function itemsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(listSeparator).map((item) => item.trim());
}

/** Everything that belongs to a generation is cleared with its prompt. */
const generationColumns = columns.map(({ name }) => name).filter((name) => name.startsWith('ai_'));

/** @param cells of rows with media and a prompt. */
export function suggestOneSource(
  cells: readonly FaultyCell[],
  indexes: ColumnIndexes,
  media: readonly number[],
): readonly Suggestion[] {
  const clear = (positions: readonly number[]) => clearOf(cells, positions);
  return [
    ...suggestionOf(
      'media',
      'Post the media, without the prompt',
      'The prompt is cleared.',
      clear(generationColumns.map((name) => indexes[name])),
    ),
    ...suggestionOf('prompt', 'Generate, without the media', 'The media are cleared.', clear(media)),
  ];
}

function clearOf(cells: readonly FaultyCell[], positions: readonly number[]): readonly CellEdit[] {
  return cells.flatMap(({ row, cells: texts }) =>
    positions
      .filter((position) => (texts[position] ?? '').trim() !== '')
      .map((position) => ({ row, position, text: '' })),
  );
}

const whyCleared: ReadonlyMap<string, string> = new Map([
  ['remark_holds', 'Without the remark, nothing says to wait.'],
  ['product_link', 'The product is known by its ID, without a link.'],
]);

/** @param code of the problem, or the column. */
export function suggestClear(cells: readonly FaultyCell[], code: string): readonly Suggestion[] {
  const edits = cells.map(({ row, position }) => ({ row, position, text: '' }));
  if (edits.length === 0) return [];
  const evidence = whyCleared.get(code) ?? 'Posts of this kind cannot have it.';
  return [{ id: 'clear', label: `Clear it in ${rowsOf(edits)}`, evidence, edits }];
}

/** @param cells of rows without a prompt: those with media need no other ai_ columns. */
export function suggestNoGeneration(
  cells: readonly FaultyCell[],
  indexes: ColumnIndexes,
  media: readonly number[],
): readonly Suggestion[] {
  const ready = cells.filter(({ cells: texts }) => media.some((position) => texts[position]?.trim()));
  const edits = clearOf(
    ready,
    generationColumns.map((name) => indexes[name]),
  );
  return suggestionOf('clear', 'Clear the ai_ columns', 'The rows have media.', edits);
}

/** @param cells with keys that earlier rows have. */
export function suggestRowNumber(cells: readonly FaultyCell[]): readonly Suggestion[] {
  const edits = cells.map(({ row, position }) => ({ row, position, text: '' }));
  return suggestionOf(
    'row-number',
    'Use the row number',
    'A row without a key has its row number as key.',
    edits,
  );
}

function suggestionOf(
  id: string,
  what: string,
  evidence: string,
  edits: readonly CellEdit[],
): readonly Suggestion[] {
  return edits.length === 0 ? [] : [{ id, label: `${what}, ${rowsOf(edits)}`, evidence, edits }];
}
