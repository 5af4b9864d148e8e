/** Turns chunks of bytes into valid UTF-8 that ends between characters, without the byte order mark. */
import { isAscii } from 'node:buffer';
import { hint } from '../../manifest/problems/hint.ts';
import { type UnreadableSheetError, unreadable } from '../sheet.ts';
import { type Encoding, encodingTitles, lastCut, toUtf8 } from './encoding.ts';
import { guessEncodings } from './guess-encoding.ts';

/** Code of the problem that a text is not in this encoding: `invalid_utf8`. */
export function wrongEncodingCode(encoding: Encoding): string {
  return `invalid_${encoding.replaceAll('-', '')}`;
}

/** The bytes are not valid in the encoding. `valid`: the valid start of the last chunk, in UTF-8. */
export class InvalidTextError extends Error {
  override readonly name = 'InvalidTextError';
  readonly encoding: Encoding;
  readonly valid: Buffer;
  /** The text to guess the encoding of; empty if there is nothing to guess. */
  readonly #unknown: Buffer;

  /** @param piece the chunk with the first invalid byte. */
  constructor(encoding: Encoding, valid: Buffer, piece: Buffer) {
    super(`the bytes are not valid ${encodingTitles[encoding]}`);
    this.encoding = encoding;
    this.valid = valid;
    // Valid UTF-8 before the fault means that the text is broken UTF-8, not another encoding.
    this.#unknown = encoding === 'utf-8' && isAscii(valid) ? piece : Buffer.alloc(0);
  }

  /** Converts it to a problem of the manifest. */
  at(line: number): UnreadableSheetError {
    const title = encodingTitles[this.encoding];
    const [first, ...others] = guessEncodings(this.#unknown);
    return unreadable(line, wrongEncodingCode(this.encoding), `this line is not in ${title}`, [
      'Save the file as "CSV UTF-8" in the spreadsheet program.',
      hint('encoding', { encoding: first?.encoding ?? null }),
      ...(first === undefined ? [] : [`The text then reads: "${first.text}".`]),
      ...others.map((guess) => `With ${guess.encoding} it reads: "${guess.text}".`),
    ]);
  }
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A text file as UTF-8, without its byte order mark, in pieces that end between characters. @throws {InvalidTextError} */
export async function* readUtf8(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const gate = new TextGate(encoding);
  for await (const chunk of bytes) yield gate.push(chunk);
  yield gate.end();
}

export class TextGate {
  readonly #encoding: Encoding;
  #held: Buffer = Buffer.alloc(0);
  #begun = false;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  /** @returns the text up to a place between characters. @throws {InvalidTextError} */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = lastCut(bytes, this.#encoding);
    this.#held = bytes.subarray(end);
    return this.#read(bytes.subarray(0, end));
  }

  /** @returns the rest of the text. @throws {InvalidTextError} */
  end(): Buffer {
    return this.#read(this.#held);
  }

  #read(bytes: Buffer): Buffer {
    const text = toUtf8(bytes, this.#encoding, { stream: false });
    if (text !== null) return this.#unmark(text);
    throw new InvalidTextError(this.#encoding, this.#unmark(this.#validStart(bytes)), bytes);
  }

  #unmark(text: Buffer): Buffer {
    if (this.#begun || text.length === 0) return text;
    this.#begun = true;
    return text.subarray(0, 3).equals(mark) ? text.subarray(3) : text;
  }

  /** The longest valid start, found by binary search. */
  #validStart(bytes: Buffer): Buffer {
    let text: Buffer = Buffer.alloc(0);
    let good = 0;
    let bad = bytes.length + 1;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      const valid = toUtf8(bytes.subarray(0, middle), this.#encoding, { stream: true });
      if (valid === null) bad = middle;
      else {
        good = middle;
        text = valid;
      }
    }
    return text;
  }
}
