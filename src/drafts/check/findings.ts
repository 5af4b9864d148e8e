/** The results of a check, row by row. They are kept in memory while somebody works on the draft, and updated after each mend. */
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import { type ColumnIndexes, matchHeader } from '../../manifest/headers/header.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import { SheetEvidence } from '../suggestions/evidence.ts';
import { positionFinder, type SheetColumn } from './columns.ts';
import { ProblemDetails } from './problem-details.ts';
import { RowStates } from './row-states.ts';

export class Findings {
  readonly states = new RowStates();
  readonly problems: ProblemDetails;
  readonly warnings: ProblemDetails;
  readonly header: readonly string[];
  readonly indexes: ColumnIndexes;
  /** What the good rows suggest about the others, as of the check. Mends do not change it. */
  readonly evidence: SheetEvidence;
  columns: readonly SheetColumn[] = [];

  constructor(header: readonly string[], map: ColumnMap | undefined) {
    const positionOf = positionFinder(header);
    this.indexes = matchHeader(header, { allowUnknownColumns: true, allowResultsSheet: true, map }).indexes;
    this.evidence = new SheetEvidence(this.indexes);
    this.header = header;
    this.problems = new ProblemDetails(positionOf);
    this.warnings = new ProblemDetails(positionOf);
  }

  get refused(): number {
    return this.states.countOf('refused');
  }

  get leftOut(): number {
    return this.states.countOf('leftOut');
  }

  get accepted(): number {
    return this.states.count - this.refused - this.leftOut;
  }

  refuse(number: number, problems: readonly CellProblem[]): void {
    this.states.set(number, 'refused', true);
    this.problems.add(number, problems);
  }

  warn(number: number, warnings: readonly CellProblem[]): void {
    if (warnings.length === 0) return;
    this.states.set(number, 'warned', true);
    this.warnings.add(number, warnings);
  }

  /** Forgets what was found in a row, before it is checked again. */
  forget(number: number): void {
    for (const mark of ['refused', 'leftOut', 'warned'] as const) this.states.set(number, mark, false);
    this.problems.remove(number);
    this.warnings.remove(number);
  }
}
