/**
 * How far the send journal has come. Every entry moves it by one, so whoever has seen it further on than it is knows that
 * entries were lost: with the end of an append-only file, a FLUSHALL, an older backup, or a replica that took over too
 * early. Calls that were sent would then look as if they never had been.
 */
import type { Cluster, Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';

/** `at`: Unix epoch in milliseconds of the last entry; 0 while there is none. */
export interface JournalMark {
  readonly position: number;
  readonly at: number;
}

export class JournalPosition {
  readonly #redis: Redis | Cluster;
  readonly #keys: LedgerKeys;
  readonly #accept: RunScript;
  #seen: JournalMark = { position: 0, at: 0 };
  #onMove: () => void = () => undefined;

  constructor(redis: Redis | Cluster, keys: LedgerKeys, accept: RunScript) {
    this.#redis = redis;
    this.#keys = keys;
    this.#accept = accept;
  }

  /** The furthest that this process knows of. */
  get seen(): JournalMark {
    return this.#seen;
  }

  /** Takes over what was seen; an earlier mark changes nothing. */
  see(mark: JournalMark): void {
    if (mark.position <= this.#seen.position) return;
    this.#seen = mark;
    this.#onMove();
  }

  /** Calls `listener` whenever a further mark is seen. */
  onMove(listener: () => void): void {
    this.#onMove = listener;
  }

  /** Where it stands in Redis. */
  async read(): Promise<JournalMark> {
    const [position, at] = await this.#redis.hmget(this.#keys.journal, 'position', 'at');
    return { position: Number(position ?? 0), at: Number(at ?? 0) };
  }

  /** Takes the journal as it is: calls are sent again, also by processes that have seen it further on. */
  async accept(): Promise<void> {
    await this.#accept([]);
  }
}
