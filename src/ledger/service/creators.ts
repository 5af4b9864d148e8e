/** Known facts about creators at the service: products in their showcases, and breakers for expired authorizations. */

import { type BreakerReason, readBreaker } from '../transitions/steps.ts';
import { KnownRecords, placeOf, type RecordPlace } from './known.ts';

export interface ShowcaseEntry {
  readonly creatorId: string;
  readonly productId: string;
}

export class CreatorLedger extends KnownRecords {
  /** For each product, whether this account added it to the creator's showcase before. */
  async knowsProducts(account: string, entries: readonly ShowcaseEntry[]): Promise<readonly boolean[]> {
    const places = entries.map((entry) => this.productPlace(account, entry));
    return (await this.findRecords(places)).map((record) => record !== undefined);
  }

  /** Where a product's record is stored, for the script that writes it together with the rows' states. */
  productPlace(account: string, entry: ShowcaseEntry): RecordPlace {
    return placeOf(this.keys.account(account, 'products'), entry.creatorId, entry.productId);
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
