/** Rows of sheets that were left out of their campaign for their problems, by key, so that it is known when they come in after all. */
import type { Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';

const keysAtOnce = 500;

export class LeftOutRows {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #count: RunScript;

  constructor(redis: Redis, keys: LedgerKeys, count: RunScript) {
    this.#redis = redis;
    this.#keys = keys;
    this.#count = count;
  }

  /** Remembers rows that the campaign's own import has counted already. */
  async remember(campaign: string, rows: readonly string[]): Promise<void> {
    for (const some of parts(rows)) await this.#redis.sadd(this.#keys.leftOut(campaign), ...some);
  }

  /** Counts rows of a further sheet: those that were left out, and those that came in, some of them perhaps left out before. */
  async count(
    campaign: string,
    { leftOut, cameIn }: { readonly leftOut: readonly string[]; readonly cameIn: readonly string[] },
  ): Promise<void> {
    for (const some of parts(leftOut)) await this.#count([campaign, some.length, ...some]);
    for (const some of parts(cameIn)) await this.#count([campaign, 0, ...some]);
  }
}

function parts(rows: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(rows.length / keysAtOnce) }, (_, part) =>
    rows.slice(part * keysAtOnce, (part + 1) * keysAtOnce),
  );
}
