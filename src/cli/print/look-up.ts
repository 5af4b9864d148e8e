/** Results of a look-up, as a table, or as CSV to paste into a sheet. */
import { stringify } from 'csv-stringify/sync';
import { guardFormula } from '../../manifest/cells/formula.ts';
import { plural } from '../../runtime/wording.ts';
import type { CommonOptions } from '../session.ts';
import { type Output, table } from './output.ts';

export interface LookUpFlags extends CommonOptions {
  readonly csv?: boolean;
  readonly account?: string;
}

/** A column of a look-up. It has the name of the manifest's column, if there is one. */
export type LookUpColumn<T> = readonly [name: string, cell: (entry: T) => string | undefined];

/** Prints nothing with `--json`. */
export function printEntries<T>(
  output: Output,
  noun: string,
  entries: readonly T[],
  columns: readonly LookUpColumn<T>[],
  { csv = false }: LookUpFlags,
): void {
  const names = columns.map(([name]) => name);
  const rows = entries.map((entry) => columns.map(([, cell]) => cell(entry) ?? ''));
  if (csv) output.sheet(stringify([names, ...rows.map((row) => row.map(guardFormula))]));
  else if (rows.length === 0) output.print(`No ${noun} found.`);
  else {
    const titles = names.map((name) => name.toUpperCase());
    for (const line of table(titles, rows)) output.print(line);
    output.say(plural(rows.length, noun));
  }
}
