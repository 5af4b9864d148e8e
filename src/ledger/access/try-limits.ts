/**
 * Attempts to sign in. After each wrong password, the account must wait longer. An address with too many wrong or refused attempts
 * is locked out. Accounts are never locked out: an address that has signed in to an account before has a wait of its own.
 *
 * Accounts and addresses are counted by 32 bits of a hash that is keyed with a secret of the ledger: nobody can choose a name or an
 * address that shares the count of another. The number of counts is bounded (`lua/access/tries.lua`).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { LedgerPart } from '../ledger-part.ts';

/** `wait`: too soon for the account, or for the pair of account and address. `locked`: the address is locked out. */
interface TryVerdict {
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
  /** Most addresses of one account that are remembered so. */
  mostKnown: 50,
} as const;

interface Tried {
  readonly name: string;
  readonly address: string;
}

export class TryLedger extends LedgerPart {
  /** Counts an attempt as wrong until `succeed` takes it back, so that concurrent attempts cannot slip through. */
  async begin(tried: Tried): Promise<TryVerdict> {
    const { firstWaitMs, longestWaitMs, addressTries, countedMs, lockMs } = tryLimits;
    const [verdict, waitMs] = await this.run<[TryVerdict['verdict'], number]>('access/begin-try', [
      ...(await this.#buckets(tried)),
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
    const { knownMs, mostKnown } = tryLimits;
    const buckets = await this.#buckets(tried);
    await this.run('access/succeed-try', [...buckets, this.now(), knownMs, mostKnown]);
  }

  /** Milliseconds until an address that is locked out may try again; 0 for any other. Counts as no attempt. */
  async lockedFor(address: string): Promise<number> {
    const bucket = bucketOf(await this.#secret(), 'address', address);
    return Math.max(0, await this.run<number>('access/locked-for', [bucket, this.now()]));
  }

  async #buckets({ name, address }: Tried): Promise<[string, string]> {
    const secret = await this.#secret();
    return [bucketOf(secret, 'name', name), bucketOf(secret, 'address', address)];
  }

  /** Read each time: the ledger may be another one by now. The first attempt makes it. */
  async #secret(): Promise<string> {
    const { secret } = this.keys;
    const made = randomBytes(32).toString('base64url');
    const [, found] = await this.exec(this.redis.pipeline().set(secret, made, 'NX').get(secret));
    return String(found);
  }
}

function bucketOf(secret: string, kind: keyof Tried, text: string): string {
  return createHmac('sha256', secret).update(`${kind} ${text}`).digest('hex').slice(0, 8);
}
