/** Suggests which to keep, where a row has two of what it may have once: kinds of media, media and a prompt, a key that another row has. */

import { kindOf } from '../../../manifest/cells/media-source.ts';
import { columns, listSeparator } from '../../../manifest/columns.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { maxPhotos } from '../../../service/contract/post-limits.ts';
import type { CellEdit } from '../edits.ts';
import { type FaultyCell, rowsOf, type Suggestion } from './suggestion.ts';

/** @param cells of rows with a video and pictures. @param positions of the columns of media. */
export function suggestOneKind(
  cells: readonly FaultyCell[],
  positions: readonly number[],
): readonly Suggestion[] {
  const kinds = [
    ['VIDEO', 'the video', 1],
    ['IMAGE', 'the pictures', maxPhotos],
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
  const clear = (positions: readonly number[]) =>
    cells.flatMap(({ row, cells: texts }) =>
      positions
        .filter((position) => (texts[position] ?? '').trim() !== '')
        .map((position) => ({ row, position, text: '' })),
    );
  return [
    ...suggestionOf(
      'media',
      'Post the media, without the prompt',
      'The other one is cleared.',
      clear(generationColumns.map((name) => indexes[name])),
    ),
    ...suggestionOf('prompt', 'Generate, without the media', 'The other one is cleared.', clear(media)),
  ];
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
