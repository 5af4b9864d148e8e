/** Who may see and change what. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { systemUser } from '../runtime/system-user.ts';
import type { Person } from './request.ts';

export interface Gate {
  /** Who sends a request; undefined if this must be found out by signing in. */
  person(request: Request): Promise<Person | undefined>;
  /** The proof that each form of this browser carries. */
  csrf(request: Request): string;
  /** Whether a form carries its proof. */
  isOurs(request: Request, proof: string): boolean;
}

/** The gate of a console that is open: it listens on loopback only, and there are no users. */
export function openGate(): Gate {
  const proof = randomBytes(24).toString('base64url');
  const anybody: Person = { name: systemUser(), role: 'operator', isAnybody: true };
  return {
    person: async () => anybody,
    csrf: () => proof,
    isOurs: (_request, given) => isEqual(given, proof),
  };
}

/** Compares in a time that does not depend on the texts. */
export function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
