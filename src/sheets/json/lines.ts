/** Cuts JSON Lines: each non-blank line is a row, whatever the other lines are. */

import { LineCounter } from '../text/line-counter.ts';
import { type JsonCutter, type JsonPiece, PieceText } from './pieces.ts';

const lf = 0x0a;

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
