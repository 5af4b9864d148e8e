/**
 * Runs of bytes beyond ASCII. In Latin text of a single-byte encoding an accented letter stands alone or beside one other, within a word
 * of plain letters. Words of other scripts are longer runs.
 */
export class HighRuns {
  /** Runs of at least two characters of two bytes. */
  long = 0;
  /** Runs of one or two bytes next to an ASCII letter. */
  inWords = 0;
  /** Bytes of all runs. */
  bytes = 0;
  /** Bytes of runs as in Latin text: those of `inWords`, and single bytes. */
  latinBytes = 0;
  #length = 0;
  #isAfterLetter = false;
  #last = 0;

  add(piece: Buffer): this {
    for (const byte of piece) {
      if (byte >= 0x80) {
        if (this.#length === 0) this.#isAfterLetter = isLetter(this.#last);
        this.#length += 1;
      } else if (this.#length > 0) this.#end(byte);
      this.#last = byte;
    }
    return this;
  }

  /** Counts a run at the end of the text. */
  end(): this {
    if (this.#length > 0) this.#end(0);
    return this;
  }

  #end(next: number): void {
    const length = this.#length;
    this.#length = 0;
    this.bytes += length;
    if (length >= 4) this.long += 1;
    const isInWord = length <= 2 && (this.#isAfterLetter || isLetter(next));
    if (isInWord) this.inWords += 1;
    if (isInWord || length === 1) this.latinBytes += length;
  }
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
