import { expect, test } from 'vitest';
import { CommandError, exitCodes } from '../../../src/cli/exit.ts';
import { requireFormat } from '../../../src/cli/flags/results.ts';
import { sheetFormats } from '../../../src/sheets/write/format.ts';

test.each([
  ['posts.xlsx', undefined, 'xlsx'],
  ['posts.parquet', 'jsonl', 'jsonl'],
  // Documented as CSV: there is no ending that could mislead.
  ['posts', undefined, 'csv'],
  ['/dev/stdout', undefined, 'csv'],
] as const)('%s with --format %s is written as %s', (file, given, format) => {
  expect(requireFormat(file, 'a sheet', { formats: sheetFormats, given })).toBe(format);
});

test.each(['posts.parquet', 'posts.txt', 'posts.xls', 'posts.csv.gz', 'posts.jsonl'])(
  '%s is refused where only CSV and workbooks are written',
  (file) => {
    const reading = () => requireFormat(file, 'the template', { formats: ['csv', 'xlsx'] });
    expect(reading).toThrow(CommandError);
    expect(reading).toThrow(
      expect.objectContaining({ exitCode: exitCodes.usage, fix: 'Use .csv or .xlsx.' }),
    );
  },
);
