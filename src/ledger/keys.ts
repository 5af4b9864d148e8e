/**
 * Keys in Redis. All begin with one hash tag, so that a cluster keeps them on one node and a script may use several.
 * `docs/architecture.md` has the same list with sizes.
 */

/** Rows and results are stored in chunks of this many: enough to compress well, few enough for a compact hash. */
export const chunkSize = 500;

export class LedgerKeys {
  /** The hash tag, braces included: `{campaigns}`. Queues use it as their prefix too. */
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Hash: number of the format, id of the ledger, progress of a migration. */
  get format(): string {
    return `${this.prefix}:format`;
  }
  /** Sorted set: campaign id by time of creation. */
  get campaigns(): string {
    return `${this.prefix}:campaigns`;
  }
  /** Hash: SHA-256 of a manifest to the newest campaign made of it. */
  get manifests(): string {
    return `${this.prefix}:manifests`;
  }
  /** Hash: id of a deleted campaign, to what is needed to remove the rest of its keys. */
  get buried(): string {
    return `${this.prefix}:buried`;
  }
  /** Hash: facts and counters of a campaign. */
  campaign(id: string): string {
    return `${this.prefix}:c:${id}`;
  }
  /** Byte string, two bytes a row: state letter and revision. */
  states(id: string): string {
    return `${this.prefix}:c:${id}:states`;
  }
  /** Hash: progress of a row that is not posted: file ids, schedules, the send journal. */
  progress(id: string, row: number): string {
    return `${this.prefix}:c:${id}:work:${row}`;
  }
  /** Hash by chunk: packed results of posted rows. */
  results(id: string, chunk: number): string {
    return `${this.prefix}:c:${id}:results:${chunk}`;
  }
  /** Hash by chunk: cover and schedules of posted rows that have any, to post such a row again. */
  kept(id: string, chunk: number): string {
    return `${this.prefix}:c:${id}:kept:${chunk}`;
  }
  /** Hash: row to the packed results of its posts that were not published, one a line. */
  earlier(id: string): string {
    return `${this.prefix}:c:${id}:earlier`;
  }
  /** Hash: row to the JSON list of its generated assets, for posted rows. */
  assets(id: string): string {
    return `${this.prefix}:c:${id}:assets`;
  }
  /** Hash: row to the JSON of the error that ended it, for failed and review rows. */
  errors(id: string): string {
    return `${this.prefix}:c:${id}:errors`;
  }
  /** Sorted set: rows in this state, or rows to redo. */
  index(id: string, state: 'failed' | 'review' | 'redo'): string {
    return `${this.prefix}:c:${id}:${state}`;
  }
  /** Sorted set: rows decided a moment ago, by the time (Unix epoch, ms) at which they go on. */
  held(id: string): string {
    return `${this.prefix}:c:${id}:held`;
  }
  /** Hash: what a decision about a row replaced; expires after ten minutes. */
  undo(id: string, row: number): string {
    return `${this.prefix}:c:${id}:undo:${row}`;
  }
  /** Hash: row to revision, for running rows whose flow may not have been added yet. */
  adding(id: string): string {
    return `${this.prefix}:c:${id}:adding`;
  }
  /** String: exists until the publishing records may be read again for the campaign's posts. */
  followed(id: string): string {
    return `${this.prefix}:c:${id}:followed`;
  }
  /** Hash: which of the campaign's posts are still to be followed, as of the last look. */
  follow(id: string): string {
    return `${this.prefix}:c:${id}:follow`;
  }
  /** Hash: showcase group number to the JSON of the group. */
  groups(id: string): string {
    return `${this.prefix}:c:${id}:groups`;
  }
  /** Hash: creator as written in the manifest, to the JSON of the account. */
  creators(id: string): string {
    return `${this.prefix}:c:${id}:creators`;
  }
  /** Bit string: rows whose post has brought its public URL onto the watch list. */
  videoRows(id: string): string {
    return `${this.prefix}:c:${id}:video-rows`;
  }
  /** `states` of a deleted campaign. */
  buriedStates(id: string): string {
    return `${this.prefix}:c:${id}:buried-states`;
  }
  /** Keys that a campaign has exactly one of (no chunks, no per-row keys). */
  ofCampaign(id: string): readonly string[] {
    return [
      ...[this.campaign(id), this.states(id), this.buriedStates(id), this.assets(id), this.errors(id)],
      ...[this.index(id, 'failed'), this.index(id, 'review'), this.index(id, 'redo')],
      ...[this.adding(id), this.groups(id), this.creators(id), this.follow(id), this.followed(id)],
      ...[this.leftOut(id), this.held(id), this.earlier(id), this.videoRows(id)],
    ];
  }
  /** Set: keys of rows left out because of problems. */
  leftOut(id: string): string {
    return `${this.prefix}:c:${id}:left-out`;
  }
  /** String: one compressed chunk of rows, in the store that the import wrote to. */
  rows(store: string, chunk: number): string {
    return `${this.prefix}:rows:${store}:${chunk}`;
  }
  /** String: identities of the posts in a chunk that is being imported. */
  stagedPosts(store: string, chunk: number): string {
    return `${this.prefix}:posts:${store}:${chunk}`;
  }
  /** Sorted set: workers by the time of their last heartbeat. */
  get workers(): string {
    return `${this.prefix}:workers`;
  }
  /** String: JSON of a worker's facts; expires some time after its last heartbeat. */
  worker(id: string): string {
    return `${this.prefix}:worker:${id}`;
  }
  /** Whatever depends on the API key is stored per account of the service. */
  account(account: string, what: string): string {
    return `${this.prefix}:a:${account}:${what}`;
  }
}
