/** Collects the problems of a manifest: counts all of them and keeps the first ones. */
import { detached } from '../printable.ts';
import type { Fix } from './hint.ts';
import type { Problem } from './problem.ts';

/** This many of each kind and column are kept, however many others come before them. */
const keptOfEach = 3;

export class ProblemLog {
  /** The first ones, in the order found, and the first ones of each kind and column. */
  readonly kept: Problem[] = [];
  /** Count by code, kept or not. */
  readonly byCode = new Map<string, number>();
  /** Count of all, kept or not. */
  total = 0;
  readonly #limit: number;
  readonly #keptOf = new Map<string, number>();

  /** @param limit of kept problems, so that a million bad rows do not fill the memory. */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  add(problem: Problem): void {
    const { code, column } = problem;
    this.total += 1;
    this.byCode.set(code, (this.byCode.get(code) ?? 0) + 1);
    const kind = `${code}\0${column ?? ''}`;
    const kept = this.#keptOf.get(kind) ?? 0;
    if (this.kept.length >= this.#limit && kept >= keptOfEach) return;
    this.kept.push(detachedProblem(problem));
    this.#keptOf.set(kind, kept + 1);
  }
}

/** What a check found, as `problemFields` and `warningFields` have it. @param notices about the sheet as a whole. */
export function foundDocument(
  { problems, warnings }: Record<'problems' | 'warnings', ProblemLog>,
  notices: readonly Problem[] = [],
) {
  return {
    problems: problems.kept,
    problemCounts: Object.fromEntries(problems.byCode),
    warnings: [...notices, ...warnings.kept],
    warningCounts: Object.fromEntries([...notices.map(({ code }) => [code, 1] as const), ...warnings.byCode]),
  };
}

function detachedProblem({ key, column, code, value, problem, fix, meant, ...place }: Problem): Problem {
  return {
    ...place,
    key: key === null ? null : detached(key),
    column: column === null ? null : detached(column),
    code,
    value: detached(value),
    problem: detached(problem),
    fix: detachedFix(fix),
    ...(meant === undefined ? {} : { meant: detached(meant) }),
  };
}

function detachedFix(fix: Fix): Fix {
  return typeof fix === 'string' ? detached(fix) : JSON.parse(JSON.stringify(fix));
}
