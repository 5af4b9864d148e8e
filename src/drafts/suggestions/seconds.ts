/** The nearest durations that a video model allows. */
import { videoModels, videoSeconds } from '../../api/contract/generation.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { type FaultyCell, mostSuggestions, rowsOf, type Suggestion, textOf } from './suggestion.ts';

/** Up to two for each model: the next shorter, and the next longer. */
export function suggestSeconds(
  cells: readonly FaultyCell[],
  { ai_model }: ColumnIndexes,
): readonly Suggestion[] {
  const byText = Map.groupBy(cells, (cell) => `${modelOf(cell, ai_model)}\n${textOf(cell)}`);
  const suggestions = [...byText.values()].flatMap((same): Suggestion[] => {
    const [cell] = same;
    const model =
      cell === undefined ? undefined : videoModels.find((name) => name === modelOf(cell, ai_model));
    if (cell === undefined || model === undefined) return [];
    const written = Number(textOf(cell));
    const allowed: readonly number[] = videoSeconds[model];
    const near = [allowed.findLast((each) => each < written), allowed.find((each) => each > written)];
    return near
      .filter((seconds) => seconds !== undefined)
      .map((seconds) => {
        const mends = same.map(({ row, position }) => ({ row, position, text: String(seconds) }));
        return {
          id: `${model} ${textOf(cell)} ${seconds}`,
          label: `Use ${seconds} s in ${rowsOf(mends)}`,
          evidence: `${model} makes videos of ${allowed.join(', ')} seconds.`,
          mends,
        };
      });
  });
  return suggestions.slice(0, mostSuggestions);
}

function modelOf({ cells }: FaultyCell, position: number): string {
  return (cells[position] ?? '').trim().toLowerCase();
}
