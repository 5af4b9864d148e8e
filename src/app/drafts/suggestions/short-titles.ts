/** Titles that are a short or mistyped form of the name that a list has for the id of their row. */
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { cutTitle } from './limits.ts';
import { isFormOf } from './near-titles.ts';
import type { OtherSheets } from './other-sheets.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';

/** Writes the listed name beside an id, where the title of the row is only a short or mistyped form of it: viewers see it. */
export function withListedTitles(
  suggestions: readonly Suggestion[],
  cells: readonly FaultyCell[],
  { product_id, product_title }: ColumnIndexes,
  lists: OtherSheets | undefined,
): readonly Suggestion[] {
  if (lists === undefined || product_title < 0) return suggestions;
  const titles = new Map(cells.map(({ row, cells: texts }) => [row, (texts[product_title] ?? '').trim()]));
  // Many rows have the same.
  const names = new Map<string, string | undefined>();
  const nameOf = (title: string, id: string) => {
    const both = `${id} ${title}`;
    if (!names.has(both)) names.set(both, listedName(title, id, lists));
    return names.get(both);
  };
  return suggestions.map((suggestion) => {
    const { label, evidence, edits } = suggestion;
    const renamed = edits.flatMap(({ row, position, text: id }) => {
      const title = titles.get(row) ?? '';
      const name = position === product_id ? nameOf(title, id) : undefined;
      return name === undefined ? [] : [{ id, title, edit: { row, position: product_title, text: name } }];
    });
    const [first] = renamed;
    if (first === undefined) return suggestion;
    const isOne =
      renamed.every(({ edit }) => edit.text === first.edit.text) && renamed.length === edits.length;
    const { id, title, edit } = first;
    const seen = isOne ? edit.text : `the names in the list, such as ${edit.text}`;
    return {
      ...suggestion,
      label: isOne ? label.replace(id, () => `${id} and the title ${edit.text}`) : label,
      evidence: `${evidence} Viewers then see ${seen}, not ${title}.`,
      edits: [...edits, ...renamed.map(({ edit }) => edit)],
    };
  });
}

/** The name that a list has for an id, within its limit; undefined unless the title is another form of it, and no name of a list itself. */
export function listedName(title: string, id: string, lists: OtherSheets): string | undefined {
  const name = lists.titles.get(id);
  if (title === '' || name === undefined || lists.products.has(foldName(title))) return undefined;
  const shown = cutTitle(name);
  return foldName(shown) !== foldName(title) && isFormOf(title, name) ? shown : undefined;
}
