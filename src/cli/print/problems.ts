/** Prints what a check found: a table of the first problems, counts by kind, and the plan. */
import type { CheckResult } from '../../importers/check/check.ts';
import type { ProblemLog } from '../../manifest/problem-log.ts';
import { suggestMap } from '../../manifest/suggested-map.ts';
import { describeDuration, plural } from '../../runtime/wording.ts';
import { describeFormat } from '../../sheets/format.ts';
import { type Output, table } from './output.ts';
import { problemLines } from './problem-groups.ts';

/** One line: what the file was taken for, where that is not what anybody expects. */
export function printFormat(output: Output, { format }: CheckResult): void {
  const description = format === null ? null : describeFormat(format);
  if (description !== null) output.print(description);
}

export function printProblems(output: Output, { problems, header }: CheckResult): void {
  printLog(output, problems, {
    shown: 20,
    heading: 'PROBLEM AND CURE',
    rest: '--problems FILE writes them all',
  });
  const unknown = problems.kept.filter(({ code }) => code === 'unknown_column').map(({ value }) => value);
  if (unknown.length === 0) return;
  output.print('To map the names that are not known (_ keeps a column as a note), correct and add:');
  output.print(`  ${suggestMap(unknown, header)}`);
}

/** Warnings keep nothing from being posted: a few are enough to see what they are about. */
export function printWarnings(output: Output, { warnings }: CheckResult): void {
  if (warnings.total > 0)
    output.print(`${plural(warnings.total, 'warning')}; these rows are posted all the same:`);
  printLog(output, warnings, { shown: 5, heading: 'WARNING', rest: 'check --json lists them' });
}

function printLog(
  output: Output,
  log: ProblemLog,
  { shown, heading, rest }: { readonly shown: number; readonly heading: string; readonly rest: string },
): void {
  if (log.total === 0) return;
  const lines = problemLines(log.kept, log.kept.length === log.total);
  const titles = ['LINE', 'KEY', 'COLUMN', 'VALUE', heading];
  for (const line of table(titles, lines.slice(0, shown))) output.print(line);
  if (lines.length > shown) output.print(`... and ${lines.length - shown} more kinds; ${rest}`);
  output.print();
  const kinds = [...log.byCode].sort(([, one], [, other]) => other - one);
  output.print(kinds.map(([code, count]) => `${count} ${code}`).join(', '));
}

/** One line: how many problems, in how many rows. */
export function printVerdict(output: Output, { problems, rows }: CheckResult): void {
  const found =
    problems.total === 0 ? 'no problems.' : `${plural(problems.total, 'problem')}; nothing was sent.`;
  output.print(`${plural(rows, 'row')}, ${found}`);
}

/** What a run is about to do, and what is worth a second look. */
export function printPlan(output: Output, { plan }: CheckResult): void {
  const posts = [
    ...(plan.videos > 0 ? [plural(plan.videos, 'video')] : []),
    ...(plan.photos > 0 ? [plural(plan.photos, 'photo post')] : []),
  ];
  output.print(`Plan: ${posts.join(', ') || 'no posts'}`);
  const calls = Object.entries(plan.calls).filter(([, count]) => count > 0);
  for (const [operation, count] of calls) {
    const least = operation === 'listAiTasksByScheduleId' ? 'at least ' : '';
    output.print(`  ${operation.padEnd(28)} ${least}${plural(count, 'call')}`);
  }
  if (plan.aiOutputs.total > 0) {
    const models = Object.entries(plan.aiOutputs.byModel).map(([model, count]) => `${count} ${model}`);
    output.printText(`  AI outputs: ${plan.aiOutputs.total}  `, models.join(', '));
  }
  if (plan.bytes > 0) output.print(`  media: ${(plan.bytes / 1_000_000).toFixed(1)} MB`);
  if (plan.decidedBy) {
    output.print(
      `  at least ${describeDuration(plan.shortestMs)}: the budget of ${plan.decidedBy} decides it`,
    );
  }
  if (plan.missed > 0) output.print(`  ${plural(plan.missed, 'row')} would miss the time that is set`);
}
