/** Known facts about creators at the service: products in their showcases, and breakers for expired authorizations. */
import { z } from 'zod';
import { readStored } from '../stored-json.ts';
import { KnownRecords, placeOf, type RecordPlace } from './known-records.ts';

/** `at`: Unix epoch, milliseconds. */
const breakerReason = z.object({ message: z.string(), at: z.number() });
export type BreakerReason = Readonly<z.infer<typeof breakerReason>>;

/** Reads why a breaker is open. With an unreadable reason, it is open all the same. */
export function readBreaker(json: string): BreakerReason {
  return readStored(breakerReason, json) ?? { message: 'the authorization has expired', at: 0 };
}

/** A product of a creator's showcase, added by its id or by a link. A link may lead to another product than the row's. */
export interface ShowcaseEntry {
  readonly creatorId: string;
  readonly productId: string;
  readonly link?: string | undefined;
}

/** `added`: in this way. `linked`: only a link was added, for rows with this id; the showcase tells whether it has the id. */
export type KnownProduct = 'added' | 'linked';

const records = { added: '1', linked: 'l' } as const satisfies Record<KnownProduct, string>;

export class CreatorLedger extends KnownRecords {
  async knownProducts(entries: readonly ShowcaseEntry[]): Promise<readonly (KnownProduct | undefined)[]> {
    const places = entries.map((entry) => this.#productPlace(entry));
    const kinds = Object.keys(records) as KnownProduct[];
    return (await this.findRecords(places)).map((record) => kinds.find((kind) => records[kind] === record));
  }

  /** The records of an added product, for the script that writes them together with the rows' states. */
  productRecords(entry: ShowcaseEntry): readonly (RecordPlace & { readonly record: string })[] {
    const added = { ...this.#productPlace(entry), record: records.added };
    if (entry.link === undefined) return [added];
    return [added, { ...this.#productPlace({ ...entry, link: undefined }), record: records.linked }];
  }

  #productPlace({ creatorId, productId, link }: ShowcaseEntry): RecordPlace {
    const identity = link === undefined ? [productId] : ['', link];
    return placeOf(this.keys.known('products'), creatorId, ...identity);
  }

  /** Opens a creator's breaker: no step of the creator calls the service until it is closed. */
  async openBreaker(creatorId: string, message: string): Promise<BreakerReason> {
    const reason: BreakerReason = { message, at: this.now() };
    await this.redis.hset(this.keys.breakers, creatorId, JSON.stringify(reason));
    return reason;
  }

  /** @returns whether it was open. */
  async closeBreaker(creatorId: string): Promise<boolean> {
    return (await this.redis.hdel(this.keys.breakers, creatorId)) === 1;
  }

  async openBreakers(): Promise<ReadonlyMap<string, BreakerReason>> {
    const all = await this.redis.hgetall(this.keys.breakers);
    return new Map(Object.entries(all).map(([id, reason]) => [id, readBreaker(reason)]));
  }
}
