/** What stands in the tables of bad manifests. */
import { right } from '../manifest-source.ts';

/** A problem: where (`line column`; `-` is the row or the file as a whole), its code, what is wrong, what would be right. */
export type Told = readonly [at: string, code: string, problem: string, cure: string];

export interface BadManifest {
  readonly name: string;
  readonly content: string | Buffer;
  /** Every problem that is told. None: it simply works. */
  readonly told: readonly Told[];
  /** Rows that are right, as `line` and the text of the column that the entry is about. */
  readonly rows?: readonly (readonly [line: number, text: string])[];
  /** That column; `caption` unless given. */
  readonly column?: string;
}

type Cells = Readonly<Record<string, string>>;

/** A CSV whose rows are right but for the cells that are given. */
export function csvOf(...rows: readonly Cells[]): string {
  const names = [...new Set([...Object.keys(right), ...rows.flatMap(Object.keys)])];
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) => {
    const cells: Cells = { ...right, ...row };
    return names.map((name) => quote(cells[name] ?? '')).join(',');
  });
  return [names.join(','), ...lines, ''].join('\n');
}

/** JSON Lines: one row that is right but for the members that are given, as they are to be written. */
export function jsonOf(members: string): string {
  const { product_id: _id, caption: _caption, ...others } = right;
  return `{${JSON.stringify(others).slice(1, -1)},${members}}\n`;
}
