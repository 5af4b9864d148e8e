/** Reads the header of a manifest: which column of the catalogue stands where, and what is wrong with it. */
import { chineseHeaders } from './chinese-headers.ts';
import { type ColumnMap, type MappedTo, noteMark } from './column-map.ts';
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
  /** Columns that headers stand for, before all names of the catalogue. */
  readonly map?: ColumnMap | undefined;
  /** What the names are called in problems: those of JSON rows are keys. */
  readonly called?: 'header' | 'key' | undefined;
}

/** A problem of one name of the header, or of the header as a whole. */
export interface HeaderProblem extends CellProblem {
  /** Position of the name. */
  readonly index?: number | undefined;
}

export interface Header {
  /** As the sheet writes them, trimmed, in order. */
  readonly names: readonly string[];
  readonly indexes: ColumnIndexes;
  /** Positions that have no header at all: nothing may stand under them. */
  readonly blanks: readonly number[];
  /** Positions of columns that a results sheet added; nothing is read from them. */
  readonly results: readonly number[];
  readonly problems: readonly HeaderProblem[];
}

const byFoldedName: ReadonlyMap<string, ColumnName> = new Map(
  columns.flatMap((column) =>
    [foldHeader(column.name), ...column.aliases, ...chineseHeaders[column.name].split(' ')].map(
      (name) => [name, column.name] as const,
    ),
  ),
);
const foldedResults: ReadonlySet<string> = new Set(resultColumns.map(foldHeader));
const foldedProblems: ReadonlySet<string> = new Set(problemColumns.map(foldHeader));

/** Matches the header's cells with the catalogue. Never throws: what is wrong is among the `problems`. */
export function matchHeader(cells: readonly string[], options: HeaderOptions): Header {
  const names = cells.map((cell) => cell.trim());
  const mapped = foldMap(options.map);
  const words = wordsFor[options.called ?? 'header'];
  const indexes = noColumns();
  const blanks: number[] = [];
  const results: number[] = [];
  const seen = new Map<string, string>();
  const problems: HeaderProblem[] = [];

  names.forEach((name, index) => {
    const report = (problem: CellProblem) => problems.push({ ...problem, index });
    const folded = foldHeader(name);
    const column = mapped.get(folded) ?? byFoldedName.get(folded);
    if (name === '') blanks.push(index);
    else if (reservedNames.has(name.toLowerCase())) report(reserved(name, words));
    else if (column === noteMark) return;
    else if (!mapped.has(folded) && (/^[_#]/.test(name) || foldedProblems.has(folded))) return;
    else if (!mapped.has(folded) && foldedResults.has(folded)) {
      results.push(index);
      if (folded === 'campaign' && !options.allowResultsSheet) report(resultsSheet(name));
    } else {
      const identity = column ?? folded;
      const earlier = seen.get(identity);
      if (earlier !== undefined) report(duplicate(name, earlier, words));
      else if (column !== undefined) indexes[column] = index;
      else if (!options.allowUnknownColumns) report(unknown(name, folded, words));
      seen.set(identity, name);
    }
  });

  problems.push(...missingColumns(indexes, words));
  return { names, indexes, blanks, results, problems };
}

/** Whether the column that a header stands for takes several values in a cell; headers that are not known, or are notes, do. */
export function isListHeader(name: string, map: ColumnMap | undefined): boolean {
  const column = foldMap(map).get(foldHeader(name)) ?? byFoldedName.get(foldHeader(name));
  if (column === undefined || column === noteMark) return true;
  return columns.some((each) => each.name === column && each.kind === 'list');
}

function foldMap(map: ColumnMap | undefined): ReadonlyMap<string, MappedTo> {
  return new Map([...(map ?? [])].map(([header, column]) => [foldHeader(header), column]));
}

/** What the sheet itself calls a column; the catalogue's name where it has none. */
export function titleOf(header: Header, column: string): string {
  const index = header.indexes[column as ColumnName] ?? -1;
  return index < 0 ? column : showValue(header.names[index] ?? column);
}

function noColumns(): Record<ColumnName, number> {
  return Object.fromEntries(columns.map((column) => [column.name, -1])) as Record<ColumnName, number>;
}

/** A header stands once above its column; a key of JSON stands in every row. */
interface Words {
  readonly one: string;
  readonly has: (column: string) => string;
  readonly lacks: (column: string) => string;
  readonly add: (column: string) => string;
  readonly remove: string;
}

const wordsFor: { readonly [called in NonNullable<HeaderOptions['called']>]: Words } = {
  header: {
    one: 'header',
    has: (column) => `the header has the column ${column} twice`,
    lacks: (column) => `the header has no column ${column}`,
    add: (column) => `Add a column ${column}`,
    remove: 'Rename or remove the column.',
  },
  key: {
    one: 'key',
    has: (column) => `the key ${column} is written in two ways`,
    lacks: (column) => `no row has the key ${column}`,
    add: (column) => `Add ${column} to the rows`,
    remove: 'Rename or remove the key.',
  },
};

function missingColumns(indexes: ColumnIndexes, words: Words): CellProblem[] {
  const problems = requiredColumns
    .filter((name) => indexes[name] < 0)
    .map((name) => missing(name, `${words.add(name)}.`, words));
  if (indexes.media < 0 && indexes.ai_prompt < 0) {
    problems.push(missing('media', `${words.add('media')}, or ai_prompt to generate the media.`, words));
  }
  return problems;
}

function missing(column: ColumnName, cure: string, words: Words): CellProblem {
  return {
    column,
    code: 'missing_column',
    value: '',
    problem: words.lacks(column),
    cure: `${cure} The README lists all columns.`,
  };
}

function reserved(name: string, words: Words): CellProblem {
  return {
    column: showValue(name),
    code: 'reserved_name',
    value: showValue(name),
    problem: `this name is not allowed as a ${words.one}`,
    cure: words.remove,
  };
}

function duplicate(name: string, earlier: string, words: Words): CellProblem {
  return {
    column: showValue(name),
    code: 'duplicate_column',
    value: showValue(name),
    problem:
      name === earlier
        ? words.has(showValue(name))
        : `${showValue(name)} and ${showValue(earlier)} are names of the same column`,
    cure: 'Keep one of them.',
  };
}

function unknown(name: string, folded: string, words: Words): CellProblem {
  const guess = nearest(folded, byFoldedName.keys());
  const meant = guess === undefined ? undefined : byFoldedName.get(guess);
  const shown = showValue(name);
  const map = `map it (--map "${shown}=${meant ?? 'COLUMN'}")`;
  const keep = `to keep it as a note, begin its ${words.one} with _ or #, map it to _, or give --allow-unknown-columns`;
  return {
    column: shown,
    code: 'unknown_column',
    value: shown,
    problem:
      meant === undefined
        ? `there is no column ${shown}`
        : `there is no column ${shown}; did you mean ${meant}?`,
    cure: `${meant === undefined ? 'Remove it' : `Rename it to ${meant}`}, or ${map}; ${keep}.`,
  };
}

function resultsSheet(name: string): CellProblem {
  return {
    column: showValue(name),
    code: 'results_sheet',
    value: showValue(name),
    problem: 'this is the results sheet of a campaign, not a new manifest',
    cure: 'Hand it in with --into and the id of its campaign: what failed or has changed is done again. To post every row once more, as a new campaign, remove this column.',
  };
}
