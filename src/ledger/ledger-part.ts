/** Base of the parts of the ledger: connection, keys, clock, and the scripts of `lua/` by name. Lists in batches and pairs. */
import type { ChainableCommander, Redis } from 'ioredis';
import type { RowIndex, RowVersion } from '../manifest/row.ts';
import type { RunScript, ScriptArgument } from '../platform/redis/script.ts';
import type { LedgerKeys, RowIndexName } from './keys.ts';
import { type RowStatus, statusAt } from './states.ts';

export interface LedgerContext {
  readonly redis: Redis;
  readonly keys: LedgerKeys;
  /** `lua/NAME.lua` on this connection. @throws {RangeError} when there is none. */
  readonly script: (name: string) => RunScript;
  /** Clock of this machine: Unix epoch, milliseconds. */
  readonly now: () => number;
  /** Clock of a test, which replaces that of Redis; undefined: Redis' own. */
  readonly testClock: (() => number) | undefined;
}

/** States of rows that lie this close to each other are read as one string. */
const closeRows = 10_000;

export abstract class LedgerPart {
  protected readonly redis: Redis;
  protected readonly keys: LedgerKeys;
  protected readonly now: () => number;
  readonly #script: LedgerContext['script'];
  readonly #testClock: LedgerContext['testClock'];

  constructor({ redis, keys, script, now, testClock }: LedgerContext) {
    this.redis = redis;
    this.keys = keys;
    this.now = now;
    this.#script = script;
    this.#testClock = testClock;
  }

  /** The argument `now` of a script: '' for the clock of Redis. Machines' clocks may differ. */
  protected get clock(): number | '' {
    return this.#testClock?.() ?? '';
  }

  /** Time of Redis: Unix epoch, milliseconds. */
  protected async time(): Promise<number> {
    return this.#testClock?.() ?? this.redisTime();
  }

  /** As `time`, but always by the clock of Redis, also in a test with its own: heartbeats go by it. */
  protected async redisTime(): Promise<number> {
    const [seconds, microseconds] = await this.redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  }

  /** Runs `lua/NAME.lua`. @returns its reply, in the shape described at the head of the script. */
  protected run<Reply>(name: string, args: readonly ScriptArgument[]): Promise<Reply> {
    return this.#script(name)(args) as Promise<Reply>;
  }

  /** Rows of an index, the first `most` of them. */
  protected async rowsOf(campaign: string, index: RowIndexName, most?: number): Promise<readonly RowIndex[]> {
    const last = most === undefined ? -1 : most - 1;
    return rowNumbers(await this.redis.zrange(this.keys.index(campaign, index), '0', String(last)));
  }

  /** Sends a pipeline. @returns the replies, in order. @throws the first error among them. */
  protected async exec(pipeline: ChainableCommander): Promise<readonly unknown[]> {
    const replies = (await pipeline.exec()) ?? [];
    return replies.map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
  }

  /** @param key of a byte string of states. @returns the states of `count` rows from `first`. */
  protected async statusesFrom(key: string, first: number, count: number): Promise<readonly RowStatus[]> {
    const bytes = await this.redis.getrangeBuffer(key, first * 2, (first + count) * 2 - 1);
    const statuses: RowStatus[] = [];
    for (let index = 0; index * 2 + 1 < bytes.length; index++) {
      const status = statusAt(bytes, index);
      if (status) statuses.push(status);
    }
    return statuses;
  }

  /** As `statusesFrom`, of single rows; undefined for a row that does not exist. */
  protected async statusesAt(
    key: string,
    rows: readonly RowIndex[],
  ): Promise<readonly (RowStatus | undefined)[]> {
    if (rows.length === 0) return [];
    const first = rows.reduce((least, row) => Math.min(least, row));
    const last = rows.reduce((most, row) => Math.max(most, row));
    if (last - first < closeRows) {
      const bytes = await this.redis.getrangeBuffer(key, first * 2, last * 2 + 1);
      return rows.map((row) => statusAt(bytes, row - first));
    }
    const pipeline = this.redis.pipeline();
    for (const row of rows) pipeline.getrangeBuffer(key, row * 2, row * 2 + 1);
    const parts = (await this.exec(pipeline)) as Buffer[];
    return parts.map((bytes) => statusAt(bytes, 0));
  }
}

/** Another program may have written something else among the rows. */
export function rowNumbers(members: readonly string[]): readonly number[] {
  return members.map(Number).filter(Number.isSafeInteger);
}

/** `row, revision, ...`, as scripts take it. */
export function flatVersions(versions: readonly RowVersion[]): readonly number[] {
  return versions.flatMap(({ row, revision }) => [row, revision]);
}

/** Reads `row, revision, ...` as a script returns it. */
export function readVersions(flat: readonly number[]): readonly RowVersion[] {
  return Array.from(pairs(flat), ([row, revision]) => ({ row, revision }));
}

/** Cuts a list into parts of at most `size` items, so that neither Redis nor memory has to take all at once. */
export function* batches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** Pairs of `name, value, name, value, ...`, as Redis and scripts answer with them. */
export function* pairs<T>(flat: readonly T[]): Generator<readonly [T, T]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at] as T, flat[at + 1] as T];
}
