/**
 * Signing in and out, tokens of programs (`Authorization: Bearer TOKEN`), and the user of a request. Redis keeps only the SHA-256 of
 * secrets, which cannot be used to sign in.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { Who } from '../../ledger/access/sessions.ts';
import type { TokenVerdict } from '../../ledger/access/users.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { isPassword } from './passwords.ts';
import { normalName, requireDone, requireUser, type WithLedger } from './users.ts';

export type SignIn =
  | { readonly kind: 'signed-in'; readonly name: string /** For the cookie. */; readonly secret: string }
  /** Name or password. */
  | { readonly kind: 'wrong'; readonly waitMs: number }
  /** The password was not checked. */
  | { readonly kind: 'wait' | 'locked'; readonly waitMs: number };

/** Neither answer nor time shows whether a user exists. @param from address of the browser. @throws {UseCaseError} `sign_in_busy`. */
export async function signIn(
  { ledger }: WithLedger,
  given: { readonly name: string; readonly password: string; readonly from: string },
): Promise<SignIn> {
  const { access } = ledger;
  const tried = { name: normalName(given.name), address: given.from };
  const { verdict, waitMs } = await access.tries.begin(tried);
  if (verdict !== 'ok') return { kind: verdict, waitMs };
  const user = await access.users.find(tried.name);
  if (!(await isPassword(given.password, user?.password)) || user === undefined)
    return { kind: 'wrong', waitMs };
  await access.tries.succeed(tried);
  const secret = makeSecret();
  await access.sessions.start(digestOf(secret), user);
  return { kind: 'signed-in', name: user.name, secret };
}

/** Milliseconds until an address may try to sign in again; 0 if it may now. @param from address of the browser. */
export function lockedFor({ ledger }: WithLedger, from: string): Promise<number> {
  return ledger.access.tries.lockedFor(from);
}

export async function signOut({ ledger }: WithLedger, secret: string): Promise<void> {
  await ledger.access.sessions.end(digestOf(secret));
}

export interface Credential {
  readonly kind: 'session' | 'token';
  readonly secret: string;
}

/** @param isUse false if the look-up must not keep the session alive. */
export function whoIs({ ledger }: WithLedger, shown: Credential | undefined, isUse = true): Promise<Who> {
  const credential = shown && { kind: shown.kind, digest: digestOf(shown.secret) };
  return ledger.access.sessions.who(credential, isUse);
}

const mostTokens = 20;
const prefixLength = 10;

export interface NewToken {
  readonly name: string;
  /** Shown once: only its hash is kept. */
  readonly token: string;
  readonly prefix: string;
}

/** @param options `has`: tokens by the form, against repeated forms. @throws {UseCaseError} `user_not_found`, `tokens_full`, `tokens_changed`. */
export async function makeToken(
  { ledger }: WithLedger,
  given: string,
  { has: expected }: { readonly has?: number } = {},
): Promise<NewToken> {
  const name = normalName(given);
  const user = await requireUser({ ledger }, name);
  const token = `cr_${makeSecret()}`;
  const prefix = token.slice(0, prefixLength);
  const facts = { prefix, most: mostTokens, has: expected };
  const verdict = await ledger.access.tokens.add(digestOf(token), user, facts);
  if (verdict !== 'done') throw notMade(verdict, name);
  return { name, token, prefix };
}

function notMade(verdict: Exclude<TokenVerdict, 'done'>, name: string): UseCaseError {
  switch (verdict) {
    case 'missing':
      return requireDone(verdict, name);
    case 'changed':
      return new UseCaseError(
        'tokens_changed',
        `the tokens of ${name} have just been changed, so no token was made`,
        { fix: 'List the tokens. If you still need a new one, try again.' },
      );
    case 'full':
      return new UseCaseError('tokens_full', `the user ${name} already has ${mostTokens} tokens, the limit`, {
        fix: ['Remove one that is not used.', hint('removeToken', { user: name })],
      });
  }
}

/** Revokes a token. @throws {UseCaseError} `token_not_found`. */
export async function removeToken({ ledger }: WithLedger, given: string, prefix: string): Promise<void> {
  const name = normalName(given);
  if (await ledger.access.tokens.remove(name, prefix)) return;
  throw new UseCaseError('token_not_found', `the user ${name} has no token that begins with ${prefix}`, {
    fix: [hint('list', { what: 'users' })],
  });
}

/** 256 random bits, in characters that are allowed in cookies and headers. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, in hex. The secrets are random and long, so a slow hash would not add anything. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
