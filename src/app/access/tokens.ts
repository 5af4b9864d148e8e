/** Tokens of programs: `Authorization: Bearer TOKEN`; and the secrets of tokens and sessions. Redis keeps only their SHA-256, which cannot be used to sign in. */
import { createHash, randomBytes } from 'node:crypto';
import type { TokenVerdict } from '../../ledger/access/tokens.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { normalName, requireUser, type WithLedger } from './users.ts';

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
      return new UseCaseError('user_not_found', `there is no user ${name}`, {
        cure: [hint('list', { what: 'users' })],
      });
    case 'changed':
      return new UseCaseError(
        'tokens_changed',
        `the tokens of ${name} have changed meanwhile, so no token was made`,
        { cure: 'Look at the tokens, and ask for a new one again if it is still needed.' },
      );
    case 'full':
      return new UseCaseError(
        'tokens_full',
        `the user ${name} has ${mostTokens} tokens, the most that a user may have`,
        { cure: ['Remove one that is not used.', hint('removeToken', { user: name })] },
      );
  }
}

/** Revokes a token. @throws {UseCaseError} `token_not_found`. */
export async function removeToken({ ledger }: WithLedger, given: string, prefix: string): Promise<void> {
  const name = normalName(given);
  if (await ledger.access.tokens.remove(name, prefix)) return;
  throw new UseCaseError('token_not_found', `the user ${name} has no token that begins with ${prefix}`, {
    cure: [hint('list', { what: 'users' })],
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
