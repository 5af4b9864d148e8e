/**
 * The posts that campaigns were made of, by what makes them what they are (creator, media, product, time): whoever plans the same post
 * again is told so. Nothing else depends on it.
 */
import type { Redis } from 'ioredis';
import type { RunScript } from '../redis/script.ts';
import type { LedgerKeys } from './keys.ts';
import { findRecords, type RecordPlace } from './known.ts';

/** A million posts stay compact in so many hashes, and a few thousand do not make them too many. */
const buckets = 2048;
/** Bytes of an identity. */
export const identityBytes = 8;

export class PlannedPosts {
  readonly #redis: Redis;
  readonly #keys: LedgerKeys;
  readonly #find: RunScript;

  constructor(redis: Redis, keys: LedgerKeys, find: RunScript) {
    this.#redis = redis;
    this.#keys = keys;
    this.#find = find;
  }

  /** The newest campaign that has each of these posts; undefined where none has, or that one has been deleted. */
  async find(account: string, identities: readonly Buffer[]): Promise<readonly (string | undefined)[]> {
    const places = identities.map((identity) => this.#placeOf(account, identity));
    const campaigns = await findRecords(this.#find, places);
    const there = await this.#existing(new Set(campaigns.filter((id) => id !== undefined)));
    return campaigns.map((id) => (id !== undefined && there.has(id) ? id : undefined));
  }

  async #existing(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (const id of ids) if (await this.#redis.exists(this.#keys.campaign(id))) existing.add(id);
    return existing;
  }

  /** @param identities of one after the other, 8 bytes each. */
  async add(account: string, campaign: string, identities: Buffer): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (let at = 0; at < identities.length; at += identityBytes) {
      const { key, field } = this.#placeOf(account, identities.subarray(at, at + identityBytes));
      pipeline.hset(key, field, campaign);
    }
    await pipeline.exec();
  }

  #placeOf(account: string, identity: Buffer): RecordPlace {
    const bucket = identity.readUInt16BE(0) % buckets;
    return { key: this.#keys.account(account, `posts:${bucket}`), field: identity };
  }
}
