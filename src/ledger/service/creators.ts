/** Known facts about creators at the service: products in their showcases, and breakers for expired authorizations. */
import { type BreakerReason, readBreaker } from '../transitions/steps.ts';
import { KnownRecords, placeOf, type RecordPlace } from './known.ts';

/** A product of a creator's showcase, added by its id or by a link. A link may lead to another product than the row's. */
export interface ShowcaseEntry {
  readonly creatorId: string;
  readonly productId: string;
  readonly link?: string | undefined;
}

/** `added`: in this way. `linked`: only a link was added, for rows with this id; the showcase tells whether it has the id. */
export type KnownProduct = 'added' | 'linked';

/** A product's record in Redis. */
const records = { added: '1', linked: 'l' } as const satisfies Record<KnownProduct, string>;

export class CreatorLedger extends KnownRecords {
  /** What is known of additions to showcases by this account. */
  async knownProducts(
    account: string,
    entries: readonly ShowcaseEntry[],
  ): Promise<readonly (KnownProduct | undefined)[]> {
    const places = entries.map((entry) => this.#productPlace(account, entry));
    const kinds = Object.keys(records) as KnownProduct[];
    return (await this.findRecords(places)).map((record) => kinds.find((kind) => records[kind] === record));
  }

  /** The records of an added product, for the script that writes them together with the rows' states. */
  productRecords(
    account: string,
    entry: ShowcaseEntry,
  ): readonly (RecordPlace & { readonly record: string })[] {
    const added = { ...this.#productPlace(account, entry), record: records.added };
    if (entry.link === undefined) return [added];
    return [added, { ...this.#productPlace(account, { ...entry, link: undefined }), record: records.linked }];
  }

  #productPlace(account: string, { creatorId, productId, link }: ShowcaseEntry): RecordPlace {
    const identity = link === undefined ? [productId] : ['', link];
    return placeOf(this.keys.account(account, 'products'), creatorId, ...identity);
  }

  /** Opens a creator's breaker: no step of the creator calls the service until it is closed. */
  async openBreaker(account: string, creatorId: string, message: string): Promise<BreakerReason> {
    const reason: BreakerReason = { message, at: this.now() };
    await this.redis.hset(this.keys.account(account, 'breakers'), creatorId, JSON.stringify(reason));
    return reason;
  }

  /** @returns whether it was open. */
  async closeBreaker(account: string, creatorId: string): Promise<boolean> {
    return (await this.redis.hdel(this.keys.account(account, 'breakers'), creatorId)) === 1;
  }

  /** Creators whose breaker is open, by creator id. */
  async openBreakers(account: string): Promise<ReadonlyMap<string, BreakerReason>> {
    const all = await this.redis.hgetall(this.keys.account(account, 'breakers'));
    return new Map(Object.entries(all).map(([id, reason]) => [id, readBreaker(reason)]));
  }
}
