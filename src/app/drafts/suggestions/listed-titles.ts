/** What lists of products call each of them: its title for viewers, and the codes and short names beside it. */
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { detached } from '../../../manifest/printable.ts';
import { charactersOf, maxAnchorTitleLength } from '../../../service/contract/posts.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import type { ListColumns, ListSheet } from './list-columns.ts';

/** What a list calls a product. */
export interface ListedTitle {
  /** For viewers; empty if products with this name have different ones. */
  readonly title: string;
  readonly id: string;
  readonly name: string;
  readonly sheet: string;
  /** Of the column of the name. */
  readonly header: string;
  /** Whether the name is a code, or not for people outside. */
  readonly isCode: boolean;
}

/** By each name of a product, as `foldName` has it: a title stands for itself. */
export type ListedTitles = ReadonlyMap<string, ListedTitle>;

/** Longer texts are not names. */
const longestName = 256;

/** Notes what a row of a list calls its product. */
export function noteListedTitles(
  listed: Map<string, ListedTitle>,
  { titles, values, read }: ListColumns,
  { name: sheet, header }: Pick<ListSheet, 'name' | 'header'>,
  cells: readonly string[],
): void {
  const title = textOfCell(cells, titles?.title ?? -1);
  const [id] = values.flatMap((position) => read(textOfCell(cells, position)) ?? []);
  if (titles === undefined || id === undefined) return;
  if (title === '' || charactersOf(title) > maxAnchorTitleLength) return;
  for (const { position, isCode } of [{ position: titles.title, isCode: false }, ...titles.others]) {
    const name = textOfCell(cells, position);
    if (name === '' || name.length > longestName) continue;
    const before = listed.get(foldName(name));
    const isOther = before !== undefined && foldName(before.title) !== foldName(title);
    if (before !== undefined && (!isOther || isTitle(before))) continue;
    const viewed = isOther && position !== titles.title ? '' : title;
    const [known = '', number = '', called = ''] = [viewed, id, name].map(detached);
    const place = { sheet, header: header[position]?.trim() ?? '', isCode };
    listed.set(detached(foldName(name)), { title: known, id: number, name: called, ...place });
  }
}

export function isTitle({ title, name }: ListedTitle): boolean {
  return foldName(title) === foldName(name);
}
