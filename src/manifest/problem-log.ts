/** Collects the problems of a manifest: all of them are counted, the first of them are kept. */
import type { Problem } from './problem.ts';

export class ProblemLog {
  /** The first of them, in the order of the file as far as they were found so. */
  readonly kept: Problem[] = [];
  /** How many there were of each code, kept or not. */
  readonly byCode = new Map<string, number>();
  /** How many there were, kept or not. */
  total = 0;
  readonly #limit: number;

  /** @param limit how many problems are kept, so that a million bad rows do not fill the memory. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(problem: Problem): void {
    this.total += 1;
    this.byCode.set(problem.code, (this.byCode.get(problem.code) ?? 0) + 1);
    if (this.kept.length < this.#limit) this.kept.push(problem);
  }
}
