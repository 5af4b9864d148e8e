/** Entries of the tables of bad manifests. */
import { right } from '../manifest-source.ts';

/** A problem: place (`line column`; `-` for the row or the file as a whole), code, description and fix. */
export type ExpectedProblem = readonly [at: string, code: string, problem: string, fix: string];

export interface BadManifest {
  readonly name: string;
  readonly content: string | Buffer;
  /** All expected problems; empty if the manifest just works. */
  readonly problems: readonly ExpectedProblem[];
  /** Accepted rows, as line and the text of `column`. */
  readonly rows?: readonly (readonly [line: number, text: string])[];
  /** Default: `caption`. */
  readonly column?: string;
}

type Cells = Readonly<Record<string, string>>;

/** A CSV of valid rows with the given cells changed. */
export function csvOf(...rows: readonly Cells[]): string {
  const names = [...new Set([...Object.keys(right), ...rows.flatMap(Object.keys)])];
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) => {
    const cells: Cells = { ...right, ...row };
    return names.map((name) => quote(cells[name] ?? '')).join(',');
  });
  return [names.join(','), ...lines, ''].join('\n');
}

/** JSON Lines with one valid row; `members` is appended as written. */
export function jsonOf(members: string): string {
  const { product_id: _id, caption: _caption, ...others } = right;
  return `{${JSON.stringify(others).slice(1, -1)},${members}}\n`;
}
