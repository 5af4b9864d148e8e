/** Problems of a manifest, as planners read them: place, problem and cure. */

/** A problem of a row, without its line. */
export interface CellProblem {
  /** Header of the column in the sheet, else its name in the catalogue; `null`: the row as a whole. */
  readonly column: string | null;
  /** Stable name of the problem in snake_case. */
  readonly code: string;
  /** The wrong value, as `showValue` returns it. */
  readonly value: string;
  readonly problem: string;
  readonly cure: string;
}

export interface Problem extends CellProblem {
  /** First line of the row in the file; the header is on line 1. */
  readonly line: number;
  /** Key of the row; `null` for a problem of the header or the file. */
  readonly key: string | null;
}

const longestShown = 120;
// Control, zero-width and text-direction characters would hide the true value.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a value fit for a message: cuts it at 120 UTF-16 units and shows invisible characters as `\u200b`. */
export function showValue(value: string): string {
  const cut = value.length > longestShown ? `${value.slice(0, longestShown)}…` : value;
  return cut
    .toWellFormed()
    .replace(invisible, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Adds line and key to a problem. */
export function placeProblem(line: number, key: string | null, found: CellProblem): Problem {
  return { line, key, ...found };
}
