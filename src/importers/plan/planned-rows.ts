/** Plans the accepted rows. Finds rows that miss their time, and manifests that ask for too many AI outputs. */
import type { Settings } from '../../../config/schema.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';
import type { AcceptedRow } from '../check/row-checks.ts';
import { missesItsTime } from '../check/row-warnings.ts';
import { type Plan, PlanTally } from './plan.ts';

export interface PlannedRowsOptions {
  readonly settings: Pick<Settings, 'budgets' | 'spend'>;
  /** Milliseconds since the epoch; `null`: times are not checked. */
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
   * Appends a row.
   * @param outputs of AI still to be made; default: all.
   * @returns a warning if its turn comes too late.
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

  /** The problem of more AI outputs than `spend.maxOutputs`, and the line of the first row beyond it. */
  overspending(): { readonly line: number; readonly problem: CellProblem } | null {
    if (this.#overspentLine === undefined) return null;
    return {
      line: this.#overspentLine,
      problem: {
        column: null,
        code: 'too_many_outputs',
        value: String(this.#tally.outputs),
        problem: `the manifest asks for ${this.#tally.outputs} AI outputs, but the settings allow ${this.#maxOutputs}`,
        cure: 'Remove rows, lower ai_count, or raise spend.maxOutputs in the settings.',
      },
    };
  }

  finish(): Plan {
    return this.#tally.finish();
  }
}
