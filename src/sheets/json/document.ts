/** Splits a JSON file that is one value: an array of rows, or an object with an array `rows`. */
import { longestRow } from '../../manifest/sheet-bounds.ts';
import { rowTooLong } from '../bounds-check.ts';
import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { LineCounter } from '../text/line-counter.ts';
import { findSyntaxFault, misplacedFix } from './syntax.ts';

export interface JsonPiece {
  /** Name of a member beside the rows; `null` for a row. */
  readonly member: string | null;
  /** Its first line. */
  readonly line: number;
  /** `null`: skipped, because it is longer than 1 MB. */
  readonly text: string | null;
}

/** Includes the first characters of invalid values such as NaN: the row reader reports what is wrong. */
const anyValue = /[-+.\w"[{']/;

export class JsonDocument {
  readonly #bytes: Buffer;
  readonly #lines = new LineCounter();
  readonly #members = new Set<string>();
  #index = 0;
  /** Bytes of the names and values beside the rows. */
  #beside = 0;

  /** @param bytes of UTF-8. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#lines.feed(bytes);
  }

  /** At most a few MB for each. @throws {UnreadableSheetError} where the text becomes unreadable, after the pieces before. */
  *pieces(): Generator<JsonPiece> {
    const first = this.#peek();
    if (first === '[') yield* this.#rows();
    else if (first === '{') {
      yield* this.#list('}', () => this.#member(), 'a comma is missing before this', 'members');
    } else throw this.#misplaced(first);
    const more = this.#peek();
    if (more === '') return;
    throw this.#misplaced(
      more,
      'there is more text after the end',
      'Remove the text after the last bracket.',
    );
  }

  #rows(): Generator<JsonPiece> {
    return this.#list(']', () => this.#row(), 'a comma is missing before this row', 'rows');
  }

  /** Reads items with commas between them, from the opening bracket to the closing one. */
  *#list(
    close: string,
    item: () => Generator<JsonPiece>,
    commaMissing: string,
    items: string,
  ): Generator<JsonPiece> {
    this.#index += 1;
    let next = this.#peek();
    while (next !== close) {
      yield* item();
      next = this.#peek();
      if (next === close) break;
      if (next !== ',') throw this.#misplaced(next, commaMissing, `Separate the ${items} with commas.`);
      this.#index += 1;
      next = this.#peek();
      if (next === ']' || next === '}') {
        throw this.#fault(`there is a comma before this ${next}`, 'Remove the comma after the last item.');
      }
    }
    this.#index += 1;
  }

  *#row(): Generator<JsonPiece> {
    yield { member: null, ...this.#value(anyValue, tooLongRow) };
  }

  *#member(): Generator<JsonPiece> {
    const name = this.#readName(this.#besideRows(/"/));
    const colon = this.#peek();
    if (colon !== ':') throw this.#misplaced(colon);
    this.#index += 1;
    if (name === 'rows' && this.#peek() === '[') yield* this.#rows();
    else yield { member: name, ...this.#besideRows(anyValue) };
  }

  /** The next character that is no white space; '' at the end of the file. */
  #peek(): string {
    const begin = this.#index;
    while (isSpace(this.#bytes[this.#index])) this.#index += 1;
    if (this.#index - begin > longestRow) {
      throw this.#fault('there is more than 1 MB of white space before this', 'Remove it.');
    }
    const byte = this.#bytes[this.#index];
    return byte === undefined ? '' : String.fromCharCode(byte);
  }

  /** Reads a value to its end, without parsing it. */
  #value(
    begin: RegExp,
    tooLong: (line: number) => UnreadableSheetError,
  ): { readonly line: number; readonly text: string } {
    const first = this.#peek();
    if (!begin.test(first)) throw this.#misplaced(first);
    const line = this.#lineHere();
    const rest = this.#bytes.subarray(this.#index, this.#index + longestRow + 1);
    const { length, isWhole } = /["{[]/.test(first) ? measureNested(rest) : measureWord(rest);
    if (length > longestRow) throw tooLong(line);
    const text = rest.toString('utf8', 0, length);
    if (!isWhole) throw unclosed(line, text);
    this.#index += length;
    return { line, text };
  }

  #besideRows(begin: RegExp): { readonly line: number; readonly text: string } {
    const from = this.#index;
    const value = this.#value(begin, tooMuchBeside);
    this.#beside += this.#index - from;
    if (this.#beside > longestRow) throw tooMuchBeside(value.line);
    return value;
  }

  #readName({ line, text }: { readonly line: number; readonly text: string }): string {
    if (findSyntaxFault(text) !== null) {
      throw unreadable(line, 'invalid_json', 'this name is not valid JSON', 'Write it in double quotes.');
    }
    const name = String(JSON.parse(text));
    if (this.#members.has(name)) {
      const problem = `the file has ${JSON.stringify(name)} twice`;
      throw unreadable(line, 'duplicate_name', problem, 'Keep one of them.');
    }
    this.#members.add(name);
    return name;
  }

  #lineHere(): number {
    this.#lines.advanceTo(this.#index);
    return this.#lines.line;
  }

  #fault(problem: string, fix: string): UnreadableSheetError {
    return unreadable(this.#lineHere(), 'invalid_json', problem, fix);
  }

  /** @param problem unless the character itself shows it. */
  #misplaced(character: string, problem?: string, fix = misplacedFix): UnreadableSheetError {
    switch (character) {
      case '':
        return this.#fault(
          'the file ends in the middle',
          'The file is incomplete. Export or download it again.',
        );
      case '/':
      case '#':
        return this.#fault('JSON has no comments', 'Remove the comment.');
      case ']':
      case '}':
        return this.#fault(`this ${character} closes nothing`, 'Look for a missing or extra bracket.');
      default:
        return this.#fault(problem ?? `${JSON.stringify(character)} does not belong here`, fix);
    }
  }
}

function tooLongRow(line: number): UnreadableSheetError {
  const { code, problem, fix } = rowTooLong;
  return unreadable(line, code, `${problem}; reading stopped here`, fix);
}

function tooMuchBeside(line: number): UnreadableSheetError {
  return unreadable(
    line,
    'too_much_beside_rows',
    'the file has more than 1 MB besides its rows',
    'Keep name, defaults and rows, and move everything else to another file.',
  );
}

/** A value without an end. The cause is usually an earlier fault, so the first fault is reported. */
function unclosed(line: number, text: string): UnreadableSheetError {
  const { linesBefore, problem, fix } = findSyntaxFault(text) ?? {
    linesBefore: 0,
    problem: 'the value that begins here never ends',
    fix: 'Look for a missing quote or bracket.',
  };
  return unreadable(line + linesBefore, 'invalid_json', problem, fix);
}

const lf = 0x0a;
const cr = 0x0d;
const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const tab = 0x09;

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === lf || byte === cr || byte === tab;
}

/** Bytes that end a value other than a text, array or object. */
const separators = new Set([space, tab, lf, cr, ...Buffer.from(',:[]{}"')]);

/** A value at the start of some bytes; if it is not whole, up to where that shows. */
interface Extent {
  readonly length: number;
  readonly isWhole: boolean;
}

function measureNested(bytes: Buffer): Extent {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inText) {
      // A JSON text cannot contain a line break, so its closing quote is missing.
      if (byte === lf || byte === cr) return { length: index, isWhole: false };
      if (byte === backslash) index += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (!inText && depth === 0) return { length: index + 1, isWhole: true };
  }
  return { length: bytes.length, isWhole: false };
}

function measureWord(bytes: Buffer): Extent {
  const end = bytes.findIndex((byte) => separators.has(byte));
  return { length: end < 0 ? bytes.length : end, isWhole: true };
}
