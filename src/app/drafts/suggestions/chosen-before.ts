/** What people chose before for names at fault, and what is known of them elsewhere. */

import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { type Alias, foldName } from '../../campaigns/import/aliases.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import { describeAlias, nameAt } from '../aliases.ts';
import { namesTogether, sayTogether } from './accounts.ts';
import { agree, lacksId } from './products.ts';
import { type FaultyCell, placeOf, rowsOf, type Suggestion, suggestionId } from './suggestion.ts';

/** @param aliases by `foldName`. */
export function suggestAliases(
  cells: readonly FaultyCell[],
  aliases: ReadonlyMap<string, Alias>,
  code: string,
  indexes: ColumnIndexes,
): readonly Suggestion[] {
  const byName = Map.groupBy(cells, ({ cells: texts, position, value }) => {
    const alias = aliases.get(foldName(texts[nameAt(position, code, indexes)] ?? ''));
    return alias !== undefined && (!lacksId.has(code) || agree(value, alias.means)) ? alias : undefined;
  });
  return [...byName].flatMap(([alias, same]): readonly Suggestion[] => {
    if (alias === undefined) return [];
    const { name, means } = alias;
    const edits = same.map(({ row, position }) => ({ row, position, text: means }));
    const id = suggestionId('alias', foldName(name), means);
    const fix = { id, label: `Use ${means} in ${rowsOf(edits)}`, evidence: describeAlias(alias), edits };
    const together = alias.kind === 'creator' ? namesTogether(name) : [];
    // The posts of the others would be missing.
    return together.length > 0 && together.every((each) => aliases.has(foldName(each)))
      ? [{ ...fix, evidence: `${fix.evidence} ${sayTogether(together)}` }]
      : [{ ...fix, confidence: 'sure' }];
  });
}

/**
 * What people chose before, then what is known elsewhere. A guess does not stand beside a choice, but what is as sure does: where they
 * differ, neither is sure.
 */
export function besideChosen(
  chosen: readonly Suggestion[],
  others: readonly Suggestion[],
): readonly Suggestion[] {
  const texts = new Map(
    chosen.flatMap(({ edits }) => edits.map((edit) => [placeOf(edit), plain(edit)] as const)),
  );
  const isChosen = (edit: CellEdit) => texts.has(placeOf(edit));
  // A press for rows of several names leaves out those that people chose for.
  const ofOpen = (each: Suggestion): Suggestion => {
    const edits = each.edits.filter((edit) => !isChosen(edit));
    if (edits.length === each.edits.length || new Set(each.edits.map(plain)).size === 1) return each;
    return { ...each, edits, label: each.label.replace(/(?<!\d)\d+ rows?$/, rowsOf(edits)) };
  };
  const differs = (edit: CellEdit) => isChosen(edit) && texts.get(placeOf(edit)) !== plain(edit);
  const left = others
    .map(ofOpen)
    .filter(({ edits, confidence }) =>
      edits.some((edit) => !isChosen(edit) || (confidence === 'sure' && differs(edit))),
    );
  const disputed = new Set(left.flatMap(({ edits }) => edits.filter(differs).map(placeOf)));
  return [...chosen, ...left].map((each) =>
    each.edits.every((edit) => disputed.has(placeOf(edit))) ? { ...each, confidence: undefined } : each,
  );
}

/** People write an account with or without its `@`. */
function plain({ text }: CellEdit): string {
  return text.replace(/^@/, '').toLowerCase();
}
