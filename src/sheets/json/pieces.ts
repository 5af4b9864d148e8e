/** The pieces of a JSON manifest, its rows and the members beside them: where they end, and cutting them out of JSON Lines. */
import { longestRow } from '../../manifest/sheet-bounds.ts';
import { LineCounter } from '../text/line-counter.ts';

export interface JsonPiece {
  /** Name of a member beside the rows; `null` for a row. */
  readonly member: string | null;
  /** Its first line. */
  readonly line: number;
  /** `null`: skipped, because it is longer than 1 MB. */
  readonly text: string | null;
}

/** Cuts UTF-8 text that arrives in chunks. @throws {UnreadableSheetError} where the text becomes unreadable. */
export interface JsonCutter {
  cut(bytes: Buffer): Iterable<JsonPiece>;
  /** Ends the input. */
  end(): Iterable<JsonPiece>;
  /** Last line of the text so far. */
  readonly line: number;
}

/** Collects the bytes of one piece. Drops the bytes of a piece that is too long. */
export class PieceText {
  #parts: Buffer[] = [];
  #length = 0;

  /** Bytes held, or dropped, so far. */
  get length(): number {
    return this.#length;
  }

  hold(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= longestRow) this.#parts.push(bytes);
    else this.#parts = [];
  }

  /** Returns the whole text, ended by `last`, and starts over; `null` if it is too long. */
  take(last: Buffer): string | null {
    const parts = this.#parts;
    const length = this.#length + last.length;
    this.#parts = [];
    this.#length = 0;
    if (length > longestRow) return null;
    return (parts.length === 0 ? last : Buffer.concat([...parts, last])).toString('utf8');
  }
}

const lf = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const cr = 0x0d;

/** Bytes that end a value other than a text, array or object. */
const separators = new Set([0x20, 0x09, lf, cr, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d, quote]);

/** The index after the value's last byte; `unfinished`: the value goes on; `broken`: a text did not end on its line. */
type ScanEnd = number | 'unfinished' | 'broken';

/** Finds the end of a JSON value byte by byte, across chunks, without parsing it. */
export class ValueScan {
  readonly #isWord: boolean;
  #depth = 0;
  #inText = false;
  #escaped = false;

  /** @param first character of the value. The first scan includes it. */
  constructor(first: string) {
    this.#isWord = !/["{[]/.test(first);
  }

  /** Whether the end of the bytes ends the value too. */
  get endsWithBytes(): boolean {
    return this.#isWord;
  }

  scan(bytes: Buffer, from: number): ScanEnd {
    return this.#isWord ? scanWord(bytes, from) : this.#scanNested(bytes, from);
  }

  #scanNested(bytes: Buffer, from: number): ScanEnd {
    // Local variables are several times faster than fields here.
    let inText = this.#inText;
    let escaped = this.#escaped;
    let depth = this.#depth;
    for (let index = from; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inText = false;
          if (depth === 0) return index + 1;
        }
        // A JSON text cannot contain a line break, so its closing quote is missing.
        if (byte === lf || byte === cr) return 'broken';
      } else if (byte === quote) inText = true;
      else if (byte === 0x7b || byte === 0x5b) depth += 1;
      else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        if (depth === 0) return index + 1;
      }
    }
    this.#inText = inText;
    this.#escaped = escaped;
    this.#depth = depth;
    return 'unfinished';
  }
}

function scanWord(bytes: Buffer, from: number): ScanEnd {
  for (let index = from; index < bytes.length; index += 1) {
    if (separators.has(bytes[index] ?? 0)) return index;
  }
  return 'unfinished';
}

/** Cuts JSON Lines: each non-blank line is a row, whatever the other lines are. */
export class JsonLinesCutter implements JsonCutter {
  readonly #lines = new LineCounter();
  readonly #text = new PieceText();
  /** Bytes of the file before the current chunk. */
  #before = 0;
  #rowLine = 1;

  *cut(bytes: Buffer): Generator<JsonPiece> {
    this.#lines.feed(bytes);
    let start = 0;
    for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, start)) {
      // A file may have millions of blank lines.
      if (end > start || this.#text.length > 0) yield* this.#take(bytes.subarray(start, end));
      start = end + 1;
      this.#lines.advanceTo(this.#before + start);
      this.#rowLine = this.#lines.line;
    }
    this.#text.hold(bytes.subarray(start));
    this.#lines.advanceToEnd();
    this.#before += bytes.length;
  }

  *end(): Generator<JsonPiece> {
    yield* this.#take(Buffer.alloc(0));
  }

  get line(): number {
    return this.#lines.line;
  }

  *#take(last: Buffer): Generator<JsonPiece> {
    const text = this.#text.take(last);
    if (text === null || text.trim() !== '') yield { member: null, line: this.#rowLine, text };
  }
}
