/** Cuts a JSON file that is one value: an array of rows, or an object with an array `rows`. */
import { longestRow } from '../../manifest/sheet-bounds.ts';
import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { LineCounter } from '../text/line-counter.ts';
import { type JsonCutter, type JsonPiece, PieceText, ValueScan } from './pieces.ts';
import { findSyntaxFault, misplacedCure } from './syntax.ts';

/** Yields undefined to wait for the next bytes. */
type Cutting<T = void> = Generator<JsonPiece | undefined, T>;

/** Includes the first characters of invalid values such as NaN: the row reader reports what is wrong. */
const anyValue = /[-+.\w"[{']/;

export class JsonDocumentCutter implements JsonCutter {
  readonly #lines = new LineCounter();
  readonly #text = new PieceText();
  readonly #cutting = this.#document();
  /** The current chunk, and the position in it. */
  #bytes: Buffer = Buffer.alloc(0);
  #index = 0;
  /** Bytes of the file before the chunk. */
  #before = 0;
  #isLast = false;
  readonly #members = new Set<string>();
  /** Bytes of the names and values beside the rows. */
  #beside = 0;

  *cut(bytes: Buffer): Generator<JsonPiece> {
    this.#lines.feed(bytes);
    this.#before += this.#bytes.length;
    this.#bytes = bytes;
    this.#index = 0;
    yield* this.#goOn();
    this.#lines.advanceToEnd();
  }

  *end(): Generator<JsonPiece> {
    this.#isLast = true;
    yield* this.#goOn();
  }

  get line(): number {
    return this.#lines.line;
  }

  *#goOn(): Generator<JsonPiece> {
    for (;;) {
      const { value } = this.#cutting.next();
      if (!value) return;
      yield value;
    }
  }

  *#document(): Cutting {
    const first = yield* this.#peek();
    if (first === '[') yield* this.#rows();
    else if (first === '{') {
      yield* this.#list('}', () => this.#member(), 'a comma is missing before this', 'members');
    } else throw this.#misplaced(first);
    const more = yield* this.#peek();
    if (more === '') return;
    throw this.#misplaced(
      more,
      'there is more text after the end',
      'Remove the text after the last bracket.',
    );
  }

  #rows(): Cutting {
    return this.#list(']', () => this.#row(), 'a comma is missing before this row', 'rows');
  }

  /** Reads items with commas between them, from the opening bracket to the closing one. */
  *#list(close: string, item: () => Cutting, commaMissing: string, items: string): Cutting {
    this.#index += 1;
    let next = yield* this.#peek();
    while (next !== close) {
      yield* item();
      next = yield* this.#peek();
      if (next === close) break;
      if (next !== ',') throw this.#misplaced(next, commaMissing, `Separate the ${items} with commas.`);
      this.#index += 1;
      next = yield* this.#peek();
      if (next === ']' || next === '}') {
        throw this.#fault(`there is a comma before this ${next}`, 'Remove the comma after the last item.');
      }
    }
    this.#index += 1;
  }

  *#row(): Cutting {
    yield { member: null, ...(yield* this.#value(anyValue, false)) };
  }

  *#member(): Cutting {
    const name = this.#readName(yield* this.#value(/"/, true));
    const colon = yield* this.#peek();
    if (colon !== ':') throw this.#misplaced(colon);
    this.#index += 1;
    if (name === 'rows' && (yield* this.#peek()) === '[') yield* this.#rows();
    else yield { member: name, ...(yield* this.#value(anyValue, true)) };
  }

  /** The next character that is no white space; '' at the end of the file. */
  *#peek(): Cutting<string> {
    for (;;) {
      while (isSpace(this.#bytes[this.#index])) this.#index += 1;
      const byte = this.#bytes[this.#index];
      if (byte !== undefined) return String.fromCharCode(byte);
      if (this.#isLast) return '';
      yield undefined;
    }
  }

  /** Reads a value to its end, without parsing it. @param isBeside whether it is not a row. */
  *#value(begin: RegExp, isBeside: boolean): Cutting<Omit<JsonPiece, 'member'>> {
    const first = yield* this.#peek();
    if (!begin.test(first)) throw this.#misplaced(first);
    const line = this.#lineHere();
    const scan = new ValueScan(first);
    for (;;) {
      const end = scan.scan(this.#bytes, this.#index);
      const part = this.#bytes.subarray(this.#index, typeof end === 'number' ? end : undefined);
      const isCutOff = end === 'unfinished' && this.#isLast && !scan.endsWithBytes;
      if (end === 'broken' || isCutOff) throw this.#unclosed(line, part);
      this.#index += part.length;
      if (isBeside) this.#countBeside(part.length, line);
      if (end !== 'unfinished' || this.#isLast) return { line, text: this.#text.take(part) };
      this.#text.hold(part);
      yield undefined;
    }
  }

  #countBeside(length: number, line: number): void {
    this.#beside += length;
    if (this.#beside <= longestRow) return;
    throw unreadable(
      line,
      'too_much_beside_rows',
      'the file has more than 1 MB beside its rows',
      'Keep name, defaults and rows, and move everything else to another file.',
    );
  }

  #readName({ line, text }: Omit<JsonPiece, 'member'>): string {
    if (text === null || findSyntaxFault(text) !== null) {
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
    this.#lines.advanceTo(this.#before + this.#index);
    return this.#lines.line;
  }

  #fault(problem: string, cure: string): UnreadableSheetError {
    return unreadable(this.#lineHere(), 'invalid_json', problem, cure);
  }

  /** @param problem if the character itself does not tell. */
  #misplaced(character: string, problem?: string, cure = misplacedCure): UnreadableSheetError {
    switch (character) {
      case '':
        return this.#fault(
          'the file ends in the middle',
          'It was cut off. Export or download it again and use the whole file.',
        );
      case '/':
      case '#':
        return this.#fault('JSON has no comments', 'Remove the comment.');
      case ']':
      case '}':
        return this.#fault(`this ${character} closes nothing`, 'Look for a missing or extra bracket.');
      default:
        return this.#fault(problem ?? `${JSON.stringify(character)} does not belong here`, cure);
    }
  }

  /** A value without an end. The cause is usually an earlier fault, so the first fault is reported. */
  #unclosed(line: number, rest: Buffer): UnreadableSheetError {
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
