/** Reads the picked entry from the fields of its form: `p.POSITION`. */
import { draftRefused } from '../../../../drafts/draft.ts';
import type { CellMend } from '../../../../drafts/mends.ts';
import type { DraftColumn } from '../../../../drafts/view.ts';
import { lines } from './sheet/lines.ts';

/** Most cells of one form: the largest band, in the few columns that a list fills. */
const mostCells = 100_000;

/**
 * The picked texts, for each of the rows.
 * @param rows numbers of the rows.
 * @throws {UseCaseError} `draft_refused` for a column that the sheet does not have, two texts for one cell, or too many cells.
 */
export function readPicked(
  form: URLSearchParams,
  columns: readonly DraftColumn[],
  rows: readonly number[],
): readonly CellMend[] {
  const texts = new Map<number, string>();
  const known = new Set(columns.map(({ position }) => position));
  for (const [name, text] of form) {
    const found = /^p\.(\d{1,3})$/.exec(name)?.[1];
    if (found === undefined) continue;
    const position = Number(found);
    if (!known.has(position)) throw draftRefused('the sheet has no such column');
    if (texts.has(position)) throw draftRefused('there are two texts for one cell');
    texts.set(position, lines(text));
  }
  if (rows.length * texts.size > mostCells) throw draftRefused('these are too many cells at once');
  return rows.flatMap((row) => [...texts].map(([position, text]) => ({ row, position, text })));
}
