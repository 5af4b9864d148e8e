/** The first pass over a JSON manifest: the keys of its rows, which are its header, and what it says of itself. */
import { nearest } from '../../manifest/edit-distance.ts';
import { showValue } from '../../manifest/problem.ts';
import { type SheetHeader, UnreadableSheetError, unreadable } from '../sheet.ts';
import type { JsonPiece } from './pieces.ts';
import { readJsonObject } from './row.ts';

/** Many times as many as there are columns. */
const maxKeys = 1000;
const longestName = 100;
const members = ['name', 'defaults', 'rows'];

export class JsonSurvey {
  /** Line of first appearance by key, in that order. */
  readonly #keys = new Map<string, number>();
  #firstLine: number | undefined;
  #firstFault: UnreadableSheetError | undefined;
  /** What the file calls the campaign. */
  name: string | undefined;
  /** Cells of rows that do not have the key themselves. */
  defaults: ReadonlyMap<string, string> = new Map();

  /** @throws {UnreadableSheetError} where a member beside the rows is wrong, or the rows have too many keys. */
  add(piece: JsonPiece, isList: (name: string) => boolean): void {
    if (piece.member === null) this.#addRow(piece);
    else if (piece.member === 'name') this.name = readName(piece);
    else if (piece.member === 'defaults') this.#addDefaults(piece, isList);
    else if (piece.member === 'rows') {
      throw unreadable(piece.line, 'invalid_json', 'rows is no list', 'Write "rows": [ { ... }, { ... } ].');
    } else if (!/^[_#$]/.test(piece.member)) throw unknownMember(piece);
  }

  /**
   * The keys of all rows.
   * @throws {UnreadableSheetError} where there are no rows, or none that is an object.
   */
  header(): SheetHeader {
    if (this.#firstLine === undefined) {
      throw unreadable(1, 'no_rows', 'the file has no rows', 'Add an object for each post.');
    }
    if (this.#keys.size === 0 && this.#firstFault !== undefined) throw this.#firstFault;
    return { line: this.#firstLine, cells: [...this.#keys.keys()], cellLines: [...this.#keys.values()] };
  }

  /** What is wrong with a row is told when it is read in earnest, unless no row is right. */
  #addRow({ line, text }: JsonPiece): void {
    this.#firstLine ??= line;
    const keys = text === null ? null : keysOf(text);
    if (keys !== null) {
      for (const key of keys) this.#addKey(key, line);
      return;
    }
    if (this.#firstFault !== undefined) return;
    const reading = readJsonObject(text ?? '', () => true);
    if (!('fault' in reading)) return;
    const { linesBefore, ...problem } = reading.fault;
    this.#firstFault = new UnreadableSheetError({ ...problem, line: line + linesBefore, key: null });
  }

  #addDefaults({ line, text }: JsonPiece, isList: (name: string) => boolean): void {
    const reading = readJsonObject(text ?? '', isList);
    if ('fault' in reading) {
      const { linesBefore, ...problem } = reading.fault;
      throw new UnreadableSheetError({ ...problem, line: line + linesBefore, key: null });
    }
    const [problem] = reading.problems;
    if (problem !== undefined) throw new UnreadableSheetError({ ...problem, line, key: null });
    this.defaults = reading.cells;
    for (const key of reading.cells.keys()) this.#addKey(key, line);
  }

  #addKey(key: string, line: number): void {
    if (this.#keys.has(key)) return;
    this.#keys.set(key, line);
    if (this.#keys.size <= maxKeys) return;
    throw unreadable(
      line,
      'too_many_columns',
      `the rows have more than ${maxKeys} different keys`,
      'Give every row the same keys: the names of the columns.',
    );
  }
}

/** The keys of a row by the parser of the platform, which is several times as quick; `null` where it is no object. */
function keysOf(text: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : null;
  } catch {
    return null;
  }
}

/** It becomes part of the names of files: it must not lead out of their folder. */
function readName({ text, line }: JsonPiece): string {
  let name: unknown;
  try {
    name = JSON.parse(text ?? '');
  } catch {
    name = null;
  }
  if (typeof name === 'string' && name.length <= longestName && /^(?!\.)[^\p{Cc}\p{Cf}/\\]+$/u.test(name)) {
    return name;
  }
  throw unreadable(
    line,
    'invalid_name',
    'the name of the campaign is empty, too long, or has characters that no file name may have',
    `Write "name": "..." with up to ${longestName} characters, without / and \\, not beginning with a full stop.`,
  );
}

function unknownMember({ member, line }: JsonPiece): UnreadableSheetError {
  const name = showValue(member ?? '');
  const meant = nearest(name.toLowerCase(), members);
  return unreadable(
    line,
    'unknown_member',
    `beside the rows there is no ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    'The file has name, defaults and rows; a note of your own begins with _ or #.',
  );
}
