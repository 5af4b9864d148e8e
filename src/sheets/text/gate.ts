/** Lets valid text through as UTF-8, in pieces that end between characters, and takes the byte order mark off. */
import { isAscii } from 'node:buffer';
import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { type Codec, codecOf } from './codec.ts';
import { type Encoding, encodingTitles } from './encoding.ts';
import { guessEncoding } from './guess-encoding.ts';

/** The bytes are not in the encoding. `valid` is what they are in the last piece up to there, in UTF-8. */
export class InvalidTextError extends Error {
  override readonly name = 'InvalidTextError';
  readonly encoding: Encoding;
  readonly valid: Buffer;
  readonly #looksLike: Encoding | null;

  /** @param piece the bytes that the valid ones and the first that is not are among. */
  constructor(encoding: Encoding, valid: Buffer, piece: Buffer) {
    super(`the bytes are not valid ${encodingTitles[encoding]}`);
    this.encoding = encoding;
    this.valid = valid;
    // Text in UTF-8 with a broken place in it is in no other encoding.
    this.#looksLike = encoding === 'utf-8' && isAscii(valid) ? guessEncoding(piece) : null;
  }

  /** The same as a problem of the manifest. */
  at(line: number): UnreadableSheetError {
    const title = encodingTitles[this.encoding];
    const code = `invalid_${this.encoding === 'utf-8' ? 'utf8' : this.encoding.replaceAll('-', '')}`;
    const guess = this.#looksLike === null ? '' : `, such as --encoding ${this.#looksLike} (a guess)`;
    return unreadable(
      line,
      code,
      `this line is not in ${title}`,
      `Save the file as "CSV UTF-8" in the spreadsheet program, or name the encoding that it is in${guess || ' with --encoding'}.`,
    );
  }
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

export class TextGate {
  readonly #encoding: Encoding;
  readonly #codec: Codec;
  #held = Buffer.alloc(0);
  #begun = false;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#codec = codecOf(encoding);
  }

  /** @returns the text up to the last whole character. @throws {InvalidTextError} */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.length - this.#codec.unfinished(bytes);
    this.#held = Buffer.from(bytes.subarray(end));
    const whole = bytes.subarray(0, end);
    const text = this.#codec.toUtf8(whole);
    if (text === null) {
      throw new InvalidTextError(this.#encoding, this.#unmark(this.#validStart(whole)), whole);
    }
    return this.#unmark(text);
  }

  /** @throws {InvalidTextError} where the last character was never finished. */
  end(): void {
    if (this.#held.length > 0) throw new InvalidTextError(this.#encoding, Buffer.alloc(0), this.#held);
  }

  #unmark(text: Buffer): Buffer {
    if (this.#begun || text.length === 0) return text;
    this.#begun = true;
    return text.subarray(0, 3).equals(mark) ? text.subarray(3) : text;
  }

  /** The longest start that is valid, found by halving. */
  #validStart(bytes: Buffer): Buffer {
    let text: Buffer = Buffer.alloc(0);
    let good = 0;
    let bad = bytes.length;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      const piece = bytes.subarray(0, middle);
      const valid = this.#codec.toUtf8(piece.subarray(0, middle - this.#codec.unfinished(piece)));
      if (valid === null) bad = middle;
      else {
        good = middle;
        text = valid;
      }
    }
    return text;
  }
}
