/** Secrets of browsers and programs. Redis keeps only their SHA-256, which cannot be used to sign in. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, in characters that are allowed in cookies and headers. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, in hex. The secrets are random and long, so a slow hash would not add anything. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
