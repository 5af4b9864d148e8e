/** Splits JSON Lines that arrive in chunks: each line that is not blank is a row, whatever the other lines are. */
import { longestRow } from '../../manifest/sheet-bounds.ts';
import { LineCounter } from '../text/line-counter.ts';
import type { JsonPiece } from './document.ts';

const lf = 0x0a;

export class JsonLines {
  readonly #lines = new LineCounter();
  /** Bytes of the file before the current chunk. */
  #before = 0;
  #rowLine = 1;
  /** The start of a row, without the bytes beyond 1 MB, and its length with them. */
  #parts: Buffer[] = [];
  #length = 0;

  /** Last line of the text so far. */
  get line(): number {
    return this.#lines.line;
  }

  /** @returns the rows that end in these bytes of UTF-8. */
  *push(bytes: Buffer): Generator<JsonPiece> {
    this.#lines.feed(bytes);
    let start = 0;
    for (let end = bytes.indexOf(lf); end >= 0; end = bytes.indexOf(lf, start)) {
      // A file may have millions of blank lines.
      if (end > start || this.#length > 0) yield* this.#take(bytes.subarray(start, end));
      start = end + 1;
      this.#lines.advanceTo(this.#before + start);
      this.#rowLine = this.#lines.line;
    }
    this.#hold(bytes.subarray(start));
    this.#lines.advanceToEnd();
    this.#before += bytes.length;
  }

  /** @returns the last row, if no line break ends it. */
  end(): Generator<JsonPiece> {
    return this.#take(Buffer.alloc(0));
  }

  #hold(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= longestRow) this.#parts.push(bytes);
    else this.#parts = [];
  }

  *#take(last: Buffer): Generator<JsonPiece> {
    this.#hold(last);
    const text = this.#length > longestRow ? null : Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#length = 0;
    if (text === null || text.trim() !== '') yield { member: null, line: this.#rowLine, text };
  }
}
