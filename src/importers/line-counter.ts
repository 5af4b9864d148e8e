/** Counts the lines of a file by its bytes: LF, CR LF and CR each end one. */

export class LineCounter {
  /** The line that the position is on, from 1. */
  line = 1;
  /** Bytes from the position on; `#position` is the offset of the first. */
  #ahead: Buffer = Buffer.alloc(0);
  #position = 0;
  #afterCr = false;

  /** Adds bytes to those that may be counted. */
  feed(bytes: Buffer): void {
    this.#ahead = this.#ahead.length === 0 ? bytes : Buffer.concat([this.#ahead, bytes]);
  }

  /** Moves on to an offset within what was fed. */
  advanceTo(offset: number): void {
    const bytes = this.#ahead;
    const end = Math.min(offset - this.#position, bytes.length);
    if (end <= 0) return;
    let { line } = this;
    let afterCr = this.#afterCr;
    for (let index = 0; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === 0x0a) {
        if (!afterCr) line += 1;
        afterCr = false;
      } else {
        afterCr = byte === 0x0d;
        if (afterCr) line += 1;
      }
    }
    this.line = line;
    this.#afterCr = afterCr;
    this.#ahead = bytes.subarray(end);
    this.#position += end;
  }

  /** Moves on to the end of what was fed. */
  advanceToEnd(): void {
    this.advanceTo(this.#position + this.#ahead.length);
  }
}
