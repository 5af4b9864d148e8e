/** Stored overviews of the watch list, and the stamp that shows whether they are still valid. */
import type { Redis } from 'ioredis';
import type { LedgerContext } from '../part.ts';
import type { VideoKeys } from './keys.ts';

/** Stays the same until data of an overview changes. */
export interface ListStamp {
  /** Changes of the list by imports and removals. */
  readonly changes: string;
  /** The last scrape and its progress. */
  readonly scrapes: string;
}

const keptSeconds = 14 * 86_400;

export class KeptOverviews {
  readonly #redis: Redis;
  readonly #keys: VideoKeys;

  constructor({ redis }: LedgerContext, keys: VideoKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  async stamp(): Promise<ListStamp> {
    const [changes, last] = await this.#redis.mget(this.#keys.changes, this.#keys.lastScrape);
    const fields = ['state', 'done', 'gone', 'failed'] as const;
    const record = last ? await this.#redis.hmget(this.#keys.scrape(Number(last)), ...fields) : [];
    return { changes: changes ?? '0', scrapes: [last ?? '', ...record].join(' ') };
  }

  /** @param days length of its span. @returns undefined if there is none. */
  async find(days: number): Promise<Buffer | undefined> {
    return (await this.#redis.getBuffer(this.#keys.overview(days))) ?? undefined;
  }

  /** Keeps one for each length of span, for two weeks. */
  async keep(days: number, packed: Buffer): Promise<void> {
    await this.#redis.set(this.#keys.overview(days), packed, 'EX', keptSeconds);
  }
}
