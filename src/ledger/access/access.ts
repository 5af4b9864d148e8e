/** The part of the ledger about people: users, sessions, tokens, attempts to sign in, and the audit. */
import type { LedgerContext } from '../part.ts';
import { AuditLedger } from './audit.ts';
import { AccessKeys } from './keys.ts';
import { SessionLedger } from './sessions.ts';
import { TokenLedger } from './tokens.ts';
import { TryLedger } from './tries.ts';
import { UserLedger } from './users.ts';

export interface AccessLedger {
  readonly users: UserLedger;
  readonly sessions: SessionLedger;
  readonly tokens: TokenLedger;
  readonly tries: TryLedger;
  readonly audit: AuditLedger;
}

export function createAccessLedger(context: LedgerContext): AccessLedger {
  const keys = new AccessKeys(context.keys.prefix);
  return {
    users: new UserLedger(context, keys),
    sessions: new SessionLedger(context, keys),
    tokens: new TokenLedger(context, keys),
    tries: new TryLedger(context),
    audit: new AuditLedger(context, keys),
  };
}
