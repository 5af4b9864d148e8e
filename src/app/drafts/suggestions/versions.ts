/** Each version of captions that have several, for all their rows at once. */
import { versionsIn } from '../../../importers/check/open-captions.ts';
import { type FaultyCell, rowsOf, type Suggestion, textOf } from './suggestion.ts';

const mostVersions = 4;
const longestExample = 60;

export function suggestVersions(cells: readonly FaultyCell[]): readonly Suggestion[] {
  const read = cells.map((cell) => ({ cell, texts: versionsIn(textOf(cell)) ?? [] }));
  return Array.from({ length: mostVersions }, (_, at) => {
    const edits = read.flatMap(({ cell: { row, position }, texts }) => {
      const text = texts[at];
      return text === undefined ? [] : [{ row, position, text }];
    });
    const [first = ''] = edits[0]?.text.split('\n') ?? [];
    const example = first.length > longestExample ? `${first.slice(0, longestExample)}…` : first;
    return {
      id: `version-${at + 1}`,
      label: `Use version ${at + 1} in ${rowsOf(edits)}`,
      evidence: `Such as “${example}”`,
      edits,
    };
  }).filter(({ edits }) => edits.length > 0);
}
