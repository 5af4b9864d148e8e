/** Reads the header of a manifest: which column of the catalogue stands where, and what is wrong with it. */
import {
  type ColumnName,
  columns,
  foldHeader,
  problemColumns,
  requiredColumns,
  reservedNames,
  resultColumns,
} from './columns.ts';
import { nearest } from './edit-distance.ts';
import { type CellProblem, showValue } from './problem.ts';

/** Where each column stands among the cells of a row; -1 where the manifest has none. */
export type ColumnIndexes = { readonly [Name in ColumnName]: number };

export interface HeaderOptions {
  /** Takes headers that are no known column; the results sheet keeps them. */
  readonly allowUnknownColumns: boolean;
  /** Takes a results sheet (it has a `campaign` column), as an import into an existing campaign does. */
  readonly allowResultsSheet: boolean;
}

export interface Header {
  /** As the sheet writes them, trimmed, in order. */
  readonly names: readonly string[];
  readonly indexes: ColumnIndexes;
  /** Positions that have no header at all: nothing may stand under them. */
  readonly blanks: readonly number[];
  /** Positions of columns that a results sheet added; nothing is read from them. */
  readonly results: readonly number[];
  readonly problems: readonly CellProblem[];
}

const byFoldedName: ReadonlyMap<string, ColumnName> = new Map(
  columns.flatMap((column) =>
    [foldHeader(column.name), ...column.aliases].map((name) => [name, column.name] as const),
  ),
);
const foldedResults: ReadonlySet<string> = new Set(resultColumns.map(foldHeader));
const foldedProblems: ReadonlySet<string> = new Set(problemColumns.map(foldHeader));

/** Matches the header's cells with the catalogue. Never throws: what is wrong is among the `problems`. */
export function matchHeader(cells: readonly string[], options: HeaderOptions): Header {
  const names = cells.map((cell) => cell.trim());
  const indexes = noColumns();
  const blanks: number[] = [];
  const results: number[] = [];
  const seen = new Map<string, string>();
  const problems: CellProblem[] = [];

  names.forEach((name, index) => {
    const folded = foldHeader(name);
    if (name === '') blanks.push(index);
    else if (reservedNames.has(name.toLowerCase())) problems.push(reserved(name));
    else if (/^[_#]/.test(name) || foldedProblems.has(folded)) return;
    else if (foldedResults.has(folded)) {
      results.push(index);
      if (folded === 'campaign' && !options.allowResultsSheet) problems.push(resultsSheet(name));
    } else {
      const column = byFoldedName.get(folded);
      const identity = column ?? folded;
      const earlier = seen.get(identity);
      if (earlier !== undefined) problems.push(duplicate(name, earlier));
      else if (column !== undefined) indexes[column] = index;
      else if (!options.allowUnknownColumns) problems.push(unknown(name, folded));
      seen.set(identity, name);
    }
  });

  problems.push(...missingColumns(indexes));
  return { names, indexes, blanks, results, problems };
}

/** What the sheet itself calls a column; the catalogue's name where it has none. */
export function titleOf(header: Header, column: string): string {
  const index = header.indexes[column as ColumnName] ?? -1;
  return index < 0 ? column : showValue(header.names[index] ?? column);
}

function noColumns(): Record<ColumnName, number> {
  return Object.fromEntries(columns.map((column) => [column.name, -1])) as Record<ColumnName, number>;
}

function missingColumns(indexes: ColumnIndexes): CellProblem[] {
  const problems = requiredColumns
    .filter((name) => indexes[name] < 0)
    .map((name) => missing(name, `Add a column ${name}.`));
  if (indexes.media < 0 && indexes.ai_prompt < 0) {
    problems.push(missing('media', 'Add a column media, or ai_prompt to generate the media.'));
  }
  return problems;
}

function missing(column: ColumnName, cure: string): CellProblem {
  return {
    column,
    code: 'missing_column',
    value: '',
    problem: `the header has no column ${column}`,
    cure: `${cure} The README lists all columns.`,
  };
}

function reserved(name: string): CellProblem {
  return {
    column: showValue(name),
    code: 'reserved_name',
    value: showValue(name),
    problem: 'this name is not allowed as a header',
    cure: 'Rename or remove the column.',
  };
}

function duplicate(name: string, earlier: string): CellProblem {
  return {
    column: showValue(name),
    code: 'duplicate_column',
    value: showValue(name),
    problem:
      name === earlier
        ? `the header has the column ${showValue(name)} twice`
        : `${showValue(name)} and ${showValue(earlier)} are names of the same column`,
    cure: 'Keep one of them.',
  };
}

function unknown(name: string, folded: string): CellProblem {
  const guess = nearest(folded, byFoldedName.keys());
  const meant = guess === undefined ? undefined : byFoldedName.get(guess);
  const keep = 'begin its header with _ or #, or give --allow-unknown-columns, to keep it as a note';
  return {
    column: showValue(name),
    code: 'unknown_column',
    value: showValue(name),
    problem:
      meant === undefined
        ? `there is no column ${showValue(name)}`
        : `there is no column ${showValue(name)}; did you mean ${meant}?`,
    cure: meant === undefined ? `Remove it, or ${keep}.` : `Rename it to ${meant}; or ${keep}.`,
  };
}

function resultsSheet(name: string): CellProblem {
  return {
    column: showValue(name),
    code: 'results_sheet',
    value: showValue(name),
    problem: 'this is the results sheet of a campaign, not a new manifest',
    cure: 'Import it with --into and the id of its campaign; or remove the column to make a new campaign of it.',
  };
}
