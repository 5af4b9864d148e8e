/** Variable-length integers: seven bits a byte, least significant first. Signed ones are zigzag-encoded. */

import type { Amount } from './amount.ts';

/** Seven bits of this scale are the last ones that a number holds exactly. */
const largestScale = 2 ** 42;

/** Writes integers of any size into a buffer that grows. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value & 0xff);
  }

  unsigned(value: bigint): void {
    let rest = value;
    while (rest >= 128n) {
      this.#bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.#bytes.push(Number(rest));
  }

  signed(value: bigint): void {
    this.unsigned(value < 0n ? -2n * value - 1n : 2n * value);
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.unsigned(BigInt(bytes.length));
    for (const byte of bytes) this.#bytes.push(byte);
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes);
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

  unsigned(): bigint {
    return BigInt(this.unsignedAmount());
  }

  signed(): bigint {
    return BigInt(this.signedAmount());
  }

  unsignedAmount(): Amount {
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

  signedAmount(): Amount {
    const folded = this.unsignedAmount();
    if (typeof folded === 'bigint') return (folded & 1n) === 0n ? folded >> 1n : -((folded + 1n) >> 1n);
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

  #long(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}
