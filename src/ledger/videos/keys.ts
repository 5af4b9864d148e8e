/** Keys of the watch list, its history and its scrapes. All begin with the same hash tag as those of `LedgerKeys`. */

export class VideoKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Sorted set: video id by its number, in the order of addition. */
  get list(): string {
    return `${this.#prefix}:videos`;
  }
  /** The same for the videos of one campaign. */
  ofCampaign(campaign: string): string {
    return `${this.#prefix}:videos:c:${campaign}`;
  }
  /** Hash: key of a row to the id of its video. */
  byRow(campaign: string): string {
    return `${this.#prefix}:videos:k:${campaign}`;
  }
  /** Hash: facts, summary and history of a video. */
  video(id: string): string {
    return `${this.#prefix}:v:${id}`;
  }
  /** String: number of changes of the list by imports and removals. */
  get changes(): string {
    return `${this.#prefix}:videos:changes`;
  }
  /** String: the last overview with a span of this many days. */
  overview(days: number): string {
    return `${this.#prefix}:videos:overview:${days}`;
  }
  /** Sorted set: number of a scrape by its start. */
  get scrapes(): string {
    return `${this.#prefix}:scrapes`;
  }
  /** String: number of the last scrape. */
  get lastScrape(): string {
    return `${this.#prefix}:scrapes:last`;
  }
  /** String: number of the scrape that runs. */
  get runningScrape(): string {
    return `${this.#prefix}:scrapes:running`;
  }
  /** Hash: record of a scrape. */
  scrape(run: number): string {
    return `${this.#prefix}:scrape:${run}`;
  }
  /** Hash: first to last video number of each part of a scrape that is not done yet. */
  openParts(run: number): string {
    return `${this.#prefix}:scrape:${run}:open`;
  }
  /** Hash: why videos failed in a scrape, by code. */
  causes(run: number): string {
    return `${this.#prefix}:scrape:${run}:causes`;
  }
}

/** Key of the sorted set of a scrape's videos: all, or those of one campaign. */
export function listKey(keys: VideoKeys, campaign: string | undefined): string {
  return campaign === undefined ? keys.list : keys.ofCampaign(campaign);
}
