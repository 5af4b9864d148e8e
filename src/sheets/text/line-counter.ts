/** Counts the lines of a file by its bytes. LF, CR LF and CR each end a line. */

const lf = 0x0a;
const cr = 0x0d;

export class LineCounter {
  /** Line of the current position, from 1. */
  line = 1;
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of the bytes in the file, and the position within the bytes. */
  #start = 0;
  #index = 0;
  #afterCr = false;

  /** Adds bytes that may be counted. */
  feed(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#index);
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#start += this.#index;
    this.#index = 0;
  }

  /** Moves to an offset in the file, within the bytes fed so far. */
  advanceTo(offset: number): void {
    const end = Math.min(offset - this.#start, this.#bytes.length);
    const bytes = this.#bytes;
    let { line } = this;
    let afterCr = this.#afterCr;
    for (let index = this.#index; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === cr || (byte === lf && !afterCr)) line += 1;
      afterCr = byte === cr;
    }
    this.#index = Math.max(this.#index, end);
    this.line = line;
    this.#afterCr = afterCr;
  }

  /** Moves to the begin of the next line, at an offset that is already known. */
  skipTo(offset: number): void {
    this.#index = offset - this.#start;
    this.#afterCr = false;
    this.line += 1;
  }

  /** Moves to the end of the bytes fed so far. */
  advanceToEnd(): void {
    this.advanceTo(Number.POSITIVE_INFINITY);
  }
}
