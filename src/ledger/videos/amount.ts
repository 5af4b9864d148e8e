/**
 * Exact integers of any size that are mostly small, and their form in packed bytes: seven bits a byte, least significant first.
 * Signed ones are zigzag-encoded.
 */

/** A number while that is exact, because numbers are many times faster than BigInt. */
export type Amount = number | bigint;

export function plus(one: Amount, other: Amount): Amount {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return amountOf(BigInt(one) + BigInt(other));
}

export function minus(one: Amount, other: Amount): Amount {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return amountOf(BigInt(one) - BigInt(other));
}

function amountOf(exact: bigint): Amount {
  const value = Number(exact);
  return Number.isSafeInteger(value) ? value : exact;
}

/** Largest scale at which a number still holds seven more bits exactly. */
const largestScale = 2 ** 42;

/** Below this, a number can be doubled without losing a bit. */
const largestHalf = 2 ** 52;
const largestBitwise = 2 ** 31;

/** Writes integers of any size into a buffer that grows. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(128);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  unsigned(value: Amount): void {
    if (typeof value === 'bigint') {
      this.#long(value);
      return;
    }
    let rest = value;
    while (rest >= largestBitwise) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      this.byte((rest & 127) | 128);
      rest >>= 7;
    }
    this.byte(rest);
  }

  signed(value: Amount): void {
    if (typeof value === 'number' && Math.abs(value) < largestHalf) {
      this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
    } else {
      const exact = BigInt(value);
      this.#long(exact < 0n ? -2n * exact - 1n : 2n * exact);
    }
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.unsigned(length);
    this.#grow(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const least = this.#length + by;
    if (least <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(least, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #long(value: bigint): void {
    let rest = value;
    while (rest >= 128n) {
      this.byte(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }
}

/** Reads what `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new RangeError('packed bytes end too early');
    this.#at += 1;
    return value;
  }

  unsigned(): Amount {
    const start = this.#at;
    let value = 0;
    for (let scale = 1; scale <= largestScale; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    this.#at = start;
    return this.#long();
  }

  signed(): Amount {
    const folded = this.unsigned();
    if (typeof folded === 'bigint') {
      return amountOf((folded & 1n) === 0n ? folded >> 1n : -((folded + 1n) >> 1n));
    }
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  text(): string {
    const length = Number(this.unsigned());
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('packed bytes end too early');
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  #long(): Amount {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return amountOf(value);
    }
  }
}
