/** A mapping of a sheet's own headers to the columns that they stand for: `--map "Their header=our_column"`. */
import { type ColumnName, columns, foldHeader, reservedNames } from './columns.ts';
import { nearest } from './edit-distance.ts';
import { showValue } from './problem.ts';

/** In place of a column: the header stands above notes, which are kept and mean nothing. */
export const noteMark = '_';

/** Columns by the header as it was given. */
export type ColumnMap = ReadonlyMap<string, MappedTo>;
export type MappedTo = ColumnName | typeof noteMark;

/** A mapping that cannot be used; `cure` says what would be right. */
export class ColumnMapError extends Error {
  override readonly name = 'ColumnMapError';
  readonly cure: string;

  constructor(message: string, cure: string) {
    super(message);
    this.cure = cure;
  }
}

/**
 * Makes a mapping of headers and names of columns, the latter in any case and spelling, or `_` for a header above notes.
 * @throws {ColumnMapError} for a column that there is not, and a header that is named twice.
 */
export function createColumnMap(entries: Iterable<readonly [header: string, column: string]>): ColumnMap {
  const map = new Map<string, MappedTo>();
  const seen = new Map<string, MappedTo>();
  for (const [given, wanted] of entries) {
    const header = given.trim();
    const column = findColumn(wanted);
    const folded = foldHeader(header);
    if (folded === '' || reservedNames.has(header.toLowerCase())) {
      throw new ColumnMapError(
        `${JSON.stringify(showValue(header))} is no header that can be mapped`,
        'Name the header as the sheet writes it: --map "Their header=our_column".',
      );
    }
    if ((seen.get(folded) ?? column) !== column) {
      throw new ColumnMapError(
        `the header ${showValue(header)} is mapped to ${seen.get(folded)} and to ${column}`,
        'Keep one of them.',
      );
    }
    if (!seen.has(folded)) map.set(header, column);
    seen.set(folded, column);
  }
  return map;
}

/**
 * Looks whether the sheet has every header that is mapped.
 * @throws {ColumnMapError} naming the first that it has not.
 */
export function requireMappedHeaders(map: ColumnMap, headerCells: readonly string[]): void {
  const byFolded = new Map(headerCells.map((cell) => [foldHeader(cell), cell.trim()]));
  for (const header of map.keys()) {
    if (byFolded.has(foldHeader(header))) continue;
    const guess = byFolded.get(nearest(foldHeader(header), byFolded.keys()) ?? '');
    const meant = guess === undefined ? '' : `; did you mean ${showValue(guess)}?`;
    throw new ColumnMapError(
      `the sheet has no header ${showValue(header)}, which --map names${meant}`,
      `Its headers are: ${headerCells
        .slice(0, 40)
        .map((cell) => showValue(cell.trim()))
        .join(', ')}`,
    );
  }
}

function findColumn(wanted: string): MappedTo {
  if (wanted.trim() === noteMark) return noteMark;
  const folded = foldHeader(wanted);
  const byFolded = new Map(columns.map(({ name }) => [foldHeader(name), name]));
  const found = byFolded.get(folded);
  if (found !== undefined) return found;
  const meant = byFolded.get(nearest(folded, byFolded.keys()) ?? '');
  throw new ColumnMapError(
    `there is no column ${showValue(wanted.trim())} to map a header to${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    `The columns are: ${columns.map(({ name }) => name).join(', ')}. ${noteMark} keeps a column as a note.`,
  );
}
