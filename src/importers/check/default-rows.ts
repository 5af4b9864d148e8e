/**
 * Drops rows with nothing but defaults: spreadsheet programs fill tick boxes, choices and formulas down to row 1000, far below the
 * last post. No such row could be posted.
 */
import { unguardFormula } from '../../manifest/cells/formula-guard.ts';
import { readBoolean } from '../../manifest/cells/scalars.ts';
import { type ColumnName, columns } from '../../manifest/columns.ts';
import { matchHeader } from '../../manifest/headers/header.ts';
import { describePlace, type Problem, placeProblem, type RowPlace } from '../../manifest/problems/problem.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';
import type { SheetRow } from '../../sheets/sheet.ts';

/** Columns whose cells may be filled in before anybody plans a post. Notes may be, too. */
const prefilled: ReadonlySet<ColumnName> = new Set([
  'key',
  'media_type',
  'product_source',
  'showcase',
  'scheduled_time',
  'scheduled_tz',
  'oauth_region',
  'is_ai_generated',
  'pre_check',
  'pre_check_overtime',
  'ai_model',
  'ai_seconds',
  'ai_size',
  'ai_aspect_ratio',
  'ai_count',
  'ai_watermark',
  'ai_business_type',
]);

/** Columns of which `leastEssential` must be known by their headers: without them, a post's content may be in columns of other names. */
const essential = ['creator', 'media', 'caption', 'product_id', 'product_title', 'ai_prompt'] as const;
const leastEssential = 3;

/** The rows of a sheet without default rows. Row numbers count these. */
export async function* withoutDefaults(
  { header, rows }: Pick<OpenSheet, 'header' | 'rows'>,
  defaults = new DefaultRows(header.cells),
): AsyncGenerator<readonly SheetRow[]> {
  for await (const batch of rows) yield defaults.sift(batch);
  yield defaults.end();
}

export class DefaultRows {
  /** Positions of the columns that make a post; empty if too few are known. */
  readonly #content: readonly number[];
  #before: SheetRow | undefined;
  /** A row without content, until the row after it shows whether its cells were filled down. */
  #bare: SheetRow | undefined;
  #count = 0;
  #first: RowPlace | undefined;
  #last: RowPlace = { line: 0 };

  /** @param header as in the file. No mapping of it matters, so that a row keeps its number whatever its columns are said to be. */
  constructor(header: readonly string[]) {
    const { indexes, moreMedia } = matchHeader(header);
    const named = columns.filter(({ name }) => !prefilled.has(name)).map(({ name }) => indexes[name]);
    const isKnown = essential.filter((name) => indexes[name] >= 0).length >= leastEssential;
    this.#content = isKnown ? [...named.filter((position) => position >= 0), ...moreMedia] : [];
  }

  /** @returns the rows without default rows, in order. The last one may come with the next call, or with `end`. */
  sift(rows: readonly SheetRow[]): readonly SheetRow[] {
    if (this.#content.length === 0) return rows;
    if (this.#bare === undefined && !rows.some((row) => this.#isBare(row))) {
      this.#before = rows.at(-1) ?? this.#before;
      return rows;
    }
    const kept: SheetRow[] = [];
    for (const row of rows) {
      this.#settle(kept, row);
      if (this.#isBare(row)) this.#bare = row;
      else {
        kept.push(row);
        this.#before = row;
      }
    }
    return kept;
  }

  /** The last row, if it was held back. */
  end(): readonly SheetRow[] {
    const kept: SheetRow[] = [];
    this.#settle(kept, undefined);
    return kept;
  }

  /** The notice about dropped rows; undefined if there are none. */
  get notice(): Problem | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined) return undefined;
    const rows = this.#count === 1 ? '1 row has' : `${this.#count.toLocaleString('en')} rows have`;
    const from = describePlace(first);
    const lines = first === last ? from : `${from} to ${describePlace(last)}`;
    return placeProblem(first, null, {
      column: null,
      code: 'default_rows',
      value: '',
      problem: `${rows} nothing but defaults, such as FALSE, and count as blank (${lines})`,
      fix: 'If a row is a post, fill in its creator or caption.',
    });
  }

  #settle(kept: SheetRow[], after: SheetRow | undefined): void {
    const row = this.#bare;
    if (row === undefined) return;
    this.#bare = undefined;
    const isDefault = row.cells.every((cell, position) =>
      isFilled(cell, this.#before?.cells[position], after?.cells[position]),
    );
    this.#before = row;
    if (!isDefault) {
      kept.push(row);
      return;
    }
    this.#first ??= row;
    this.#last = row;
    this.#count += 1;
  }

  #isBare({ cells, faults, cellFaults }: SheetRow): boolean {
    if (faults !== undefined || cellFaults !== undefined) return false;
    for (const position of this.#content) if ((cells[position] ?? '').trim() !== '') return false;
    return true;
  }
}

/** Whether a cell is blank, an open tick box, or filled down: the same as above or below, or the next number. */
function isFilled(cell: string, above = '', below = ''): boolean {
  const text = unguardFormula(cell).trim();
  if (text === '' || readBoolean(text) === false) return true;
  return text === above.trim() || text === below.trim() || isNext(above, text) || isNext(text, below);
}

/** Whether a text ends with the next number: `a-08`, `a-09`. */
function isNext(one: string, other: string): boolean {
  const [from, to] = [numberAtEnd(one.trim()), numberAtEnd(other.trim())];
  return from !== undefined && to !== undefined && from.before === to.before && to.number === from.number + 1;
}

const mostDigits = 9;

function numberAtEnd(text: string): { readonly before: string; readonly number: number } | undefined {
  let start = text.length;
  while (start > 0 && text.length - start < mostDigits && /\d/.test(text.charAt(start - 1))) start -= 1;
  if (start === text.length) return undefined;
  return { before: text.slice(0, start), number: Number(text.slice(start)) };
}
