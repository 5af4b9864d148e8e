/**
 * Finds campaign rows with the same post as a row of a sheet that are posted or will be. The index of planned posts gives the candidates;
 * each is compared in its current state, because a row may have changed, failed or been deleted since.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PostMatch } from '../../ledger/planned-posts.ts';
import { type Delivery, type DeliveryRules, deliveryOf } from '../../ledger/rows/results.ts';
import type { RowState } from '../../ledger/states.ts';
import type { ComparedPost } from './post-identity.ts';
import { type ContentAt, StoredPosts } from './stored-posts.ts';

/** A row of a campaign with the same post. */
export interface Repeat {
  readonly campaign: string;
  /** Whether it is another row of the campaign that the compared row belongs to. */
  readonly isOwn: boolean;
  /** Key of the row. */
  readonly row: string;
  /** `line 5`, of a row without a key of its own: people do not know the number that it got. */
  readonly place?: string | undefined;
  readonly isSameTime: boolean;
  readonly state: RowState;
  /** Of a posted row: what is known of its post, and its day, in milliseconds since the epoch: the planned one if it has one. */
  readonly post?: { readonly delivery: Delivery; readonly at: number } | undefined;
  /** Its own time, in milliseconds since the epoch; undefined if it has none. */
  readonly at: number | undefined;
}

/** The campaign that the compared rows belong to. */
export interface OwnCampaign {
  readonly id: string;
  /** Position of the row with this key, from 0; undefined for a new one. */
  readonly rowOf?: (key: string) => number | undefined;
  /**
   * Whether one of its rows counts as a repeat of the row with this key. Default: none does.
   * @param other the campaign's row: its position, from 0.
   */
  readonly counts?: (key: string, other: RowOfOwn) => boolean;
}

/** A row of the campaign that the compared row belongs to, with the same post. */
export interface RowOfOwn {
  /** Position in the campaign, from 0. */
  readonly row: number;
  readonly state: RowState;
  readonly isSameTime: boolean;
  /** Whether both had the same post already, perhaps at other times. */
  readonly wasSame: boolean;
}

interface Candidate extends PostMatch {
  /** Index of the post that it may repeat. */
  readonly index: number;
}

export class Repeats {
  readonly #ledger: Ledger;
  readonly #stored: StoredPosts;
  readonly #own: OwnCampaign | undefined;
  readonly #deliveryRules: () => DeliveryRules;

  /**
   * @param options.contentAt identifies the bytes of a file of another campaign.
   */
  constructor(
    ledger: Ledger,
    options: {
      readonly own: OwnCampaign | undefined;
      readonly contentAt: ContentAt;
      readonly deliveryRules: () => DeliveryRules;
    },
  ) {
    this.#ledger = ledger;
    this.#own = options.own;
    this.#deliveryRules = options.deliveryRules;
    this.#stored = new StoredPosts(ledger, options.contentAt);
  }

  /** @returns for each post a row that it repeats, if there is any: at the same time if there is one. */
  async find(posts: readonly ComparedPost[]): Promise<readonly (Repeat | undefined)[]> {
    // A sheet may have the same post a thousand times.
    const indexes = new Map<string, number>();
    const places = posts.map((post) => {
      const identity = post.identity.toString('latin1');
      // Which rows of its own campaign count depends on the row.
      const name = this.#own?.counts === undefined ? identity : `${identity}${post.key}`;
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
    for (const [id, ofCampaign] of Map.groupBy(candidates, ({ campaign }) => campaign)) {
      const campaign = await this.#ledger.campaigns.find(id);
      // Posts of a deleted campaign are no longer recognized.
      if (campaign === undefined) continue;
      for (const [index, repeat] of await this.#compare(campaign, ofCampaign, posts)) {
        if (isBetter(repeat, found[index])) found[index] = repeat;
      }
    }
    return found;
  }

  async #candidates(posts: readonly ComparedPost[]): Promise<readonly Candidate[]> {
    const found = await this.#ledger.posts.find(posts.map(({ identity }) => identity));
    return found
      .flatMap((some, index) => some.map((each) => ({ ...each, index })))
      .filter(({ campaign }) => campaign !== this.#own?.id || this.#own.counts !== undefined);
  }

  async #compare(
    campaign: Campaign,
    candidates: readonly Candidate[],
    posts: readonly ComparedPost[],
  ): Promise<readonly (readonly [index: number, Repeat])[]> {
    const { rows } = this.#ledger;
    const isOwn = campaign.id === this.#own?.id;
    const statuses = await rows.statusesOf(
      campaign.id,
      candidates.map(({ row }) => row),
    );
    const wasSame = isOwn ? await this.#unchanged(campaign, candidates, posts) : new Set<number>();
    const repeats: { index: number; row: number; repeat: Repeat }[] = [];
    const atSameTime = new Set<number>();
    for (const [at, { index, row }] of candidates.entries()) {
      if (atSameTime.has(index)) continue;
      const found = statuses[at]?.state;
      // A failed row of the same campaign is sent again with the next update or retry.
      const state = isOwn ? found : countedState(campaign, found);
      const post = posts[index];
      if (state === undefined || post === undefined) continue;
      const same = await this.#stored.compare(campaign, row, post);
      if (same === undefined) continue;
      const { key, place, at: time } = same;
      const isSameTime = time === post.at;
      const other = { row, state, isSameTime, wasSame: wasSame.has(index) };
      if (isOwn && !this.#own?.counts?.(post.key, other)) continue;
      if (isSameTime) atSameTime.add(index);
      const facts = { campaign: campaign.id, isOwn };
      repeats.push({ index, row, repeat: { ...facts, row: key, place, isSameTime, state, at: time } });
    }
    const posted = repeats.filter(({ repeat }) => repeat.state === 'posted').map(({ row }) => row);
    const results = await rows.postsOf(campaign.id, posted);
    const rules = this.#deliveryRules();
    return repeats.map(({ index, row, repeat }) => {
      const result = results.get(row);
      if (result === undefined) return [index, repeat];
      const post = { delivery: deliveryOf(result, rules), at: result.plannedAt ?? result.at };
      return [index, { ...repeat, post }];
    });
  }

  /** @returns indexes of the posts whose own rows are the same post, perhaps at another time. */
  async #unchanged(
    campaign: Campaign,
    candidates: readonly Candidate[],
    posts: readonly ComparedPost[],
  ): Promise<ReadonlySet<number>> {
    const unchanged = new Set<number>();
    for (const { index, row } of candidates) {
      const post = posts[index];
      if (post === undefined || this.#own?.rowOf?.(post.key) !== row) continue;
      if ((await this.#stored.compare(campaign, row, post)) !== undefined) unchanged.add(index);
    }
    return unchanged;
  }
}

/** Undefined for a row that is not posted and will not be. */
function countedState({ cancelledAt }: Campaign, state: RowState | undefined): Repeat['state'] | undefined {
  if (state === 'posted' || state === 'running' || state === 'review') return state;
  return (state === 'waiting' || state === 'ready') && cancelledAt === undefined ? state : undefined;
}

function isBetter(one: Repeat, other: Repeat | undefined): boolean {
  const rank = ({ isSameTime, state }: Repeat) => (isSameTime ? 2 : 0) + (state === 'posted' ? 1 : 0);
  return other === undefined || rank(one) > rank(other);
}
