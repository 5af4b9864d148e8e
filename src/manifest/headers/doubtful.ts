/** Headers whose names may mean two columns: what they are is asked, unless their cells tell. */
import { foldHeader } from '../columns.ts';
import { mayBeIdOrName, mayBeTitle } from './foreign-headers.ts';
import { namedColumn } from './header.ts';
import { findNamedPart } from './name-parts.ts';

/** Positions of headers that may mean another column than their names say. @param cells of the header. @param rows first ones of the sheet. */
export function findDoubtful(
  cells: readonly string[],
  rows: readonly (readonly string[])[],
): ReadonlySet<number> {
  const areWords = (position: number) => {
    const texts = rows.map((row) => (row[position] ?? '').trim()).filter(Boolean);
    return isMost(texts.filter(isName).length, texts.length);
  };
  const folded = cells.map(foldHeader);
  const others = cells.flatMap((cell, position) => (mayBeTitle(cell) || !areWords(position) ? [] : [cell]));
  const isNamed = others.some((cell) => namedColumn(foldHeader(cell)) === 'caption');
  const isNamedByPart = !isNamed && others.some((cell) => findNamedPart(cell)?.column === 'caption');
  // Two names of the caption are told as such in a sheet that has all else.
  const hasTitle = folded.some((name) => namedColumn(name) === 'product_title');
  const isTitleDoubtful = isNamedByPart || (isNamed && !hasTitle);
  const found = cells.flatMap((cell, position) => {
    if (mayBeTitle(cell)) return isTitleDoubtful ? [position] : [];
    return mayBeIdOrName(cell) && areWords(position) ? [position] : [];
  });
  return new Set(found);
}

export function isMost(count: number, all: number): boolean {
  return count > 0 && count * 5 >= all * 4;
}

/** Not an id: it has letters, and spaces or no digits. */
export function isName(text: string): boolean {
  return /\p{L}/u.test(text) && (/\s/.test(text) || !/\d/.test(text));
}
