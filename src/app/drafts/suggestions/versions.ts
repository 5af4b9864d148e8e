/** Captions without what is not to be posted: each version of those that have several, for all their rows at once, and texts without notes. */
import { noteBefore, versionsIn } from '../../../importers/check/open-captions.ts';
import type { CellEdit } from '../../campaigns/import/edit.ts';
import { cutAtWord } from './limits.ts';
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
    return {
      id: `version-${at + 1}`,
      label: `Use version ${at + 1} in ${rowsOf(edits)}`,
      evidence: exampleOf(edits),
      edits,
    };
  }).filter(({ edits }) => edits.length > 0);
}

export function suggestWithoutNotes(cells: readonly FaultyCell[]): readonly Suggestion[] {
  const edits = cells.flatMap((cell) => {
    const { text } = noteBefore(textOf(cell)) ?? {};
    return text === undefined ? [] : [{ row: cell.row, position: cell.position, text }];
  });
  if (edits.length === 0) return [];
  const label = `Use the text without its note in ${rowsOf(edits)}`;
  return [{ id: 'without-note', label, evidence: exampleOf(edits), edits }];
}

function exampleOf([edit]: readonly CellEdit[]): string {
  const [first = ''] = edit?.text.split('\n') ?? [];
  const shown = cutAtWord(first, longestExample);
  return `Such as “${shown}${shown === first ? '' : '…'}”`;
}
