/** Tokens that tell the runs of processors apart: in the send journal, and in the leases of uploads. */
import { randomBytes } from 'node:crypto';

/** A random part of this process's own, and a counter. */
const processToken = randomBytes(9).toString('base64url');
let tokens = 0;

/** No two runs of a processor, in whatever process, have the same. */
export function newToken(): string {
  tokens += 1;
  return `${processToken}.${tokens.toString(36)}`;
}
