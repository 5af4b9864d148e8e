/** Machines that cannot reach the service at present. Written by processes that call it, read for display. */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { LedgerKeys } from '../keys.ts';
import { readAllStored } from '../stored-json.ts';

/** A machine whose last calls got no answer. */
const unreachableService = z.object({
  host: z.string(),
  reason: z.string(),
  /** Time of the first unanswered call: Unix epoch, milliseconds. */
  since: z.number(),
  /** Time of the last attempt. */
  at: z.number(),
});
export type UnreachableService = Readonly<z.infer<typeof unreachableService>>;

/** Shorter silences are not recorded. */
const shortestKeptMs = 5000;
const silencesKept = 50;

const longestExcuseMs = 15 * 60_000;
const writeEveryMs = 1000;
/** Older records are ignored, because their process has probably ended. */
const staleMs = 120_000;

export class ServiceReach {
  readonly #redis: Redis;
  readonly #key: string;
  /** List: start and end of the last silences of all machines. */
  readonly #silencesKey: string;
  readonly #host: string;
  readonly #now: () => number;
  #since: number | undefined;
  #clockAheadMs = 0;
  #isAsking = false;
  #written = 0;
  /** True until the first answer: another process of this machine may have left a record. */
  #mayBeRecorded = true;

  constructor(options: {
    readonly redis: Redis;
    readonly keys: LedgerKeys;
    readonly host: string;
    readonly now?: () => number;
  }) {
    this.#redis = options.redis;
    this.#key = options.keys.unreachable;
    this.#silencesKey = options.keys.silences;
    this.#host = options.host;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Whether a call got no answer because the service answers none at present: then its job waits, without using an attempt.
   * @param wasSent a call that was sent is excused for a quarter of an hour only, because it may be this very call that gets no answer.
   */
  covers(wasSent: boolean): boolean {
    if (this.#since === undefined) return false;
    return !wasSent || this.#now() - this.#since < longestExcuseMs;
  }

  /** Before a call that must not be repeated: during a silence one at a time, as each may leave an unknown outcome. @returns its end, or undefined. */
  beginCall(): Disposable | undefined {
    if (this.#since === undefined) return { [Symbol.dispose]: () => undefined };
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    return {
      [Symbol.dispose]: () => {
        this.#isAsking = false;
      },
    };
  }

  /** Records that a call got no answer. The write is not awaited: if it is lost, the next failure writes again. */
  failed(reason: string): void {
    const at = this.#now();
    this.#since ??= at;
    this.#mayBeRecorded = true;
    if (at - this.#written < writeEveryMs) return;
    this.#written = at;
    const record: UnreachableService = { host: this.#host, reason, since: this.#since, at };
    this.#redis.hset(this.#key, this.#host, JSON.stringify(record)).catch(() => undefined);
    this.#redis.pexpire(this.#key, staleMs).catch(() => undefined);
  }

  /** How far the clock of this machine was ahead of that of the service at its last answer; negative: behind. Milliseconds. */
  get clockAheadMs(): number {
    return this.#clockAheadMs;
  }

  /** Records that a call was answered with any status, so this machine reaches the service. @param date header of the answer. */
  answered(date?: string): void {
    const theirs = Date.parse(date ?? '');
    if (!Number.isNaN(theirs)) this.#clockAheadMs = this.#now() - theirs;
    if (!this.#mayBeRecorded) return;
    this.#mayBeRecorded = false;
    this.#keepSilence();
    this.#since = undefined;
    this.#written = 0;
    this.#redis.hdel(this.#key, this.#host).catch(() => undefined);
  }

  #keepSilence(): void {
    const [from, to] = [this.#since, this.#now()];
    if (from === undefined || to - from < shortestKeptMs) return;
    this.#redis.rpush(this.#silencesKey, `${from} ${to}`).catch(() => undefined);
    this.#redis.ltrim(this.#silencesKey, -silencesKept, -1).catch(() => undefined);
  }

  /** The last silences, by start (Unix epoch, milliseconds). Those of several machines may overlap. */
  async silences() {
    const lines = await this.#redis.lrange(this.#silencesKey, 0, -1);
    return lines
      .map((line) => {
        const [from = Number.NaN, to = Number.NaN] = line.split(' ').map(Number);
        return { from, to };
      })
      .filter(({ from, to }) => to > from)
      .sort((one, other) => one.from - other.from);
  }

  async unreachable(): Promise<readonly UnreachableService[]> {
    const records = Object.entries(await this.#redis.hgetall(this.#key));
    return readAllStored(unreachableService, records)
      .map(([, record]) => record)
      .filter(({ at }) => this.#now() - at < staleMs);
  }
}
