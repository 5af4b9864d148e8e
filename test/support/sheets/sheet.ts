/** Writes manifests and reads results sheets, as rows of named cells. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** One row by column; a missing column is empty. */
export type Cells = Readonly<Record<string, string>>;

/** Writes a CSV with all columns of all rows, in order of first appearance. */
export function writeSheet(path: string, rows: readonly Cells[]): void {
  writeFileSync(path, sheetText(rows));
}

/** The text of such a CSV. */
export function sheetText(rows: readonly Cells[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return stringify([columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]);
}

/** A row of a results sheet: the planner's own cells, and the result. */
export type ResultRow = Cells & {
  readonly key: string;
  readonly status: string;
  readonly post_id: string;
  readonly file_ids: string;
  readonly step: string;
  readonly error_code: string;
  readonly error: string;
};

export interface ResultSheet {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
}

export function readSheet(path: string): ResultSheet {
  const text = readFileSync(path, 'utf8');
  const rows = parse(text, { bom: true, columns: true }) as ResultRow[];
  const [columns = []] = parse(text, { bom: true, to: 1 }) as string[][];
  return { columns, rows };
}
