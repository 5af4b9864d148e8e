/** Matches the header of a manifest with the catalogue of columns. */

import { unguardFormula } from '../cells/formula-guard.ts';
import { destroyedText, isDestroyed } from '../cells/scalars.ts';
import { type ColumnName, columns, foldHeader, listSeparator, reservedNames } from '../columns.ts';
import { ComparingWork, NearestNames } from '../edit-distance.ts';
import { type CellProblem, showValue } from '../problems/problem.ts';
import {
  approvalColumns,
  figureColumns,
  insteadColumn,
  noteColumn,
  problemColumns,
  resultColumns,
} from '../result-columns.ts';
import { type ColumnMap, captionMark, isMarkedNote, type MappedTo, noteMark } from './column-map.ts';
import { foreignHeaders } from './foreign-headers.ts';
import {
  doubtfulColumn,
  duplicate,
  missingColumns,
  reserved,
  resultsSheet,
  unknown,
  wordsFor,
} from './header-problems.ts';
import { isStatusHeader } from './own-headers.ts';

/** Position of each column in a row; -1 if the manifest does not have it. */
export type ColumnIndexes = { readonly [Name in ColumnName]: number };

/** Headers of the columns that may have dates: the time of the post, and a planner's own columns. */
export function dateHeaders(header: readonly string[], indexes: ColumnIndexes): ReadonlySet<string> {
  const others = new Set(Object.values({ ...indexes, scheduled_at: -1 }));
  return new Set(header.filter((_name, position) => !others.has(position)));
}

export interface HeaderOptions {
  /** Whether unknown headers are a problem. Else they are notes, which the results sheet keeps. */
  readonly rejectUnknown?: boolean | undefined;
  /** Whether a results sheet is a problem (it has a `campaign` column): as a new campaign, its rows would be posted again. */
  readonly rejectResults?: boolean | undefined;
  /** Wins over the names of the catalogue. */
  readonly map?: ColumnMap | undefined;
  /** Positions of headers whose cells do not fit their names: what they are must be said, by `map`. */
  readonly doubtful?: ReadonlySet<number> | undefined;
  /** The word for a name in problems: JSON rows have keys. */
  readonly called?: 'header' | 'key' | undefined;
}

/** A problem of one name, or of the header as a whole. */
export interface HeaderProblem extends CellProblem {
  readonly index?: number | undefined;
}

export interface Header {
  /** As written in the sheet, but trimmed. */
  readonly names: readonly string[];
  readonly indexes: ColumnIndexes;
  /** Positions of further columns of media. The cells of a row together are one list: `Image 1`, `Image 2`, or `Clip` and `Foto`. */
  readonly moreMedia: readonly number[];
  /** Positions of columns that are appended to the caption, such as hashtags. */
  readonly moreCaption: readonly number[];
  /** Positions without a header: the cells below must be empty. */
  readonly blanks: readonly number[];
  /** Positions of the columns that a results sheet adds, which are not read. A planner's own of the same name are not among them. */
  readonly results: readonly number[];
  readonly problems: readonly HeaderProblem[];
}

const byFoldedName: ReadonlyMap<string, ColumnName> = new Map(
  columns.flatMap((column) =>
    [foldHeader(column.name), ...column.aliases, ...foreignHeaders(column.name)].map(
      (name) => [name, column.name] as const,
    ),
  ),
);
const foldedResults: ReadonlySet<string> = new Set(
  [insteadColumn, ...resultColumns, ...approvalColumns, ...figureColumns].map(foldHeader),
);
/** Together they are in results sheets only. Without them, columns such as `Status` are the planner's own notes. */
const resultsSheetMarks = ['campaign', 'ledger'];
const foldedProblems: ReadonlySet<string> = new Set(problemColumns.map(foldHeader));

/** Whether a sheet is a problems file: some rows of another one, with what is wrong with them. */
export function isProblemsFile(names: readonly string[]): boolean {
  const folded = new Set(names.map(foldHeader));
  return problemColumns.every((name) => folded.has(foldHeader(name)));
}

/** Matches the cells of the header with the catalogue. Never throws: `problems` says what is wrong. */
export function matchHeader(cells: readonly string[], options: HeaderOptions = {}): Header {
  const names = cells.map((cell) => cell.trim());
  const mapped = foldMap(options.map);
  const words = wordsFor[options.called ?? 'header'];
  const columnOf = (folded: string) => mapped.get(folded) ?? namedColumn(folded);
  const taken = new Set(names.map((name) => columnOf(foldHeader(name))));
  const indexes = Object.fromEntries(columns.map((column) => [column.name, -1])) as Record<
    ColumnName,
    number
  >;
  const moreMedia: number[] = [];
  const moreCaption: number[] = [];
  const blanks: number[] = [];
  const results: number[] = [];
  const seen = new Map<string, string>();
  const problems: HeaderProblem[] = [];
  const work = new ComparingWork(mostComparedOfHeader);
  // No mapping makes a results sheet a new manifest: its rows may be posted already.
  const isResults = resultsSheetMarks.every((mark) => names.some((name) => foldHeader(name) === mark));
  // The runner adds its columns after the planner's, who may have one of the same name.
  const lastOf = new Map(names.map((name, index) => [foldHeader(name), index]));

  names.forEach((name, index) => {
    const report = (problem: CellProblem) => problems.push({ ...problem, index });
    const folded = foldHeader(name);
    const column = columnOf(folded);
    if (name === '') blanks.push(index);
    else if (reservedNames.has(name.toLowerCase())) report(reserved(name, words));
    else if (folded === 'campaign' && isResults && mapped.has(folded) && options.rejectResults)
      report(resultsSheet(name));
    else if (column === noteMark) return;
    else if (column === captionMark) moreCaption.push(index);
    else if (!mapped.has(folded) && !taken.has('ai_prompt') && isPlainOption(column, folded)) return;
    else if (!mapped.has(folded) && options.doubtful?.has(index))
      report(doubtfulColumn(name, column, taken, words));
    else if (!mapped.has(folded) && (isMarkedNote(name) || foldedProblems.has(folded))) return;
    else if (!mapped.has(folded) && isResults && isNoteOfResults(names, index)) results.push(index);
    else if (!mapped.has(folded) && foldedResults.has(folded)) {
      if (!isResults || lastOf.get(folded) !== index) return;
      results.push(index);
      if (folded === 'campaign' && options.rejectResults) report(resultsSheet(name));
    } else if (column === undefined && isStatusHeader(name)) return;
    else {
      const identity = column ?? folded;
      const earlier = seen.get(identity);
      if (earlier !== undefined && column === 'media' && foldHeader(earlier) !== folded)
        moreMedia.push(index);
      else if (earlier !== undefined && !isDestroyed(name)) report(duplicate(name, earlier, words));
      else if (column !== undefined) indexes[column] = index;
      else if (options.rejectUnknown) {
        report(
          isDestroyed(name) ? destroyedText(showValue(name), name) : unknown(name, meantBy(name), words),
        );
      }
      seen.set(identity, name);
    }
  });

  problems.push(...missingColumns(indexes, words));
  return { names, indexes, moreMedia, moreCaption, blanks, results, problems };

  /** A column that other headers name is not meant. */
  function meantBy(name: string): ColumnName | undefined {
    const near = nearestColumn(name, work);
    return taken.has(near) ? undefined : near;
  }
}

/** A column by its name in the catalogue. Those of media may have a number: `Image 2`; creators may have both genders: `Créateur·rice`. */
export function namedColumn(folded: string): ColumnName | undefined {
  const numbered = byFoldedName.get(folded.replace(/\d{1,2}$/, ''));
  const joined = byFoldedName.get(folded.replace(/[·•‧∙・/()]/g, ''));
  const found = byFoldedName.get(folded) ?? (numbered === 'media' ? numbered : undefined);
  return found ?? (joined === 'creator' ? joined : undefined);
}

/** `Size` or `Model`: in a sheet without prompts, they are the planner's own, of clothes or telephones. */
function isPlainOption(column: MappedTo | undefined, folded: string): boolean {
  return column?.startsWith('ai_') === true && column !== 'ai_prompt' && !folded.startsWith('ai');
}

/** Whether a results sheet is the planner's own file: its cells are hers, not the campaign's. */
export function isOwnResults({ names, results }: Pick<Header, 'names' | 'results'>): boolean {
  return results.some((position) => foldHeader(names[position] ?? '') === foldHeader(insteadColumn));
}

/** Whether a column of this name is ours: only before `ledger`; anywhere else it is the planner's own. */
function isNoteOfResults(names: readonly string[], index: number): boolean {
  return foldHeader(names[index] ?? '') === noteColumn && foldHeader(names[index + 1] ?? '') === 'ledger';
}

/** Whether the column of a header takes a list. Unknown headers and notes do. */
export function isListHeader(name: string, map: ColumnMap | undefined): boolean {
  const column = foldMap(map).get(foldHeader(name)) ?? namedColumn(foldHeader(name));
  if (column === undefined || column === noteMark) return true;
  return columns.some((each) => each.name === column && each.kind === 'list');
}

/** How many of the texts are names of columns: those of the catalogue, of a results sheet, and mapped ones. */
export function countNamed(texts: readonly string[], map?: ColumnMap): number {
  const mapped = foldMap(map);
  const isNamed = (name: string) =>
    mapped.has(name) ||
    namedColumn(name) !== undefined ||
    foldedResults.has(name) ||
    foldedProblems.has(name);
  return new Set(texts.map(foldHeader).filter(isNamed)).size;
}

function foldMap(map: ColumnMap | undefined): ReadonlyMap<string, MappedTo> {
  return new Map([...(map ?? [])].map(([header, column]) => [foldHeader(header), column]));
}

/** Short words of many languages would be near to anything. */
const englishNames = new NearestNames(columns.flatMap(({ name, aliases }) => [foldHeader(name), ...aliases]));
/** Most letters to compare for the unknown names of a header: two milliseconds in all. */
export const mostComparedOfHeader = 500_000;

/** The column that an unknown header may be a misspelling of. @param work for all headers of a sheet. */
export function nearestColumn(
  header: string,
  work = new ComparingWork(mostComparedOfHeader),
): ColumnName | undefined {
  const guess = englishNames.find(foldHeader(header), work);
  if (guess !== undefined) return byFoldedName.get(guess);
  // `Caption (max. 4000)`: only a guess, because the remark may say that the column is not the one.
  const remark = header.search(/[(（[]/);
  return remark > 0 ? byFoldedName.get(foldHeader(header.slice(0, remark).trim())) : undefined;
}

/** The columns that are read, by position. */
export function meaningsOf({ indexes, moreMedia, moreCaption }: Header): ReadonlyMap<number, ColumnName> {
  const first = columns.map(({ name }) => [indexes[name], name] as const);
  const all = [
    ...first,
    ...moreMedia.map((position) => [position, 'media'] as const),
    ...moreCaption.map((position) => [position, 'caption'] as const),
  ];
  return new Map(all.filter(([position]) => position >= 0));
}

/** Position of a column; of several columns of media, the one with this item, else the first that the row fills. */
export function positionIn(
  { indexes, moreMedia }: Pick<Header, 'indexes' | 'moreMedia'>,
  column: ColumnName,
  cells: readonly string[],
  item?: string,
): number {
  const first = indexes[column] ?? -1;
  if (column !== 'media' || moreMedia.length === 0) return first;
  const filled = [first, ...moreMedia].filter((position) => isFilled(cells, position));
  const itemsAt = (position: number) => unguardFormula(cells[position] ?? '').split(listSeparator);
  const own = filled.find((position) => itemsAt(position).some((each) => each.trim() === item));
  return own ?? filled[0] ?? first;
}

/** Between the caption and the columns that are appended to it. */
export const captionSeparator = ' ';

/** The text of a column; of several columns of media, the list of all; of the caption, with what is appended to it. */
export function textIn(
  { indexes, moreMedia, moreCaption }: Pick<Header, 'indexes' | 'moreMedia' | 'moreCaption'>,
  column: ColumnName,
  cells: readonly string[],
): string {
  const text = (position: number) => unguardFormula(cells[position] ?? '');
  const more = column === 'media' ? moreMedia : column === 'caption' ? moreCaption : [];
  if (more.length === 0) return text(indexes[column]);
  const filled = [indexes[column], ...more].filter((position) => isFilled(cells, position));
  const separator = column === 'media' ? listSeparator : captionSeparator;
  return filled.map((position) => text(position).trim()).join(separator);
}

export function isFilled(cells: readonly string[], position: number): boolean {
  return (cells[position] ?? '').trim() !== '';
}

/** The column's header in the sheet; else its name in the catalogue. @param cells of the row that it is about, and the item of a list. */
export function titleOf(
  header: Header,
  column: string,
  cells: readonly string[] = [],
  item?: string,
): string {
  const index = positionIn(header, column as ColumnName, cells, item);
  return index < 0 ? column : showValue(header.names[index] ?? column);
}
