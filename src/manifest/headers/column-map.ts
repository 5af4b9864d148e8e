/** Maps a sheet's own headers to columns. */
import { type ColumnName, columns, foldHeader, reservedNames } from '../columns.ts';
import { nearest } from '../edit-distance.ts';
import { showValue } from '../problems/problem.ts';

/** Used instead of a column: marks a column of notes, which are kept but not read. */
export const noteMark = '_';

/** Whether a header is marked as a note by its first character. `#` alone numbers the rows. */
export function isMarkedNote(header: string): boolean {
  return /^(?:_|#.)/u.test(header.trim());
}

/** Used instead of a column: its cells are appended to the caption, such as hashtags. */
export const captionMark = '+caption';

/** Columns by header, as given. */
export type ColumnMap = ReadonlyMap<string, MappedTo>;
export type MappedTo = ColumnName | typeof noteMark | typeof captionMark;

export class ColumnMapError extends Error {
  override readonly name = 'ColumnMapError';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Takes names in any spelling, or `_` for notes. @throws {ColumnMapError} for an unknown column, or a header mapped twice. */
export function createColumnMap(entries: Iterable<readonly [header: string, column: string]>): ColumnMap {
  const map = new Map<string, MappedTo>();
  const seen = new Map<string, MappedTo>();
  for (const [given, wanted] of entries) {
    const header = given.trim();
    const column = findColumn(wanted);
    const folded = foldHeader(header);
    if (folded === '' || reservedNames.has(header.toLowerCase())) {
      throw new ColumnMapError(
        `the header ${JSON.stringify(showValue(header))} cannot be mapped`,
        'Write the header as in the sheet.',
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

/** Adds a remembered map to the given one, which wins. */
export function withRemembered(
  given: ColumnMap | undefined,
  remembered: ColumnMap | undefined,
): ColumnMap | undefined {
  if (given === undefined || remembered === undefined) return given ?? remembered;
  const taken = new Set([...given.keys()].map(foldHeader));
  return new Map([...given, ...[...remembered].filter(([header]) => !taken.has(foldHeader(header)))]);
}

/** @throws {ColumnMapError} for the first missing one. */
export function requireMappedHeaders(map: ColumnMap, headerCells: readonly string[]): void {
  const byFolded = new Map(headerCells.map((cell) => [foldHeader(cell), cell.trim()]));
  for (const header of map.keys()) {
    if (byFolded.has(foldHeader(header))) continue;
    const guess = byFolded.get(nearest(foldHeader(header), byFolded.keys()) ?? '');
    const meant = guess === undefined ? '' : `; did you mean ${showValue(guess)}?`;
    throw new ColumnMapError(
      `the sheet has no header ${showValue(header)}${meant}`,
      `Its headers are: ${headerCells
        .slice(0, 40)
        .map((cell) => showValue(cell.trim()))
        .join(', ')}`,
    );
  }
}

function findColumn(wanted: string): MappedTo {
  if (wanted.trim() === noteMark) return noteMark;
  if (wanted.replace(/\s/g, '').toLowerCase() === captionMark) return captionMark;
  const folded = foldHeader(wanted);
  const byFolded = new Map(columns.map(({ name }) => [foldHeader(name), name]));
  const found = byFolded.get(folded);
  if (found !== undefined) return found;
  const meant = byFolded.get(nearest(folded, byFolded.keys()) ?? '');
  throw new ColumnMapError(
    `there is no column ${showValue(wanted.trim())}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    `The columns are: ${columns.map(({ name }) => name).join(', ')}. Use ${noteMark} to keep a column as notes, ${captionMark} to append it to the caption.`,
  );
}
