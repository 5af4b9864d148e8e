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
  /** Hash: a campaign's facts and counters. */
  campaign(id: string): string {
    return `${this.prefix}:c:${id}`;
  }
  /** Byte string, two bytes a row: state letter and revision. */
  states(id: string): string {
    return `${this.prefix}:c:${id}:states`;
  }
  /** Hash: what is known of a row that has not ended well: file ids, schedules, the send journal. */
  work(id: string, row: number): string {
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
  /** Hash: row to the JSON of the error that ended it, for failed, review and cancelled rows. */
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
  /** Hash: showcase group number to the JSON of the group. */
  groups(id: string): string {
    return `${this.prefix}:c:${id}:groups`;
  }
  /** Hash: a creator as the manifest writes it, to the JSON of the account. */
  creators(id: string): string {
    return `${this.prefix}:c:${id}:creators`;
  }
  /** String: one compressed chunk of rows, by the store that the import wrote them to. */
  rows(store: string, chunk: number): string {
    return `${this.prefix}:rows:${store}:${chunk}`;
  }
  /** String: identities of the posts in a chunk of rows that are being imported. */
  stagedPosts(store: string, chunk: number): string {
    return `${this.prefix}:posts:${store}:${chunk}`;
  }
  /** Everything that depends on the API key is kept per account of the service. */
  account(account: string, what: string): string {
    return `${this.prefix}:a:${account}:${what}`;
  }
}
