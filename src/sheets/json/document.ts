/** Cuts a JSON file that is one value: an array of rows, or an object whose member `rows` is one. */

import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { LineCounter } from '../text/line-counter.ts';
import { type JsonCutter, type JsonPiece, PieceText } from './pieces.ts';
import { findSyntaxFault } from './syntax.ts';
import { ValueScan } from './values.ts';

/** What stands next, white space aside. A `first` may be missing; what follows a comma may not. */
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

/** A value that is being read. */
interface OpenValue {
  readonly scan: ValueScan;
  readonly line: number;
}

export class JsonDocumentCutter implements JsonCutter {
  readonly #lines = new LineCounter();
  readonly #text = new PieceText();
  /** Bytes of the file before those that are being cut. */
  #before = 0;
  #place: Place = 'file';
  #value: OpenValue | null = null;
  /** The member whose value stands next. */
  #member = '';
  readonly #members = new Set<string>();
  #withinObject = false;

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
      'It was cut off: make or download it anew, and give the whole file.',
    );
  }

  get line(): number {
    return this.#lines.line;
  }

  /** Takes what stands between values, or opens a value, which begins at the index that is returned. */
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

  /** The place after a character of the frame; `null` where it belongs to a value, or is out of place. */
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
        // Also what is no JSON, such as NaN: the reading of the row tells what is wrong.
        return /[-+.\w"[{']/.test(character);
      default:
        return false;
    }
  }

  *#finish({ line }: OpenValue, last: Buffer): Generator<JsonPiece> {
    const text = this.#text.take(last);
    this.#value = null;
    if (this.#place === 'name' || this.#place === 'first name') {
      this.#member = this.#readName(text, line);
      this.#place = 'colon';
      return;
    }
    const isRow = this.#place !== 'value';
    this.#place = isRow ? 'after row' : 'after value';
    yield { member: isRow ? null : this.#member, line, text };
  }

  #readName(text: string | null, line: number): string {
    const fault = text === null ? null : findSyntaxFault(text);
    if (text === null || fault !== null) {
      throw unreadable(line, 'invalid_json', 'this name is no text of JSON', 'Write it between quotes.');
    }
    const name = String(JSON.parse(text));
    if (this.#members.has(name)) {
      throw unreadable(
        line,
        'duplicate_name',
        `the file has ${JSON.stringify(name)} twice`,
        'Keep one of them.',
      );
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
    if (character === '/' || character === '#') {
      return fault('JSON has no comments', 'Remove the comment.');
    }
    if (character === ']' || character === '}') {
      return this.#place === 'row' || this.#place === 'name'
        ? fault(`there is a comma before this ${character}`, 'Remove the comma after the last item.')
        : fault(`this ${character} closes nothing`, 'Look for a bracket that is missing or too many.');
    }
    switch (this.#place) {
      case 'after row':
        return fault(
          'there is no comma between this row and the one before it',
          'Separate the rows by a comma.',
        );
      case 'end':
        return fault('the file goes on after its end', 'Remove what stands after the last bracket.');
      case 'after value':
        return fault('there is no comma before this', 'Separate the members by a comma.');
      default:
        return fault(
          `${JSON.stringify(character)} is out of place here`,
          'Look for a quote, comma or bracket that is missing or too many.',
        );
    }
  }

  /** A value without an end: most often it goes wrong before that, and the first such place is told. */
  #unclosed({ line }: OpenValue, rest: Buffer): UnreadableSheetError {
    const text = this.#text.take(rest);
    const { linesBefore, problem, cure } = (text === null ? null : findSyntaxFault(text)) ?? {
      linesBefore: 0,
      problem: 'the value that begins here never ends',
      cure: 'Look for a quote or bracket that is missing.',
    };
    return unreadable(line + linesBefore, 'invalid_json', problem, cure);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
