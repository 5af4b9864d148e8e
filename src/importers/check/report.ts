/** What `check --json` prints. */
import type { Problem } from '../../manifest/problem.ts';
import type { CheckResult } from './check.ts';

export interface CheckReport extends Pick<CheckResult, 'format' | 'rows' | 'plan'> {
  /** The first 10,000. */
  readonly problems: readonly Problem[];
  /** How many there are in all, by code. */
  readonly problemCounts: Readonly<Record<string, number>>;
  /** The first 10,000. */
  readonly warnings: readonly Problem[];
  readonly warningCounts: Readonly<Record<string, number>>;
}

/** The result of a check as one JSON document. */
export function checkReport(result: CheckResult): CheckReport {
  return {
    format: result.format,
    rows: result.rows,
    problems: result.problems.kept,
    problemCounts: Object.fromEntries(result.problems.byCode),
    warnings: result.warnings.kept,
    warningCounts: Object.fromEntries(result.warnings.byCode),
    plan: result.plan,
  };
}
