/** Lets valid UTF-8 through, in pieces that end between characters, and takes the byte order mark off. */
import { isUtf8 } from 'node:buffer';

/** The bytes are not UTF-8. `valid` are those of the last piece that still are. */
export class InvalidUtf8Error extends Error {
  override readonly name = 'InvalidUtf8Error';
  readonly valid: Buffer;

  constructor(valid: Buffer) {
    super('the bytes are not valid UTF-8');
    this.valid = valid;
  }
}

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

export class Utf8Gate {
  #held = Buffer.alloc(0);
  #begun = false;

  /** @returns the bytes up to the last whole character. @throws {InvalidUtf8Error} */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = bytes.length - unfinished(bytes);
    this.#held = Buffer.from(bytes.subarray(end));
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw new InvalidUtf8Error(validStart(whole));
    if (this.#begun || whole.length === 0) return whole;
    this.#begun = true;
    return whole.subarray(0, 3).equals(mark) ? whole.subarray(3) : whole;
  }

  /** @throws {InvalidUtf8Error} where the last character was never finished. */
  end(): void {
    if (this.#held.length > 0) throw new InvalidUtf8Error(Buffer.alloc(0));
  }
}

/** How many bytes at the end begin a character without finishing it. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}

/** The longest start that is valid, found by halving. */
function validStart(bytes: Buffer): Buffer {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const piece = bytes.subarray(0, middle);
    if (isUtf8(piece.subarray(0, middle - unfinished(piece)))) good = middle;
    else bad = middle;
  }
  return bytes.subarray(0, good);
}
