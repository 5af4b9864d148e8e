/** Rows without a time where nearly all others have one: they would be posted at once. */
import { lacksTime } from '../../manifest/cells/time-faults.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import type { CellProblem } from '../../manifest/problems/problem.ts';

/** Fewer rows with a time prove nothing. */
const leastTimes = 4;

export class LackingTimes {
  readonly #positions: readonly number[];
  readonly #known: boolean | undefined;
  #with = 0;
  #without = 0;

  /** @param known `isUsual`, where all rows of the sheet were judged before. */
  constructor({ scheduled_at, scheduled_time }: ColumnIndexes, known: boolean | undefined) {
    this.#positions = [scheduled_at, scheduled_time].filter((position) => position >= 0);
    this.#known = known;
  }

  /** Whether nearly all rows so far have a time. */
  get isUsual(): boolean {
    return this.#known ?? (this.#with >= leastTimes && this.#with >= 4 * (this.#without - 1));
  }

  count(cells: readonly string[]): void {
    if (this.#hasTime(cells)) this.#with += 1;
    else this.#without += 1;
  }

  find(cells: readonly string[]): CellProblem | undefined {
    if (this.#positions.length === 0 || this.#hasTime(cells)) return undefined;
    if (!this.isUsual) return undefined;
    return {
      column: 'scheduled_at',
      code: 'time_lacking',
      value: '',
      problem: lacksTime,
      fix: 'Fill in the time. Without one, the post is sent as soon as it is ready.',
    };
  }

  #hasTime(cells: readonly string[]): boolean {
    return this.#positions.some((position) => (cells[position] ?? '').trim() !== '');
  }
}
