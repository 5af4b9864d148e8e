/** From which machines the service cannot be reached just now: written by those who call it, read by whoever watches. */
import type { Redis } from 'ioredis';
import type { LedgerKeys } from './keys.ts';

/** A machine whose last calls had no answer at all. */
export interface UnreachableService {
  readonly host: string;
  /** Why, in words. */
  readonly reason: string;
  /** Since when no call was answered: Unix epoch, milliseconds. */
  readonly since: number;
  /** When it was tried last. */
  readonly at: number;
}

const writeEveryMs = 1000;
/** Who does not try any more, because it has ended, says nothing of the service. */
const staleMs = 120_000;

export class ServiceReach {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #host: string;
  readonly #now: () => number;
  #since: number | undefined;
  #written = 0;
  /** Until its first answer a process does not know what others of this machine have left there. */
  #mayBeRecorded = true;

  constructor(options: {
    readonly redis: Redis;
    readonly keys: LedgerKeys;
    readonly account: string;
    readonly host: string;
    readonly now?: () => number;
  }) {
    this.#redis = options.redis;
    this.#key = options.keys.account(options.account, 'unreachable');
    this.#host = options.host;
    this.#now = options.now ?? Date.now;
  }

  /** A call had no answer. Not waited for: what is lost with Redis is told anew by the next one. */
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

  /** A call was answered, whatever the answer was: the service can be reached from this machine, whoever said otherwise. */
  answered(): void {
    if (!this.#mayBeRecorded) return;
    this.#mayBeRecorded = false;
    this.#since = undefined;
    this.#written = 0;
    this.#redis.hdel(this.#key, this.#host).catch(() => undefined);
  }

  /** The machines that get no answer at present. */
  async unreachable(): Promise<readonly UnreachableService[]> {
    const records = await this.#redis.hvals(this.#key);
    return records
      .map((record) => JSON.parse(record) as UnreachableService)
      .filter(({ at }) => this.#now() - at < staleMs);
  }
}
