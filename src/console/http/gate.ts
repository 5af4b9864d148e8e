/**
 * Authenticates requests. On loopback the console is open until there is a user. Elsewhere, and behind a proxy, people sign in (a
 * cookie), and programs send a token (`Authorization: Bearer`). A request needs the right for what it asks; a change needs the proof of
 * a page of ours, and the audit has it.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { recordChange } from '../../app/access/audit.ts';
import { type Credential, whoIs } from '../../app/access/credentials.ts';
import { mayDo, type Right, rights, whoMay } from '../../app/access/roles.ts';
import { systemUser } from '../../app/runtime/machine.ts';
import { refusalOf } from '../../app/runtime/redis.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { AuditList, NewAuditEntry } from '../../ledger/access/audit.ts';
import type { Person } from '../request.ts';
import { ownCookie } from './cookies.ts';
import { isLoopbackName } from './own-origin.ts';
import { HttpProblem } from './problem.ts';

export interface Reach {
  readonly isLoopback: boolean;
  /** Origin that browsers see behind a reverse proxy. */
  readonly origin?: string | undefined;
  /** Path that the console is served on; empty for the root. */
  readonly base: string;
  /** Addresses and CIDR ranges of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
}

export interface Admitted {
  readonly kind: 'admitted';
  readonly person: Person;
  /** CSRF token of each form of this browser, bound to its session. Answers that may be compressed have it `masked`. */
  readonly csrf: string;
  /** Whether a CSRF token is the right one. */
  isOurs(proof: string): boolean;
}

/** `no-users`: nobody can sign in, because there is no user yet. */
export type Admission = Admitted | { readonly kind: 'sign-in' | 'no-users' };

export interface Gate {
  /** Finds out who sent a request. Looks up each request once. */
  admit(request: Request): Promise<Admission>;
  /** Whether the person behind a long answer is still the same, in the same role. Does not prolong the session. */
  isStill(person: Person, request: Request): Promise<boolean>;
}

/** Name of the cookie of a session; behind TLS with a prefix (`ownName`). */
export const sessionCookie = 'campaigns_session';

export function createGate(runtime: Pick<Runtime, 'ledger'>, reach: Reach): Gate {
  const admissions = new WeakMap<Request, Promise<Admission>>();
  const open = openAdmission();

  async function look(request: Request, isUse: boolean): Promise<Admission> {
    const shown = shownBy(request, reach);
    const { hasUsers, user } = await whoIs(runtime, shown, isUse).catch((error: unknown) => {
      // While Redis takes no writes, the session is not prolonged, and people can still read.
      if (refusalOf(error) === undefined) throw error;
      return whoIs(runtime, shown, false);
    });
    if (!hasUsers) return isOpen(request, reach) ? open : { kind: 'no-users' };
    if (user === undefined || shown === undefined) return { kind: 'sign-in' };
    const person: Person = { ...user, isAnybody: false };
    // No CSRF token needed: other sites cannot make a browser send the bearer token.
    if (shown.kind === 'token') return { kind: 'admitted', person, csrf: '', isOurs: () => true };
    const csrf = proofOf(shown.secret);
    return { kind: 'admitted', person, csrf, isOurs: (given) => isProof(given, csrf) };
  }

  return {
    admit(request) {
      const found = admissions.get(request) ?? look(request, true);
      admissions.set(request, found);
      return found;
    },
    isStill: async ({ name, role }, request) => {
      const now = await look(request, false);
      return now.kind === 'admitted' && now.person.name === name && now.person.role === role;
    },
  };
}

function openAdmission(): Admitted {
  const csrf = proofOf(randomUUID());
  return {
    kind: 'admitted',
    person: { name: systemUser(), role: 'admin', isAnybody: true },
    csrf,
    isOurs: (given) => isProof(given, csrf),
  };
}

/** Whether people of this machine need no sign-in while there are no users. */
export function canBeOpen({ isLoopback, origin, base, trustedProxies }: Reach): boolean {
  if (!isLoopback || base !== '' || trustedProxies.length > 0) return false;
  return origin === undefined || isLoopbackName(new URL(origin).host);
}

/** Whether a request needs none then. It must not come through a proxy, which could open the console to the world. */
function isOpen({ headers, httpVersion }: Request, reach: Reach): boolean {
  if (!canBeOpen(reach)) return false;
  const isForwarded = Object.keys(headers).some(
    (name) =>
      name === 'forwarded' || name === 'via' || name === 'x-real-ip' || name.startsWith('x-forwarded-'),
  );
  // Browsers do not use HTTP/1.0. Some proxies do by default.
  return !isForwarded && httpVersion !== '1.0';
}

/** Longest secret that is looked up, in characters. */
const longestSecret = 200;

function shownBy(request: Request, reach: Reach): Credential | undefined {
  const authorization = request.get('authorization');
  if (authorization !== undefined) {
    const [scheme = '', secret = ''] = authorization.split(' ');
    return scheme.toLowerCase() === 'bearer' && secret.length <= longestSecret
      ? { kind: 'token', secret }
      : undefined;
  }
  const secret = ownCookie(request, sessionCookie, reach);
  return secret !== undefined && secret.length <= longestSecret ? { kind: 'session', secret } : undefined;
}

/** Network address of the caller. Express has resolved `X-Forwarded-For` through the trusted proxies. */
export function addressOf(request: Request): string {
  const { ip, socket } = request;
  const address = ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : 'unknown';
}

/** The part of an address that one party controls: the first 64 bits of IPv6, or the whole of IPv4. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  return `${ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/**
 * The CSRF token of a session. Compression gives a text away, bit by bit, to somebody who can make a browser ask for many pages with
 * words of his choice and see how long the answers are (BREACH). So pages show the token under a mask that differs in each answer.
 * @param secret of the session's cookie.
 */
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

/** What a request without a person, or without the proof of its session, is refused with. */
const refusals = {
  sign_in_required: [
    401,
    'the request has no valid token or session',
    'Send Authorization: Bearer TOKEN. An admin makes tokens on the page Users.',
  ],
  proof_missing: [
    403,
    'a change by a browser session needs the header X-CSRF-Token',
    "Put the value of a form's _csrf field into this header, or use a token.",
  ],
} as const;

export function refused(code: keyof typeof refusals): HttpProblem {
  const [status, message, fix] = refusals[code];
  return new HttpProblem(status, code, message, { fix });
}

/** @throws {HttpProblem} `sign_in_required`. */
export async function identify(gate: Gate, request: Request): Promise<Admitted> {
  const admission = await gate.admit(request);
  if (admission.kind === 'admitted') return admission;
  throw refused('sign_in_required');
}

/** @throws {HttpProblem} `role_missing`. */
export function requireRight(admitted: Admitted, right: Right): void {
  if (mayDo(admitted, right)) return;
  const message = `only ${whoMay(right)} may ${rights[right]}`;
  throw new HttpProblem(403, 'role_missing', message, { fix: 'Ask one.' });
}

/** @param proof CSRF token that came with a form. @throws {HttpProblem} `proof_missing`. */
export function requireProof({ isOurs }: Admitted, proof: string | null | undefined): void {
  if (!isOurs(proof ?? '')) throw refused('proof_missing');
}

/** An open console needs none: `own-origin.ts` refuses other sites. @param header with the CSRF token. @throws {HttpProblem} */
export function requireProofHeader(admitted: Admitted, request: Request, header = 'x-csrf-token'): void {
  if (!admitted.person.isAnybody) requireProof(admitted, request.get(header));
}

/** With the address that it came from. @param list of the audit; default: changes. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  request: Request,
  entry: Omit<NewAuditEntry, 'from'>,
  list?: AuditList,
): Promise<void> {
  await recordChange(runtime, { ...entry, from: addressOf(request) }, list);
}
