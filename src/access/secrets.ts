/** Secrets that browsers and programs show. Redis keeps only their SHA-256: whoever reads it cannot use them. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, in characters that cookies and headers may hold. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, in hex. The secrets are random and long, so a slow hash would not add anything. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
