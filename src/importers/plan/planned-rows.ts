/** What the plan makes of the rows that are right: those that would miss their time, and a manifest that asks for too much. */

import type { Settings } from '../../../config/schema.ts';
import type { CellProblem } from '../../manifest/problem.ts';
import type { AcceptedRow } from '../check/row-checks.ts';
import { missesItsTime } from '../check/row-warnings.ts';
import { type Plan, PlanTally } from './plan.ts';

export interface PlannedRowsOptions {
  readonly settings: Pick<Settings, 'budgets' | 'spend'>;
  /** Milliseconds since the epoch; `null`: times are not looked at. */
  readonly now: number | null;
}

export class PlannedRows {
  readonly #tally: PlanTally;
  readonly #now: number | null;
  readonly #maxOutputs: number | null;
  #overspentLine: number | undefined;

  constructor({ settings, now }: PlannedRowsOptions) {
    this.#tally = new PlanTally(settings.budgets);
    this.#now = now;
    this.#maxOutputs = settings.spend.maxOutputs;
  }

  /**
   * Adds a row behind all others.
   * @param outputs of AI that are left to be made for it; all that it asks for unless given.
   * @returns a warning where its turn comes too late.
   */
  add({ row, creator, bytesOf, line }: AcceptedRow, outputs: number | undefined): CellProblem | null {
    this.#tally.add(row, creator, bytesOf, outputs);
    if (this.#maxOutputs !== null && this.#tally.outputs > this.#maxOutputs) this.#overspentLine ??= line;
    if (this.#now === null || row.schedule === undefined) return null;
    const earliest = this.#now + this.#tally.leastMs();
    if (row.schedule.at >= earliest) return null;
    this.#tally.miss();
    return missesItsTime(row, earliest);
  }

  /** More AI outputs than `spend.maxOutputs` allows, and the line of the row that went beyond; `null` where it allows them. */
  overspending(): { readonly line: number; readonly problem: CellProblem } | null {
    if (this.#overspentLine === undefined) return null;
    return {
      line: this.#overspentLine,
      problem: {
        column: null,
        code: 'too_many_outputs',
        value: String(this.#tally.outputs),
        problem: `the manifest asks for ${this.#tally.outputs} AI outputs, the settings allow ${this.#maxOutputs}`,
        cure: 'Take rows out, lower ai_count, or raise spend.maxOutputs in the settings.',
      },
    };
  }

  finish(): Plan {
    return this.#tally.finish();
  }
}
