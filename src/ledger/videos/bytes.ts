/** Variable-length integers: seven bits a byte, least significant first. Signed ones are zigzag-encoded. */

const small = 2 ** 28;

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
    // Most numbers are small: numbers of JavaScript are several times faster.
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return BigInt(value);
      scale *= 128;
      if (scale >= small) return this.#long(BigInt(value), BigInt(scale));
    }
  }

  signed(): bigint {
    const start = this.#at;
    let value = 0;
    for (let scale = 1; scale < small; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return BigInt(value % 2 === 0 ? value / 2 : -(value + 1) / 2);
    }
    this.#at = start;
    const long = this.unsigned();
    return (long & 1n) === 0n ? long >> 1n : -((long + 1n) >> 1n);
  }

  text(): string {
    const length = Number(this.unsigned());
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('packed bytes end too early');
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  #long(start: bigint, from: bigint): bigint {
    let value = start;
    let scale = from;
    for (;;) {
      const byte = this.byte();
      value += BigInt(byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128n;
    }
  }
}
