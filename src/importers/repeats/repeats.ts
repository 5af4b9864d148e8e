/**
 * Finds rows of other campaigns that are the same post as a row of a sheet, and that are posted or will be. The index of planned posts tells which
 * rows may be; each is compared as it is now, because a row may have changed, failed or been deleted since.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FoundPost } from '../../ledger/planned-posts/planned-posts.ts';
import type { RowState } from '../../ledger/states.ts';
import { UnreadableRecordError } from '../../ledger/stored-json.ts';
import type { ComparedPost } from './post-identity.ts';
import { type ContentAt, StoredPosts } from './stored-posts.ts';

/** A row of another campaign with the same post. */
export interface Repeat {
  /** Id of its campaign. */
  readonly campaign: string;
  readonly isDeleted: boolean;
  /** Key of the row; its line in the file if the campaign was deleted. */
  readonly row: string;
  readonly isSameTime: boolean;
  /** `unknown`: its campaign was deleted, or its data cannot be read, so that nobody can tell any more. */
  readonly state: Extract<RowState, 'posted' | 'waiting' | 'running' | 'review'> | 'unknown';
  /** When it was posted, in milliseconds since the epoch; undefined if that is not known. */
  readonly postedAt: number | undefined;
  /** Its own time, in milliseconds since the epoch; undefined if it has none, or its campaign was deleted. */
  readonly at: number | undefined;
}

interface Candidate extends FoundPost {
  /** Index of the post that it may repeat. */
  readonly index: number;
}

export class Repeats {
  readonly #ledger: Ledger;
  readonly #stored: StoredPosts;
  readonly #own: string | undefined;
  readonly account: string;

  /**
   * @param options.own id of the campaign that the rows belong to: they are no repeats of its rows.
   * @param options.contentAt identifies the bytes of a file of another campaign.
   */
  constructor(
    ledger: Ledger,
    options: { readonly account: string; readonly own: string | undefined; readonly contentAt: ContentAt },
  ) {
    this.#ledger = ledger;
    this.#own = options.own;
    this.account = options.account;
    this.#stored = new StoredPosts(ledger, options.contentAt);
  }

  /** @returns for each post a row that it repeats, if there is any: at the same time if there is one. */
  async find(posts: readonly ComparedPost[]): Promise<readonly (Repeat | undefined)[]> {
    // A sheet may have the same post a thousand times.
    const indexes = new Map<string, number>();
    const places = posts.map((post) => {
      const name = post.identity.toString('latin1');
      const index = indexes.get(name) ?? indexes.size;
      indexes.set(name, index);
      return index;
    });
    const distinct: ComparedPost[] = [];
    for (const [at, post] of posts.entries()) distinct[places[at] ?? 0] ??= post;
    const found = await this.#find(distinct);
    return places.map((index) => found[index]);
  }

  async #find(posts: readonly ComparedPost[]): Promise<readonly (Repeat | undefined)[]> {
    if (posts.length === 0) return [];
    const candidates = await this.#candidates(posts);
    const found: (Repeat | undefined)[] = posts.map(() => undefined);
    for (const [id, some] of Map.groupBy(candidates, ({ campaign }) => campaign)) {
      for (const [index, repeat] of await this.#compare(id, some, posts)) {
        if (isBetter(repeat, found[index])) found[index] = repeat;
      }
    }
    return found;
  }

  async #candidates(posts: readonly ComparedPost[]): Promise<readonly Candidate[]> {
    const found = await this.#ledger.posts.find(posts.map(({ identity }) => identity));
    return found
      .flatMap((some, index) => some.map((each) => ({ ...each, index })))
      .filter(({ campaign }) => campaign !== this.#own);
  }

  async #compare(
    id: string,
    candidates: readonly Candidate[],
    posts: readonly ComparedPost[],
  ): Promise<readonly (readonly [index: number, Repeat])[]> {
    const campaign = await this.#ledger.campaigns.find(id).catch(refuseOthers);
    if (campaign === 'unreadable') return [];
    return campaign === undefined
      ? this.#compareDeleted(id, candidates)
      : this.#compareRows(campaign, candidates, posts);
  }

  async #compareRows(
    campaign: Campaign,
    candidates: readonly Candidate[],
    posts: readonly ComparedPost[],
  ): Promise<readonly (readonly [index: number, Repeat])[]> {
    const { rows, publishing } = this.#ledger;
    const statuses = await rows.statusesOf(
      campaign.id,
      candidates.map(({ row }) => row),
    );
    const repeats: { index: number; row: number; repeat: Repeat }[] = [];
    const atSameTime = new Set<number>();
    for (const [at, { index, row, isSameTime: isAtSameTime }] of candidates.entries()) {
      if (atSameTime.has(index)) continue;
      const state = countedState(campaign, statuses[at]?.state);
      const post = posts[index];
      if (state === undefined || post === undefined) continue;
      const same = await this.#stored.compare(campaign, row, post);
      if (same === undefined) continue;
      const { key, at: time, isUnreadable } = same;
      const isSameTime = isUnreadable ? isAtSameTime : time === post.at;
      if (isSameTime) atSameTime.add(index);
      const facts = { campaign: campaign.id, isDeleted: false, postedAt: undefined };
      repeats.push({
        index,
        row,
        repeat: { ...facts, row: key, isSameTime, state: isUnreadable ? 'unknown' : state, at: time },
      });
    }
    const posted = repeats.filter(({ repeat }) => repeat.state === 'posted').map(({ row }) => row);
    const results = await publishing.postsOf(campaign.id, posted);
    return repeats.map(({ index, row, repeat }) => [index, { ...repeat, postedAt: results.get(row)?.at }]);
  }

  async #compareDeleted(
    campaign: string,
    candidates: readonly Candidate[],
  ): Promise<readonly (readonly [index: number, Repeat])[]> {
    const rows = candidates.map(({ row }) => row);
    const left = await this.#ledger.posts.deleted(campaign, rows);
    return candidates.flatMap(({ index, isSameTime }, at) => {
      const post = left[at];
      if (post === undefined) return [];
      const { line, postedAt } = post;
      const state = postedAt === undefined ? ('unknown' as const) : ('posted' as const);
      const facts = { campaign, isDeleted: true, row: String(line), isSameTime, state };
      return [[index, { ...facts, postedAt, at: undefined }]];
    });
  }
}

/** Undefined for a row that is not posted and will not be. */
function countedState(
  { cancelledAt }: Campaign,
  state: RowState | undefined,
): Exclude<Repeat['state'], 'unknown'> | undefined {
  if (state === 'posted' || state === 'running' || state === 'review') return state;
  return state === 'waiting' && cancelledAt === undefined ? state : undefined;
}

function isBetter(one: Repeat, other: Repeat | undefined): boolean {
  const rank = ({ isSameTime, state }: Repeat) => (isSameTime ? 2 : 0) + (state === 'posted' ? 1 : 0);
  return other === undefined || rank(one) > rank(other);
}

function refuseOthers(error: unknown): 'unreadable' {
  if (error instanceof UnreadableRecordError) return 'unreadable';
  throw error;
}
