/** Counts the lines of a file by its bytes: LF, CR LF and CR each end one. */

const lf = 0x0a;
const cr = 0x0d;

export class LineCounter {
  /** The line that the position is on, from 1. */
  line = 1;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the bytes begin in the file, and the position among them. */
  #start = 0;
  #index = 0;
  #afterCr = false;

  /** Adds bytes to those that may be counted. */
  feed(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#index);
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#start += this.#index;
    this.#index = 0;
  }

  /** Moves on to an offset in the file, within what was fed. */
  advanceTo(offset: number): void {
    const end = Math.min(offset - this.#start, this.#bytes.length);
    for (; this.#index < end; this.#index += 1) {
      const byte = this.#bytes[this.#index];
      if (byte === cr || (byte === lf && !this.#afterCr)) this.line += 1;
      this.#afterCr = byte === cr;
    }
  }

  /** Moves on to the end of what was fed. */
  advanceToEnd(): void {
    this.advanceTo(Number.POSITIVE_INFINITY);
  }
}
