/** Suggestions from a sheet itself for rows with the same problem. Nothing changes until a person takes one. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { listSeparator } from '../../../manifest/columns.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { plural } from '../../../manifest/wording.ts';
import { type CellEdit, editSchema } from '../../campaigns/import/edit.ts';

export interface FaultyCell {
  /** Number of the row in the file, from 1. */
  readonly row: number;
  /** Position of the cell in its row, from 0. */
  readonly position: number;
  /** The wrong part, as `Problem.value` has it. */
  readonly value: string;
  readonly meant?: string | undefined;
  readonly cells: readonly string[];
}

export interface Suggestion {
  /** Identifies it among the suggestions for the same cells; stable while the draft does not change. */
  readonly id: string;
  /** Its effect, as the label of a button: "Use 1729384071926530212 in 6 rows". */
  readonly label: string;
  /** Why it may be right, as a sentence. */
  readonly evidence: string;
  /** The same for one of its rows alone. Default: it says no more of them. */
  readonly evidenceOf?: ((row: number) => string) | undefined;
  readonly edits: readonly CellEdit[];
  /** What speaks against it, in a few words beside it: "used by line 12". */
  readonly doubt?: string | undefined;
  /** The wrong text that it is a guess for; undefined if it rests on more than a likeness. */
  readonly guessFor?: string | undefined;
  /** Set if nobody needs to choose: it is known to be right, or the one text that is near. */
  readonly confidence?: 'sure' | 'likely' | undefined;
}

export const suggestionSchema = z.strictObject({
  label: z.string(),
  evidence: z.string(),
  /** The cells that it writes, as `editDraft` takes them. */
  cells: z.array(z.strictObject({ row: z.int(), position: z.int(), text: z.string() })),
  /** The column that they need and the sheet lacks. */
  addColumns: editSchema.shape.addColumns,
});

/** Most suggestions for one problem: more would not help. */
export const mostSuggestions = 6;
/** Most of them where each name in the rows has its own. */
export const mostNames = 200;

export function textOf({ cells, position }: FaultyCell): string {
  return (cells[position] ?? '').trim();
}

/** The edit that puts a text in place of the wrong part: of the whole cell, or of one item of its list. */
export function replaced(cell: FaultyCell, text: string): CellEdit {
  const { row, position, value } = cell;
  const whole = textOf(cell);
  const items = whole.split(listSeparator).map((item) => item.trim());
  const isItem =
    items.length > 1 && showValue(whole) !== value && items.some((item) => showValue(item) === value);
  if (!isItem) return { row, position, text };
  const edited = items.map((item) => (showValue(item) === value ? text : item));
  return { row, position, text: edited.join(listSeparator) };
}

/** The cell that an edit writes. */
export function placeOf({ row, position }: CellEdit): string {
  return `${row} ${position}`;
}

/** Cells of the rows that none of the suggestions is for. */
export function withoutRowsOf(
  suggestions: readonly Suggestion[],
  cells: readonly FaultyCell[],
): readonly FaultyCell[] {
  const named = new Set(suggestions.flatMap(({ edits }) => edits.map(({ row }) => row)));
  return cells.filter(({ row }) => !named.has(row));
}

/** "1 row", "6 rows". */
export function rowsOf(edits: readonly CellEdit[]): string {
  return plural(new Set(edits.map(({ row }) => row)).size, 'row');
}

/** @param parts what is replaced, and by what. The id has no line breaks, which browsers change in what a form sends. */
export function suggestionId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}
