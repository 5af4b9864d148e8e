/** Cuts a JSON file that is one value: an array of rows, or an object with an array `rows`. */

import { longestRow } from '../../manifest/limits.ts';
import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { LineCounter } from '../text/line-counter.ts';
import { type JsonCutter, type JsonPiece, PieceText } from './pieces.ts';
import { findSyntaxFault, misplacedCure } from './syntax.ts';
import { ValueScan } from './values.ts';

/** What comes next, apart from white space. A `first` item is optional; an item after a comma is not. */
type Place =
  | 'file'
  | 'first row'
  | 'row'
  | 'after row'
  | 'first name'
  | 'name'
  | 'colon'
  | 'value'
  | 'after value'
  | 'end';

/** The value being read. */
interface OpenValue {
  readonly scan: ValueScan;
  readonly line: number;
}

export class JsonDocumentCutter implements JsonCutter {
  readonly #lines = new LineCounter();
  readonly #text = new PieceText();
  /** Bytes of the file before the current chunk. */
  #before = 0;
  #place: Place = 'file';
  #value: OpenValue | null = null;
  /** Name of the member whose value comes next. */
  #member = '';
  readonly #members = new Set<string>();
  #withinObject = false;
  /** Bytes of the names and values beside the rows. */
  #beside = 0;

  *cut(bytes: Buffer): Generator<JsonPiece> {
    this.#lines.feed(bytes);
    let index = 0;
    while (index < bytes.length) {
      if (this.#value === null) index = this.#step(bytes, index);
      if (this.#value === null) continue;
      const end = this.#value.scan.scan(bytes, index);
      if (end === 'broken') throw this.#unclosed(this.#value, bytes.subarray(index));
      if (end === 'unfinished') {
        this.#text.hold(bytes.subarray(index));
        this.#refuseMuchBeside(this.#value, this.#text.length);
        break;
      }
      yield* this.#finish(this.#value, bytes.subarray(index, end));
      index = end;
    }
    this.#lines.advanceToEnd();
    this.#before += bytes.length;
  }

  *end(): Generator<JsonPiece> {
    if (this.#value?.scan.endsWithBytes) yield* this.#finish(this.#value, Buffer.alloc(0));
    if (this.#value !== null) throw this.#unclosed(this.#value, Buffer.alloc(0));
    if (this.#place === 'end') return;
    throw unreadable(
      this.#lines.line,
      'invalid_json',
      'the file ends in the middle',
      'It was cut off. Export or download it again and use the whole file.',
    );
  }

  get line(): number {
    return this.#lines.line;
  }

  /** Takes one character between values, or opens a value. Returns the index to go on from. */
  #step(bytes: Buffer, from: number): number {
    let index = from;
    while (isSpace(bytes[index])) index += 1;
    const byte = bytes[index];
    if (byte === undefined) return index;
    const character = String.fromCharCode(byte);
    const next = this.#follow(character);
    if (next !== null) {
      this.#place = next;
      return index + 1;
    }
    const line = this.#lineAt(index);
    if (!this.#mayBegin(character)) throw this.#misplaced(character, line);
    this.#value = { scan: new ValueScan(byte), line };
    return index;
  }

  /** The place after a bracket, comma or colon; `null` if the character begins a value or is out of place. */
  #follow(character: string): Place | null {
    switch (`${this.#place}: ${character}`) {
      case 'file: {':
        this.#withinObject = true;
        return 'first name';
      case 'file: [':
        return 'first row';
      case 'value: [':
        return this.#member === 'rows' ? 'first row' : null;
      case 'first row: ]':
      case 'after row: ]':
        return this.#withinObject ? 'after value' : 'end';
      case 'after row: ,':
        return 'row';
      case 'first name: }':
      case 'after value: }':
        return 'end';
      case 'after value: ,':
        return 'name';
      case 'colon: :':
        return 'value';
      default:
        return null;
    }
  }

  #mayBegin(character: string): boolean {
    switch (this.#place) {
      case 'first name':
      case 'name':
        return character === '"';
      case 'first row':
      case 'row':
      case 'value':
        // Includes invalid values such as NaN: the row reader reports what is wrong.
        return /[-+.\w"[{']/.test(character);
      default:
        return false;
    }
  }

  *#finish({ line }: OpenValue, last: Buffer): Generator<JsonPiece> {
    const length = this.#text.length + last.length;
    const text = this.#text.take(last);
    this.#refuseMuchBeside({ line }, length);
    if (!this.#isRow) this.#beside += length;
    this.#value = null;
    if (this.#place === 'name' || this.#place === 'first name') {
      this.#member = this.#readName(text, line);
      this.#place = 'colon';
      return;
    }
    const isRow = this.#isRow;
    this.#place = isRow ? 'after row' : 'after value';
    yield { member: isRow ? null : this.#member, line, text };
  }

  /** Whether the value being read is a row. */
  get #isRow(): boolean {
    return this.#place === 'row' || this.#place === 'first row';
  }

  /** @param length of the value being read, so far. */
  #refuseMuchBeside({ line }: Pick<OpenValue, 'line'>, length: number): void {
    if (this.#isRow || this.#beside + length <= longestRow) return;
    throw unreadable(
      line,
      'too_much_beside_rows',
      'the file has more than 1 MB beside its rows',
      'Keep name, defaults and rows, and move everything else to another file.',
    );
  }

  #readName(text: string | null, line: number): string {
    const fault = text === null ? null : findSyntaxFault(text);
    if (text === null || fault !== null) {
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

  #lineAt(index: number): number {
    this.#lines.advanceTo(this.#before + index);
    return this.#lines.line;
  }

  #misplaced(character: string, line: number): UnreadableSheetError {
    const fault = (problem: string, cure: string) => unreadable(line, 'invalid_json', problem, cure);
    if (character === '/' || character === '#') return fault('JSON has no comments', 'Remove the comment.');
    if (character === ']' || character === '}') {
      return this.#place === 'row' || this.#place === 'name'
        ? fault(`there is a comma before this ${character}`, 'Remove the comma after the last item.')
        : fault(`this ${character} closes nothing`, 'Look for a missing or extra bracket.');
    }
    switch (this.#place) {
      case 'after row':
        return fault('a comma is missing before this row', 'Separate the rows with commas.');
      case 'end':
        return fault('there is more text after the end', 'Remove the text after the last bracket.');
      case 'after value':
        return fault('a comma is missing before this', 'Separate the members with commas.');
      default:
        return fault(`${JSON.stringify(character)} does not belong here`, misplacedCure);
    }
  }

  /** A value without an end. The cause is usually an earlier fault, so the first fault is reported. */
  #unclosed({ line }: OpenValue, rest: Buffer): UnreadableSheetError {
    const text = this.#text.take(rest);
    const { linesBefore, problem, cure } = (text === null ? null : findSyntaxFault(text)) ?? {
      linesBefore: 0,
      problem: 'the value that begins here never ends',
      cure: 'Look for a missing quote or bracket.',
    };
    return unreadable(line + linesBefore, 'invalid_json', problem, cure);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
