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
  /** Index of the next LF while the bytes hold no CR, which is usual; `null` if each byte must be looked at. */
  #nextLf: number | null = null;

  /** Adds bytes that may be counted. */
  feed(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#index);
    this.#bytes = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    this.#start += this.#index;
    this.#index = 0;
    this.#nextLf = this.#afterCr || this.#bytes.includes(cr) ? null : this.#findLf(0);
  }

  /** Moves to an offset in the file, within the bytes fed so far. */
  advanceTo(offset: number): void {
    const end = Math.min(offset - this.#start, this.#bytes.length);
    if (this.#nextLf === null) {
      this.#walkTo(end);
      return;
    }
    for (; this.#nextLf < end; this.#nextLf = this.#findLf(this.#nextLf + 1)) this.line += 1;
    this.#index = Math.max(this.#index, end);
  }

  advanceToEnd(): void {
    this.advanceTo(Number.POSITIVE_INFINITY);
  }

  /** Moves to the begin of the next line, at an offset that is already known. */
  skipTo(offset: number): void {
    this.#index = offset - this.#start;
    this.#afterCr = false;
    this.line += 1;
    if (this.#nextLf !== null && this.#nextLf < this.#index) this.#nextLf = this.#findLf(this.#index);
  }

  #walkTo(end: number): void {
    for (; this.#index < end; this.#index += 1) {
      const byte = this.#bytes[this.#index];
      if (byte === cr || (byte === lf && !this.#afterCr)) this.line += 1;
      this.#afterCr = byte === cr;
    }
  }

  #findLf(from: number): number {
    const found = this.#bytes.indexOf(lf, from);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}
