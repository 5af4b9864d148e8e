/**
 * A manifest as rows of cells under one header, whatever format it is kept in. Another format is one more `SheetReader`.
 */
import { columnLetters } from '../manifest/column-letters.ts';
import { type CellProblem, type Problem, showValue } from '../manifest/problem.ts';

/** What is wrong with one cell, before it is known what its column means. */
export interface CellFault extends Omit<CellProblem, 'column'> {
  /** Position of the cell in its row, from 0. */
  readonly position: number;
}

export interface SheetRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the format could not make out this row, while it can those after it. `cells` is empty then. */
  readonly fault?: CellProblem | undefined;
  /** Cells whose text is not what the planner meant, while the others of the row can be relied on. */
  readonly cellFaults?: readonly CellFault[] | undefined;
}

/** A fault of a cell under the name of its column; under what the spreadsheet program calls it where the header does not name it. */
export function problemOfCell(header: readonly string[], { position, ...fault }: CellFault): CellProblem {
  return { column: showValue(header[position] ?? '') || columnLetters(position), ...fault };
}

/** Turns bytes into rows, the header being the first; blank rows are left out. @throws {UnreadableSheetError} */
export type SheetReader = (bytes: AsyncIterable<Buffer>) => AsyncIterable<readonly SheetRow[]>;

/** From here on the file cannot be read; everything before was. */
export class UnreadableSheetError extends Error {
  override readonly name = 'UnreadableSheetError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`line ${problem.line}: ${problem.problem}`);
    this.problem = problem;
  }
}

/** An error about the file itself, at a line of it. */
export function unreadable(line: number, code: string, problem: string, cure: string): UnreadableSheetError {
  return new UnreadableSheetError({ line, key: null, column: null, code, value: '', problem, cure });
}
