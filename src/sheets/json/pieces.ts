/** The pieces of a JSON manifest: its rows, and the members beside them. */

import { longestRow } from '../../manifest/limits.ts';

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
