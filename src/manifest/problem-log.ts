/** Collects the problems of a manifest: counts all of them and keeps the first ones. */
import { detached } from './detached.ts';
import type { Problem } from './problem.ts';

export class ProblemLog {
  /** The first ones, in the order found. */
  readonly kept: Problem[] = [];
  /** Count by code, kept or not. */
  readonly byCode = new Map<string, number>();
  /** Count of all, kept or not. */
  total = 0;
  readonly #limit: number;

  /** @param limit of kept problems, so that a million bad rows do not fill the memory. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(problem: Problem): void {
    this.total += 1;
    this.byCode.set(problem.code, (this.byCode.get(problem.code) ?? 0) + 1);
    if (this.kept.length < this.#limit) this.kept.push(detachedProblem(problem));
  }
}

function detachedProblem({ line, key, column, code, value, problem, cure }: Problem): Problem {
  return {
    line,
    key: key === null ? null : detached(key),
    column: column === null ? null : detached(column),
    code,
    value: detached(value),
    problem: detached(problem),
    cure: detached(cure),
  };
}
