/** Problems of a manifest, as planners read them: place, problem and fix. */
import { z } from 'zod';
import { printable, shortened } from '../printable.ts';
import { maxIdLength } from '../sheet-bounds.ts';
import { plural, thousands } from '../wording.ts';
import { type Fix, fixField, hintsField } from './hint.ts';

/** A problem of a row, without its line. */
export interface CellProblem {
  /** Header of the column in the sheet, else its name in the catalogue; `null`: the row as a whole. */
  readonly column: string | null;
  /** Stable name of the problem in snake_case. */
  readonly code: string;
  /** The wrong value, as `showValue` returns it. */
  readonly value: string;
  readonly problem: string;
  readonly fix: Fix;
  /** What may have been meant instead of the wrong value, as it would stand in the cell: a name nearby, a file that exists. */
  readonly meant?: string | undefined;
}

/** What is wrong with a text, wherever it stands. */
export type Fault = Pick<CellProblem, 'code' | 'problem' | 'fix' | 'meant'>;

export interface Finding {
  readonly kind: 'problem' | 'warning';
  readonly found: CellProblem;
}

/** Receives what a check finds in a row. @param item of a list that it is about, as in the cell. */
export type Report<Of> = (row: Of, kind: Finding['kind'], found: CellProblem, item?: string) => void;

export interface RowPlace {
  /** First line of the row, from 1, as the file or the worksheet counts them. */
  readonly line: number;
  /** Name of its worksheet, as `showValue` returns it; undefined unless several are read as one table. */
  readonly worksheet?: string | undefined;
}

/** `line 5`; among several worksheets `Week 2, line 5`. */
export function describePlace({ line, worksheet }: RowPlace): string {
  return worksheet === undefined ? `line ${line}` : `${worksheet}, line ${line}`;
}

/** `line 5`, `lines 5 and 9`, `lines 3, 4 and 12 more`; of several worksheets `Week 1, line 5; Week 2, lines 3 and 4`. @param more how many are not among them. */
export function describePlaces(places: readonly RowPlace[], more = 0): string {
  const rest = more > 0 ? [`${thousands(more)} more`] : [];
  const sheets = [...Map.groupBy(places, ({ worksheet }) => worksheet)];
  return sheets
    .map(([worksheet, of], index) => {
      const names = [...of.map(({ line }) => String(line)), ...(index === sheets.length - 1 ? rest : [])];
      const many = names.length > 1 ? 'lines' : 'line';
      const last = names.length > 1 ? ` and ${names.pop()}` : '';
      const lines = `${many} ${names.join(', ')}${last}`;
      return worksheet === undefined ? lines : `${worksheet}, ${lines}`;
    })
    .join('; ');
}

interface NamedRows {
  readonly count: number;
  /** Of the first few, and their places by the same index. */
  readonly keys: readonly string[];
  readonly places?: readonly RowPlace[] | undefined;
}

/** `2 rows of the campaign are no longer in the sheet`, or which of them are skipped or on hold there. */
export function describeAbsent({ count, held }: { readonly count: number; readonly held: number }): string {
  const rows = (many: number) => `${plural(many, 'row')} of the campaign ${many === 1 ? 'is' : 'are'}`;
  const gone = count - held;
  if (gone === 0) return `${rows(held)} skipped or on hold in the sheet`;
  const more = held === 0 ? '' : `, ${held} ${held === 1 ? 'is' : 'are'} skipped or on hold there`;
  return `${rows(gone)} no longer in the sheet${more}`;
}

/** Of an update. */
export function otherKeys(rows: number): string {
  return `${plural(rows, 'row')} ${rows === 1 ? 'has' : 'have'} the key of another row`;
}

export const matchedByPost =
  'Rows were matched by what they post, so that none is sent twice. The campaign keeps its keys.';

/** Names rows as a planner knows them: by her keys, else by their lines. @param most how many to name. */
export function nameRows({ count, keys, places = [] }: NamedRows, isKeyless: boolean, most: number): string {
  if (isKeyless && places.length > 0) {
    const shown = places.slice(0, most);
    return describePlaces(shown, count - shown.length);
  }
  return `${keys.slice(0, most).join(', ')}${count > most ? ', …' : ''}`;
}

export interface Problem extends CellProblem, RowPlace {
  /** Key of the row; `null` for a problem of the header or the file. */
  readonly key: string | null;
}

const longestShown = 120;

/** Makes a value fit for a message: cuts it at 120 UTF-16 units and shows invisible characters as `\u200b`. */
export function showValue(value: string): string {
  return printable(shortened(value, longestShown));
}

/** Whether `showValue` shows all of it. */
export function isShownWhole(value: string): boolean {
  return value.length <= longestShown;
}

export function placeProblem({ line, worksheet }: RowPlace, key: string | null, found: CellProblem): Problem {
  const isLong = key !== null && key.length > maxIdLength;
  const place = worksheet === undefined ? { line } : { line, worksheet };
  return { ...place, key: isLong ? showValue(key) : key, ...found };
}

/** As `--json` prints a problem, and the REST API answers it. */
export const problemSchema = z
  .strictObject({
    line: z.int(),
    worksheet: z.string().optional().describe('The worksheet, if several are read.'),
    key: z.string().nullable(),
    column: z.string().nullable(),
    code: z.string(),
    value: z.string(),
    problem: z.string(),
    fix: fixField,
    hints: hintsField,
    /** What may have been meant instead of the value. */
    meant: z.string().optional(),
  })
  .meta({ id: 'SheetProblem' });

export const problemFields = {
  /** The first 10,000. */
  problems: z.array(problemSchema),
  /** Total number by code. */
  problemCounts: z.record(z.string(), z.int()),
};

export const warningFields = {
  /** The first 10,000. */
  warnings: z.array(problemSchema),
  warningCounts: z.record(z.string(), z.int()),
};
