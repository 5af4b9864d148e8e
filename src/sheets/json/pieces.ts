/** What a JSON manifest is cut into: rows, and the members beside them. */

/** Longer than any real row by far. */
const maxPieceBytes = 1024 * 1024;

export interface JsonPiece {
  /** Name of a member of the whole file, beside the rows; `null`: a row. */
  readonly member: string | null;
  /** Line on which it begins. */
  readonly line: number;
  /** `null`: it is longer than 1 MB, and was skipped. */
  readonly text: string | null;
}

/** Cuts text in UTF-8, given piece by piece. @throws {UnreadableSheetError} where it cannot be cut any further. */
export interface JsonCutter {
  cut(bytes: Buffer): Iterable<JsonPiece>;
  /** Says that there are no more bytes. */
  end(): Iterable<JsonPiece>;
  /** The line that what was cut ends on. */
  readonly line: number;
}

/** Collects the bytes of one piece; those of one that is too long are let go. */
export class PieceText {
  #parts: Buffer[] = [];
  #length = 0;

  hold(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= maxPieceBytes) this.#parts.push(bytes);
    else this.#parts = [];
  }

  /** The whole text, `last` being its end; `null` where it is too long. Begins anew afterwards. */
  take(last: Buffer): string | null {
    const parts = this.#parts;
    const length = this.#length + last.length;
    this.#parts = [];
    this.#length = 0;
    if (length > maxPieceBytes) return null;
    return parts.length === 0 ? last.toString('utf8') : Buffer.concat([...parts, last]).toString('utf8');
  }
}
