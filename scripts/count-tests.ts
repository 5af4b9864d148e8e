/** Prints `N passed, N failed[, N skipped]` from a JSON report of vitest. Argument: the report. */
import { readFileSync } from 'node:fs';

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function countTests(report: Report): string {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const file of report.testResults) {
    for (const { status } of file.assertionResults) {
      if (status === 'passed') passed += 1;
      else if (status === 'failed') failed += 1;
      else skipped += 1;
    }
    // A file that failed to load has no tests, but counts as a failure.
    if (file.status === 'failed' && file.assertionResults.length === 0) failed += 1;
  }
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

if (import.meta.main) {
  const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Report;
  process.stdout.write(`${countTests(report)}\n`);
}
