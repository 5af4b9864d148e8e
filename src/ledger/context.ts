import type { Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';

/** What the parts of the ledger share. */
export interface LedgerContext {
  readonly redis: Redis;
  readonly keys: LedgerKeys;
  /** Defines `lua/NAME.lua` on the connection. */
  readonly script: (name: string) => RunScript;
  /** Unix epoch, milliseconds. */
  readonly now: () => number;
}
