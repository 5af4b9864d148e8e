/** Caches causes of campaigns for a while: a live page asks every second, and a campaign may have thousands of failed rows. */
import { LRUCache } from 'lru-cache';
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Cause, causesOf } from './causes.ts';

interface Kept {
  readonly at: number;
  /** Counters of the campaign then. */
  readonly counts: string;
  readonly causes: readonly Cause[];
}

/** For a campaign under way, whose counters change all the time. Milliseconds. */
const freshMs = 5000;
/** While counters stay the same. Notes from the publishing records change without them. Milliseconds. */
const sameMs = 60_000;
const campaignsKept = 200;

export class KnownCauses {
  readonly #ledger: Ledger;
  readonly #now: () => number;
  /** By store, because an id may come again if Redis loses data. */
  readonly #kept = new LRUCache<string, Kept>({ max: campaignsKept });

  /** @param now milliseconds of a steady clock. */
  constructor(ledger: Ledger, now: () => number) {
    this.#ledger = ledger;
    this.#now = now;
  }

  /** Drops what is cached. */
  forget(): void {
    this.#kept.clear();
  }

  /** The causes of a campaign, a few seconds old at most while it is under way. */
  async of(campaign: Campaign): Promise<readonly Cause[]> {
    if (campaign.counts.failed + campaign.counts.review === 0) return [];
    const now = this.#now();
    const counts = JSON.stringify(campaign.counts);
    const kept = this.#kept.get(campaign.store);
    const age = now - (kept?.at ?? Number.NEGATIVE_INFINITY);
    const isGood = kept?.counts === counts ? age < sameMs : isUnderWay(campaign) && age < freshMs;
    if (kept && isGood) return kept.causes;
    const causes = await causesOf(this.#ledger, campaign);
    this.#kept.set(campaign.store, { at: now, counts, causes });
    return causes;
  }
}
