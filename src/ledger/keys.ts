/**
 * Where everything stands in Redis. All keys begin with one hash tag, so that a cluster holds them on one node and a
 * script may touch several. `docs/architecture.md` has the same list with sizes.
 */

/** Rows are stored, and results kept, in chunks of this many: what compresses well and stays in a compact hash. */
export const chunkSize = 500;

export class LedgerKeys {
  /** The hash tag, braces included: `{campaigns}`. Queues use it as their prefix too. */
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Sorted set: campaign id by time of creation. */
  get campaigns(): string {
    return `${this.prefix}:campaigns`;
  }
  /** Hash: SHA-256 of a manifest to the newest campaign made of it. */
  get manifests(): string {
    return `${this.prefix}:manifests`;
  }
  /** Hash: a campaign that was deleted, to what is needed to remove the rest of its keys. */
  get buried(): string {
    return `${this.prefix}:buried`;
  }
  /** Hash: a campaign's facts and counters. */
  campaign(id: string): string {
    return `${this.prefix}:c:${id}`;
  }
  /** Byte string, two bytes a row: state letter and revision. */
  states(id: string): string {
    return `${this.prefix}:c:${id}:states`;
  }
  /** Hash: what is known of a row that has not ended well: file ids, schedules, the send journal. */
  progress(id: string, row: number): string {
    return `${this.prefix}:c:${id}:work:${row}`;
  }
  /** Hash by chunk: packed results of posted rows. */
  results(id: string, chunk: number): string {
    return `${this.prefix}:c:${id}:results:${chunk}`;
  }
  /** Hash: row to the JSON list of its generated assets, for posted rows. */
  assets(id: string): string {
    return `${this.prefix}:c:${id}:assets`;
  }
  /** Hash: row to the JSON of the error that ended it, for failed and review rows. */
  errors(id: string): string {
    return `${this.prefix}:c:${id}:errors`;
  }
  /** Sorted set of the rows in one of the states that are asked for by state. */
  index(id: string, state: 'failed' | 'review' | 'redo'): string {
    return `${this.prefix}:c:${id}:${state}`;
  }
  /** Hash: row to revision, for rows made running whose flow may not have been added yet. */
  adding(id: string): string {
    return `${this.prefix}:c:${id}:adding`;
  }
  /** String that stands until the publishing records may be asked again for the campaign's posts. */
  followed(id: string): string {
    return `${this.prefix}:c:${id}:followed`;
  }
  /** Hash: what is left to follow of the campaign's posts, as the last look found it. */
  follow(id: string): string {
    return `${this.prefix}:c:${id}:follow`;
  }
  /** Hash: showcase group number to the JSON of the group. */
  groups(id: string): string {
    return `${this.prefix}:c:${id}:groups`;
  }
  /** Hash: a creator as the manifest writes it, to the JSON of the account. */
  creators(id: string): string {
    return `${this.prefix}:c:${id}:creators`;
  }
  /** What `states` is called once the campaign is deleted. */
  buriedStates(id: string): string {
    return `${this.prefix}:c:${id}:buried-states`;
  }
  /** All keys of a campaign but those that there are many of: chunks of rows and results, records of rows. */
  ofCampaign(id: string): readonly string[] {
    return [
      ...[this.campaign(id), this.states(id), this.buriedStates(id), this.assets(id), this.errors(id)],
      ...[this.index(id, 'failed'), this.index(id, 'review'), this.index(id, 'redo')],
      ...[this.adding(id), this.groups(id), this.creators(id), this.follow(id), this.followed(id)],
      this.leftOut(id),
    ];
  }
  /** Set: keys of rows that were left out for their problems. */
  leftOut(id: string): string {
    return `${this.prefix}:c:${id}:left-out`;
  }
  /** String: one compressed chunk of rows, by the store that the import wrote them to. */
  rows(store: string, chunk: number): string {
    return `${this.prefix}:rows:${store}:${chunk}`;
  }
  /** String: identities of the posts in a chunk of rows that are being imported. */
  stagedPosts(store: string, chunk: number): string {
    return `${this.prefix}:posts:${store}:${chunk}`;
  }
  /** Sorted set: workers by the time at which each said last that it lives. */
  get workers(): string {
    return `${this.prefix}:workers`;
  }
  /** String: JSON of what a worker says of itself; it lapses some time after the worker has gone silent. */
  worker(id: string): string {
    return `${this.prefix}:worker:${id}`;
  }
  /** Everything that depends on the API key is kept per account of the service. */
  account(account: string, what: string): string {
    return `${this.prefix}:a:${account}:${what}`;
  }
}
