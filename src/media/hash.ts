/** The hash that uploads are declared with: SHA-256 over the lowercase hex text of the bytes, not over the bytes (contract, section 4.6). */
import { createHash, hash } from 'node:crypto';

/** Bytes whose hex text is made at once: measured, four times as many take twice as long. */
const pieceSize = 16 * 1024;

/** The hash of bytes that come one after another. */
export class ContentHash {
  readonly #hash = createHash('sha256');

  update(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; start += pieceSize) {
      // Hex digits are ASCII, where latin1 and UTF-8 are the same and latin1 is quicker.
      this.#hash.update(bytes.toString('hex', start, Math.min(start + pieceSize, bytes.length)), 'latin1');
    }
  }

  /** 64 lowercase hexadecimal digits. Can be taken once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** The hash of bytes at hand. */
export function hashBytes(bytes: Buffer): string {
  if (bytes.length <= pieceSize) return hash('sha256', bytes.toString('hex'), 'hex');
  const content = new ContentHash();
  content.update(bytes);
  return content.digest();
}
