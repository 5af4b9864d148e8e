/**
 * Tries to sign in. After a wrong password the account waits, each time longer. An address with too many wrong passwords is locked
 * out. No account ever is: an address that has signed in to it before has a wait of its own.
 *
 * Accounts and addresses are counted by 16 bits of their SHA-256, so that made-up names cannot fill Redis.
 */
import { createHash } from 'node:crypto';
import { LedgerPart } from '../part.ts';

/** `wait`: the account, or the pair of account and address, is asked too soon. `locked`: the address is. */
export interface TryVerdict {
  readonly verdict: 'ok' | 'wait' | 'locked';
  /** Time until the next try, in milliseconds: if `ok`, in case that this one fails. */
  readonly waitMs: number;
}

export interface TryLimits {
  /** After the first wrong password; doubled by each further one. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Wrong passwords of one address within `lockMs` that lock it out for as long. */
  readonly addressTries: number;
  readonly lockMs: number;
  /** How long an address counts as one that has signed in to an account. */
  readonly knownMs: number;
}

export interface Tried {
  readonly name: string;
  readonly address: string;
}

export class TryLedger extends LedgerPart {
  /** Counts a try as a wrong one until `succeed` says otherwise, so that tries at the same time cannot slip through. */
  async begin(tried: Tried, limits: TryLimits): Promise<TryVerdict> {
    const { firstWaitMs, longestWaitMs, addressTries, lockMs } = limits;
    const [verdict, waitMs] = await this.run<[TryVerdict['verdict'], number]>('access/begin-try', [
      ...buckets(tried),
      this.now(),
      firstWaitMs,
      longestWaitMs,
      addressTries,
      lockMs,
    ]);
    return { verdict, waitMs };
  }

  /** The password was right. */
  async succeed(tried: Tried, { knownMs }: TryLimits): Promise<void> {
    await this.run('access/succeed-try', [...buckets(tried), knownMs]);
  }
}

function buckets({ name, address }: Tried): [string, string] {
  return [bucket(name), bucket(address)];
}

function bucket(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 4);
}
