/**
 * The CSRF token of a session. Compression gives a text away, bit by bit, to somebody who can make a browser ask for many pages with
 * words of his choice and see how long the answers are (BREACH). So pages show the token under a mask that differs in each answer.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** @param secret of the session's cookie. */
export function proofOf(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

/** The token as one answer shows it: a random mask, and the token under it. */
export function masked(proof: string): string {
  const bytes = Buffer.from(proof, 'base64url');
  const mask = randomBytes(bytes.length);
  return Buffer.concat([mask, xor(bytes, mask)]).toString('base64url');
}

/** Whether a text is the token, masked or not. Compares in constant time. */
export function isProof(given: string, proof: string): boolean {
  const [text, bytes] = [Buffer.from(given, 'base64url'), Buffer.from(proof, 'base64url')];
  const isMasked = text.length === 2 * bytes.length;
  const shown = isMasked ? xor(text.subarray(bytes.length), text.subarray(0, bytes.length)) : text;
  return shown.length === bytes.length && timingSafeEqual(shown, bytes);
}

/** @param mask as long as the text. */
function xor(text: Buffer, mask: Buffer): Buffer {
  return Buffer.from(text.map((byte, index) => byte ^ (mask[index] ?? 0)));
}
