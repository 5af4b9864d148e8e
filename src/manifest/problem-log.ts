/** Collects the problems of a manifest: all of them are counted, the first of them are kept. */
import type { Problem } from './problem.ts';

const defaultLimit = 10_000;

export class ProblemLog {
  readonly #limit: number;
  readonly #kept: Problem[] = [];
  readonly #byCode = new Map<string, number>();
  #total = 0;

  /** @param limit how many problems are kept, so that a million bad rows do not fill the memory. */
  constructor(limit = defaultLimit) {
    this.#limit = limit;
  }

  add(problem: Problem): void {
    this.#total += 1;
    this.#byCode.set(problem.code, (this.#byCode.get(problem.code) ?? 0) + 1);
    if (this.#kept.length < this.#limit) this.#kept.push(problem);
  }

  /** The problems that were kept, in the order of the file as far as they were found so. */
  get kept(): readonly Problem[] {
    return this.#kept;
  }

  /** How many there were, kept or not. */
  get total(): number {
    return this.#total;
  }

  /** How many there were of each code, kept or not. */
  get byCode(): ReadonlyMap<string, number> {
    return this.#byCode;
  }
}
