/** Headers whose names may mean two columns: a person is asked, unless their cells decide it. */
import { readDuration } from '../cells/scalars.ts';
import { isOfNoShop } from '../cells/share-links.ts';
import { foldHeader } from '../columns.ts';
import { isDate, isMost, isName, isTimeOfDay } from './column-content.ts';
import { type ColumnMap, isMarkedNote, noteMark } from './column-map.ts';
import { mayBeIdOrName, mayBeTitle } from './foreign-headers.ts';
import { namedColumn } from './header.ts';
import { findNamedPart } from './name-parts.ts';

/**
 * Positions of headers that may mean another column than their names say.
 * @param header its cells. @param rows first ones of the sheet. @param map says which headers are notes.
 */
export function findDoubtful(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  map?: ColumnMap,
): ReadonlySet<number> {
  const notes = new Set([...(map ?? [])].flatMap(([name, to]) => (to === noteMark ? foldHeader(name) : [])));
  const isNote = (cell: string) => isMarkedNote(cell) || notes.has(foldHeader(cell));
  const cells = header.map((cell) => (isNote(cell) ? '' : cell));
  const areMost = (position: number, isSo: (text: string) => boolean) => {
    const texts = rows.map((row) => (row[position] ?? '').trim()).filter(Boolean);
    return isMost(texts.filter(isSo).length, texts.length);
  };
  const areWords = (position: number) => areMost(position, isName);
  const isTitleDoubtful = cells.some(mayBeTitle) && hasOtherCaption(cells, areWords);
  const found = cells.flatMap((cell, position) => {
    if (mayBeTitle(cell)) return isTitleDoubtful ? [position] : [];
    const named = namedColumn(foldHeader(cell));
    if (named === 'product_link') return areMost(position, isOfNoShop) ? [position] : [];
    if (named === 'cover') return areMost(position, isTimed) ? [position] : [];
    if (named === 'scheduled_at') return areMost(position, isTimeAlone) ? [position] : [];
    return mayBeIdOrName(cell) && areWords(position) ? [position] : [];
  });
  return new Set(found);
}

/** Headers whose parts are looked at: all in one turn of the event loop. */
const mostLooked = 200;

/** Whether another header than a title means the caption. Two names of the caption are told as such in a sheet that has all else. */
function hasOtherCaption(cells: readonly string[], areWords: (position: number) => boolean): boolean {
  const named = cells.map((cell) => namedColumn(foldHeader(cell)));
  const isOther = (cell: string, position: number) => !mayBeTitle(cell) && areWords(position);
  if (cells.some((cell, position) => named[position] === 'caption' && isOther(cell, position)))
    return !named.includes('product_title');
  return cells
    .slice(0, mostLooked)
    .some((cell, position) => findNamedPart(cell)?.column === 'caption' && isOther(cell, position));
}

function isTimeAlone(text: string): boolean {
  return isTimeOfDay(text) && !isDate(text);
}

/** `0:02` and `2 s`; no plain number. */
function isTimed(text: string): boolean {
  return !/^\d+$/.test(text) && readDuration(text, 1) !== null;
}
