/** The first pass over a JSON manifest: collects the keys of the rows (its header), its name and its defaults. */
import { campaignNameFix, campaignNameRule, isCampaignName } from '../../manifest/campaign-options.ts';
import { nearest } from '../../manifest/edit-distance.ts';
import { showValue } from '../../manifest/problems/problem.ts';
import { longestRow, mostColumns } from '../../manifest/sheet-bounds.ts';
import { findLongCells } from '../bounds-check.ts';
import { type SheetHeader, UnreadableSheetError, unreadable } from '../sheet.ts';
import type { JsonPiece } from './document.ts';
import { type JsonFault, readJsonObject } from './row.ts';

/** Rows that are no objects, after which the file is not read on: finding the fault of each takes ten microseconds. */
const mostBroken = 10_000;

const members = ['name', 'defaults', 'rows'];

export class JsonSurvey {
  /** Line of first appearance, by key. */
  readonly #keys = new Map<string, number>();
  #keyCharacters = 0;
  #firstLine: number | undefined;
  #firstFault: UnreadableSheetError | undefined;
  #broken = 0;
  name: string | undefined;
  /** Cells for rows that lack the key. */
  defaults: ReadonlyMap<string, string> = new Map();

  /** @throws {UnreadableSheetError} if a member beside the rows is wrong, or the rows have too many keys or faults. */
  add(piece: JsonPiece, isList: (name: string) => boolean): void {
    if (piece.member === null) this.#addRow(piece);
    else if (piece.member === 'name') this.name = readName(piece);
    else if (piece.member === 'defaults') this.#addDefaults(piece, isList);
    else if (piece.member === 'rows') {
      throw unreadable(
        piece.line,
        'invalid_json',
        'rows is not a list',
        'Write "rows": [ { ... }, { ... } ].',
      );
    } else if (!/^[_#$]/.test(piece.member)) throw unknownMember(piece);
  }

  /** @param end the fault at which the file ends. @throws {UnreadableSheetError} if there are no rows, or no row is an object. */
  header(end: UnreadableSheetError | undefined): SheetHeader {
    if (this.#keys.size === 0 && end !== undefined) throw end;
    if (this.#firstLine === undefined) {
      throw unreadable(1, 'no_rows', 'the file has no rows', 'Add an object for each post.');
    }
    if (this.#keys.size === 0 && this.#firstFault !== undefined) throw this.#firstFault;
    return { line: this.#firstLine, cells: [...this.#keys.keys()], cellLines: [...this.#keys.values()] };
  }

  /** The second pass reports the faults of rows. The first fault is kept in case no row is valid. */
  #addRow({ line, text }: JsonPiece): void {
    this.#firstLine ??= line;
    const keys = text === null ? null : keysOf(text);
    if (keys !== null) {
      for (const key of keys) this.#addKey(key, line);
      return;
    }
    this.#broken += 1;
    if (this.#firstFault !== undefined) {
      if (this.#broken > mostBroken) throw tooManyBroken(line, this.#firstFault);
      return;
    }
    const reading = readJsonObject(text ?? '', () => true);
    if ('fault' in reading) this.#firstFault = unreadableAt(line, reading.fault);
  }

  #addDefaults({ line, text }: JsonPiece, isList: (name: string) => boolean): void {
    const reading = readJsonObject(text ?? '', isList);
    if ('fault' in reading) throw unreadableAt(line, reading.fault);
    const [problem] = reading.problems;
    if (problem !== undefined) throw new UnreadableSheetError({ ...problem, line, key: null });
    const long = findLongCells([...reading.cells.values()])?.[0];
    if (long !== undefined) {
      const { position, ...fault } = long;
      throw unreadableAt(line, { column: 'defaults', ...fault, linesBefore: 0 });
    }
    this.defaults = reading.cells;
    for (const key of reading.cells.keys()) this.#addKey(key, line);
  }

  #addKey(key: string, line: number): void {
    if (this.#keys.has(key)) return;
    this.#keys.set(key, line);
    this.#keyCharacters += key.length;
    if (this.#keys.size <= mostColumns && this.#keyCharacters <= longestRow) return;
    throw unreadable(
      line,
      'too_many_columns',
      `the rows have more than ${mostColumns} different keys, or very long ones`,
      'Give every row the same keys: the names of the columns.',
    );
  }
}

function tooManyBroken(line: number, { problem: first }: UnreadableSheetError): UnreadableSheetError {
  return unreadable(
    line,
    'too_many_problems',
    `more than ${mostBroken} rows are not JSON objects, and reading stopped here; the first is on line ${first.line}: ${first.problem}`,
    first.fix,
  );
}

function unreadableAt(line: number, { linesBefore, ...problem }: JsonFault): UnreadableSheetError {
  return new UnreadableSheetError({ ...problem, line: line + linesBefore, key: null });
}

/** The keys of a row, or `null` if it is not an object. Uses `JSON.parse`, which is several times faster than our reader. */
function keysOf(text: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : null;
  } catch {
    return null;
  }
}

function readName({ text, line }: JsonPiece): string {
  let name: unknown;
  try {
    name = JSON.parse(text ?? '');
  } catch {
    name = null;
  }
  if (typeof name === 'string' && isCampaignName(name)) return name;
  throw unreadable(line, 'invalid_name', campaignNameRule, `Write "name": "..." ${campaignNameFix}`);
}

function unknownMember({ member, line }: JsonPiece): UnreadableSheetError {
  const name = showValue(member ?? '');
  const meant = nearest(name.toLowerCase(), members);
  return unreadable(
    line,
    'unknown_member',
    `a sheet has no member ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    'Use name, defaults and rows. Begin your own notes with _ or #.',
  );
}
