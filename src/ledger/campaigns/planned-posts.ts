/**
 * Planned posts of all campaigns, identified by creator, media, product and time. Used only to warn when the same post is
 * planned again.
 */
import { KnownRecords, type RecordPlace } from '../service/known.ts';

/** Enough hashes to keep a million posts compact, few enough for a few thousand. */
const buckets = 2048;
/** Length of an identity in bytes. */
const identityBytes = 8;

export class PlannedPosts extends KnownRecords {
  /** For each post, the newest campaign that has it; undefined for none, or when that campaign was deleted. */
  async find(account: string, identities: readonly Buffer[]): Promise<readonly (string | undefined)[]> {
    const places = identities.map((identity) => this.#placeOf(account, identity));
    const campaigns = await this.findRecords(places);
    const there = await this.#existing(new Set(campaigns.filter((id) => id !== undefined)));
    return campaigns.map((id) => (id !== undefined && there.has(id) ? id : undefined));
  }

  async #existing(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (const id of ids) if (await this.redis.exists(this.keys.campaign(id))) existing.add(id);
    return existing;
  }

  /** @param identities concatenated, 8 bytes each. */
  async add(account: string, campaign: string, identities: Buffer): Promise<void> {
    const pipeline = this.redis.pipeline();
    for (let at = 0; at < identities.length; at += identityBytes) {
      const { key, field } = this.#placeOf(account, identities.subarray(at, at + identityBytes));
      pipeline.hset(key, field, campaign);
    }
    await this.exec(pipeline);
  }

  #placeOf(account: string, identity: Buffer): RecordPlace {
    const bucket = identity.readUInt16BE(0) % buckets;
    return { key: this.keys.account(account, `posts:${bucket}`), field: identity };
  }
}
