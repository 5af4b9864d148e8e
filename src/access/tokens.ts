/** Tokens of programs: `Authorization: Bearer TOKEN`. */
import { hint } from '../manifest/problems/hint.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { digestOf, makeSecret } from './secrets.ts';
import { normalName, requireUser, type WithLedger } from './users.ts';

const mostTokens = 20;
const prefixLength = 10;

export interface NewToken {
  readonly name: string;
  /** Shown once: only its hash is kept. */
  readonly token: string;
  readonly prefix: string;
}

/**
 * @param options `has`: number of tokens of the user according to the form, so that a repeated form makes no second token.
 * @throws {UseCaseError} `user_not_found`, `tokens_full`, `tokens_changed`.
 */
export async function makeToken(
  { ledger }: WithLedger,
  given: string,
  { has: expected }: { readonly has?: number } = {},
): Promise<NewToken> {
  const name = normalName(given);
  const user = await requireUser({ ledger }, name);
  const has = (await ledger.access.tokens.list()).filter((token) => token.user === name);
  if (expected !== undefined && has.length !== expected) {
    throw new UseCaseError(
      'tokens_changed',
      `the tokens of ${name} have changed meanwhile, so no token was made`,
      {
        cure: 'Look at the tokens, and ask for a new one again if it is still needed.',
      },
    );
  }
  if (has.length >= mostTokens) {
    throw new UseCaseError(
      'tokens_full',
      `the user ${name} has ${mostTokens} tokens, the most that a user may have`,
      {
        cure: ['Remove one that is not used.', hint('removeToken', { user: name })],
      },
    );
  }
  const token = `cr_${makeSecret()}`;
  const prefix = token.slice(0, prefixLength);
  await ledger.access.tokens.add(digestOf(token), user, prefix);
  return { name, token, prefix };
}

/** Revokes a token. @throws {UseCaseError} `token_not_found`. */
export async function removeToken({ ledger }: WithLedger, given: string, prefix: string): Promise<void> {
  const name = normalName(given);
  if (await ledger.access.tokens.remove(name, prefix)) return;
  throw new UseCaseError('token_not_found', `the user ${name} has no token that begins with ${prefix}`, {
    cure: [hint('list', { what: 'users' })],
  });
}
