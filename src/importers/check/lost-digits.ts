/** Finds ids that a program may have kept as numbers: the digits that it did not keep are zeros. */
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import type { ColumnName } from '../../manifest/columns.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { detached } from '../../manifest/printable.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, type Finding, showValue } from '../../manifest/problems/problem.ts';

const idColumns = [
  'creator',
  'product_id',
  'music_id',
  'cover_file_id',
  'ai_prompt_id',
  'ai_business_id',
] as const satisfies readonly ColumnName[];

/** The problem of the ids of a column that lost digits. The faults of single cells of a workbook have the same code. */
export const allEndInZeros =
  'all long ids in this column end in zeros: a program took them for numbers, and lost their last digits';

/** Digits that spreadsheet programs keep of a number. */
const keptBySheets = 15;
/** Most digits that programs keep which read JSON numbers as floating point. */
const keptByPrograms = 17;
/** Zeros that are no chance: those of all different ids together. One id in 10,000 ends in four. */
const telling = 4;

/** How many digits an id may lack, because they are zeros: all those after the 15th, or two and more after the 17th; 0 if none. */
function countLacking(id: string): number {
  if (id.length <= keptBySheets || !/^\d+$/.test(id)) return 0;
  if (/^0+$/.test(id.slice(keptBySheets))) return id.length - keptBySheets;
  return /^00+$/.test(id.slice(keptByPrograms)) ? id.length - keptByPrograms : 0;
}

export function mayLackDigits(id: string): boolean {
  return countLacking(id) > 0;
}

const none: readonly Finding[] = [];

export class LostDigits {
  readonly #columns: readonly (readonly [ColumnName, number])[];
  /** Columns with a whole long id. */
  readonly #whole = new Set<ColumnName>();
  /** The first different ids of a column that may lack digits. */
  readonly #lacking = new Map<ColumnName, Set<string>>();

  readonly #known: ReadonlySet<number> | undefined;

  /** @param known positions of the columns that lost digits, if all rows of the sheet were judged before. */
  constructor(indexes: ColumnIndexes, known?: ReadonlySet<number>) {
    this.#known = known;
    this.#columns = idColumns.flatMap((name) => (indexes[name] < 0 ? [] : [[name, indexes[name]] as const]));
  }

  /** Counts rows that are judged together. */
  count(rows: readonly { readonly cells: readonly string[] }[]): void {
    for (const { cells } of rows) {
      for (const [name, position] of this.#columns) {
        const id = cells[position] ?? '';
        if (id.length <= keptBySheets || this.#whole.has(name)) continue;
        const text = textOfCell(cells, position);
        if (mayLackDigits(text)) this.#add(name, text);
        else if (/^\d{16,}$/.test(text)) this.#whole.add(name);
      }
    }
  }

  #add(name: ColumnName, id: string): void {
    const ids = this.#lacking.get(name) ?? new Set<string>();
    this.#lacking.set(name, ids);
    if (ids.size < telling && !ids.has(id)) ids.add(detached(id));
  }

  /**
   * A problem if all long ids of the column so far are so; else a warning.
   * @param isTyped whether a person typed the cell into a page: no spreadsheet program has changed it.
   */
  find(cells: readonly string[], isTyped: (position: number) => boolean): readonly Finding[] {
    if (!this.#columns.some(([, position]) => (cells[position] ?? '').length > keptBySheets)) return none;
    return this.#columns.flatMap(([name, position]) => {
      if ((cells[position] ?? '').length <= keptBySheets) return [];
      const text = textOfCell(cells, position);
      if (!mayLackDigits(text) || isTyped(position)) return [];
      // Beside a whole id, two zeros are chance.
      if (this.#whole.has(name) && !/^0+$/.test(text.slice(keptBySheets))) return [];
      return [
        this.#hasLost(name, position)
          ? { kind: 'problem', found: hasLost(name, text) }
          : { kind: 'warning', found: mayHaveLost(name, text) },
      ];
    });
  }

  #hasLost(name: ColumnName, position: number): boolean {
    if (this.#known !== undefined) return this.#known.has(position);
    if (this.#whole.has(name)) return false;
    const zeros = [...(this.#lacking.get(name) ?? [])].reduce((sum, id) => sum + countLacking(id), 0);
    return zeros >= telling;
  }
}

function hasLost(column: ColumnName, id: string): CellProblem {
  return {
    column,
    code: 'digits_lost',
    value: showValue(id),
    problem: allEndInZeros,
    fix: [
      'Format the column as text (in JSON, write the ids in quotes), then paste the ids again.',
      hint('trustIds'),
      ...(column === 'product_id' ? [hint('findProducts')] : []),
    ],
  };
}

function mayHaveLost(column: ColumnName, id: string): CellProblem {
  return {
    column,
    code: 'digits_may_be_lost',
    value: showValue(id),
    problem: 'it ends in zeros: a program that took it for a number may have lost its last digits',
    fix: 'Compare the id with the service. If it differs, format the column as text, then paste the id again.',
  };
}
