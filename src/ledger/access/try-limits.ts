/**
 * Attempts to sign in. After each wrong password, the account must wait longer. An address with too many wrong or refused attempts
 * is locked out. Accounts are never locked out: an address that has signed in to an account before has a wait of its own.
 *
 * Accounts and addresses are counted by 16 bits of their SHA-256, so that made-up names cannot fill Redis.
 */
import { createHash } from 'node:crypto';
import { LedgerPart } from '../part.ts';

/** `wait`: too soon for the account, or for the pair of account and address. `locked`: the address is locked out. */
export interface TryVerdict {
  readonly verdict: 'ok' | 'wait' | 'locked';
  /** Time until the next attempt, in milliseconds; with `ok`, if this one fails. */
  readonly waitMs: number;
}

const minuteMs = 60_000;

export const tryLimits = {
  /** Wait after the first wrong password; each further one doubles it. */
  firstWaitMs: 1000,
  longestWaitMs: minuteMs,
  /** Wrong and refused attempts of one address within `countedMs` that lock it out for `lockMs`. */
  addressTries: 20,
  // Twice `lockMs`: an address that guesses as often as an account allows is locked out, too.
  countedMs: 30 * minuteMs,
  lockMs: 15 * minuteMs,
  /** How long it is remembered that an address has signed in to an account. */
  knownMs: 30 * 24 * 60 * minuteMs,
} as const;

export interface Tried {
  readonly name: string;
  readonly address: string;
}

export class TryLedger extends LedgerPart {
  /** Counts an attempt as wrong until `succeed` takes it back, so that concurrent attempts cannot slip through. */
  async begin(tried: Tried): Promise<TryVerdict> {
    const { firstWaitMs, longestWaitMs, addressTries, countedMs, lockMs } = tryLimits;
    const [verdict, waitMs] = await this.run<[TryVerdict['verdict'], number]>('access/begin-try', [
      ...buckets(tried),
      this.now(),
      firstWaitMs,
      longestWaitMs,
      addressTries,
      lockMs,
      countedMs,
    ]);
    return { verdict, waitMs };
  }

  /** Takes back a counted attempt, because its password was right. */
  async succeed(tried: Tried): Promise<void> {
    await this.run('access/succeed-try', [...buckets(tried), tryLimits.knownMs]);
  }
}

function buckets({ name, address }: Tried): [string, string] {
  return [bucket(name), bucket(address)];
}

function bucket(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 4);
}
