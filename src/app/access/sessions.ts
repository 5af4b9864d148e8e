/** Signing in and out, and finding the user of a request. */
import type { Who } from '../../ledger/access/sessions.ts';
import { isPassword } from './passwords.ts';
import { digestOf, makeSecret } from './tokens.ts';
import { normalName, type WithLedger } from './users.ts';

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
