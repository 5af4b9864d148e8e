/** Keys of rows left out of their campaign because of problems, so that a later import can tell when one of them comes in. */
import type { Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerContext } from './context.ts';
import type { LedgerKeys } from './keys.ts';

const keysAtOnce = 500;

export class LeftOutRows {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #count: RunScript;

  constructor({ redis, keys, script }: LedgerContext) {
    this.#redis = redis;
    this.#keys = keys;
    this.#count = script('count-left-out');
  }

  /** Remembers rows that the campaign's first import has already counted. */
  async remember(campaign: string, rows: readonly string[]): Promise<void> {
    for (const some of parts(rows)) await this.#redis.sadd(this.#keys.leftOut(campaign), ...some);
  }

  /** Counts rows of a further sheet: those left out, and those imported (which may have been left out before). */
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
