/** Counts the lines of a file by its bytes: LF, CR LF and CR each end one. */

const lf = 0x0a;
const cr = 0x0d;

export class LineCounter {
  /** The line that the position is on, from 1. */
  line = 1;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the position is among the bytes, and in the file. */
  #index = 0;
  #position = 0;
  #afterCr = false;
  /** The next LF among bytes that hold no CR; `null` where they do. */
  #nextLf: number | null = null;

  /** Adds bytes to those that may be counted. */
  feed(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#index);
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#index = 0;
    this.#nextLf = this.#afterCr || this.#bytes.includes(cr) ? null : this.#findLf(0);
  }

  /** Moves on to an offset within what was fed. */
  advanceTo(offset: number): void {
    const end = Math.min(this.#index + offset - this.#position, this.#bytes.length);
    if (end <= this.#index) return;
    if (this.#nextLf === null) this.#walkTo(end);
    else this.#leapTo(end, this.#nextLf);
    this.#position += end - this.#index;
    this.#index = end;
  }

  /** Moves on to the end of what was fed. */
  advanceToEnd(): void {
    this.advanceTo(this.#position + this.#bytes.length - this.#index);
  }

  #findLf(from: number): number {
    const found = this.#bytes.indexOf(lf, from);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }

  /** From one LF to the next: most files hold nothing else, and looking at every byte takes long. */
  #leapTo(end: number, nextLf: number): void {
    let next = nextLf;
    for (; next < end; next = this.#findLf(next + 1)) this.line += 1;
    this.#nextLf = next;
  }

  #walkTo(end: number): void {
    const bytes = this.#bytes;
    let { line } = this;
    let afterCr = this.#afterCr;
    for (let index = this.#index; index < end; index += 1) {
      const byte = bytes[index];
      if (byte === lf) {
        if (!afterCr) line += 1;
        afterCr = false;
      } else {
        afterCr = byte === cr;
        if (afterCr) line += 1;
      }
    }
    this.line = line;
    this.#afterCr = afterCr;
  }
}
