/** The hash that uploads declare: SHA-256 of the lowercase hex text of the bytes, not of the bytes (contract, section 4.6). */
import { createHash, hash } from 'node:crypto';

/** Bytes converted to hex at once. Measured: with pieces of four times the size, hashing takes twice as long. */
const pieceSize = 16 * 1024;

/** Hashes bytes that arrive in chunks. */
export class ContentHash {
  readonly #hash = createHash('sha256');

  update(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      // Hex digits are ASCII, so latin1 gives the same bytes as UTF-8, but faster.
      this.#hash.update(bytes.toString('hex', start, Math.min(start + pieceSize, bytes.length)), 'latin1');
    }
  }

  /** 64 lowercase hexadecimal digits. Can be called once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Hashes bytes in memory. */
export function hashBytes(bytes: Buffer): string {
  if (bytes.length <= pieceSize) return hash('sha256', bytes.toString('hex'), 'hex');
  const content = new ContentHash();
  content.update(bytes);
  return content.digest();
}
