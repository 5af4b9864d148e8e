/** What is wrong with a manifest, in the words that a planner reads: where, what, and what would be right. */

/** A problem within one row, before it is known on which line the row stands. */
export interface CellProblem {
  /** Header of the column as the sheet writes it; the catalogue's name where the sheet has none; `null`: the row as a whole. */
  readonly column: string | null;
  /** Stable name of the kind of problem, in snake_case. */
  readonly code: string;
  /** The offending value, made visible and cut to a readable length. */
  readonly value: string;
  readonly problem: string;
  readonly cure: string;
}

export interface Problem extends CellProblem {
  /** Line of the file on which the row begins; 1 is the header's. */
  readonly line: number;
  /** Key of the row; `null` where the problem is of the header or the file. */
  readonly key: string | null;
}

const longestShown = 120;
// Control characters, zero-width characters and those that change the direction of text: they would lie about the value.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as a message may show it: cut at 120 UTF-16 units, invisible characters as `\u200b`. */
export function showValue(value: string): string {
  const cut = value.length > longestShown ? `${value.slice(0, longestShown)}…` : value;
  return cut
    .toWellFormed()
    .replace(invisible, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Places a problem of a row in the file. */
export function placeProblem(line: number, key: string | null, found: CellProblem): Problem {
  return { line, key, ...found };
}
