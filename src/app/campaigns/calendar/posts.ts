/** Posts with a time, of all campaigns and drafts: those of some days, and the nearest ones. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../../ledger/keys.ts';
import { type Delivery, deliveryOf } from '../../../ledger/rows/results.ts';
import type { RowState } from '../../../ledger/states.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { deliveryRules } from '../post-status.ts';
import {
  type DaysQuery,
  type PlannedDraft,
  type ScheduledRow,
  type Schedules,
  ZonesOfPosts,
} from './schedule.ts';

export type PlannedPost = CampaignPost | DraftPost;

export interface CampaignPost extends PlacedPost {
  readonly campaign: Campaign;
  readonly state: RowState;
  readonly revision: number;
  /** Of an accepted post. */
  readonly delivery: Delivery | undefined;
}

export interface DraftPost extends PlacedPost {
  readonly campaign: PlannedDraft;
  readonly state: 'draft';
  readonly delivery: undefined;
  readonly caption: string;
}

interface PlacedPost extends ScheduledRow {
  /** Its time; of a post without one, when it was posted. Unix epoch, milliseconds. */
  readonly at: number;
  /** Whether it had no time: it was sent in its turn. */
  readonly isAtOnce: boolean;
  /** Username; if the import did not keep it, the creator as written in the sheet. */
  readonly name: string;
  /** Region of the creator, as the service gave it at the import. */
  readonly region: string | undefined;
  /** IANA zone of its day and time. */
  readonly zone: string;
  /** Index of its day in `Calendar.days`. */
  readonly day: number;
}

export interface PostsQuery extends DaysQuery {
  /** Id of a campaign, or of a draft. */
  readonly campaign?: string | undefined;
  /** Username, or as written in the sheet. */
  readonly creator?: string | undefined;
  /** Whose posts are shown beside those of the campaigns. */
  readonly drafts?: readonly PlannedDraft[] | undefined;
  /** Most rows without a time to look at. */
  readonly mostUntimed?: number | undefined;
}

/** Most rows to read for one page: about a second of work, and only once, because their times are cached. */
const mostRows = 100_000;
/** Most rows without a time to look at for one page: what became of them is not cached, and read anew each time. */
const mostUntimed = 20_000;

/** How many rows without a time may still be looked at, and how many were not. */
interface Untimed {
  left: number;
  unlooked: number;
}

export type CalendarRuntime = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

/** At most `mostRows`, the newest campaigns first. @returns also campaigns of any creator; whether none was left out. */
export async function readPosts(
  runtime: CalendarRuntime,
  schedules: Schedules,
  query: PostsQuery,
  which: 'of the days' | 'all',
) {
  const zones = new ZonesOfPosts(query);
  const posts: PlannedPost[] = [];
  const campaigns: Campaign[] = [];
  const untimed: Untimed = { left: query.mostUntimed ?? mostUntimed, unlooked: 0 };
  let looked = 0;
  let isWhole = true;
  for (const campaign of await runtime.ledger.campaigns.list()) {
    if (query.campaign !== undefined && campaign.id !== query.campaign) continue;
    if (looked + campaign.rows > mostRows && looked > 0) {
      isWhole = false;
      break;
    }
    looked += campaign.rows;
    isWhole &&= campaign.rows <= mostRows;
    const found = await postsOf(runtime, schedules, campaign, { zones, query, which, untimed });
    if (found.length > 0) campaigns.push(campaign);
    for (const post of found) if (isOf(post, query.creator)) posts.push(post);
  }
  for (const post of draftPosts(query, zones)) {
    if (which === 'all' || isWithin(zones, post, post.at)) posts.push(post);
  }
  return { posts, campaigns, isWhole, unlooked: untimed.unlooked };
}

/** Finds the planned posts that are nearest to the days of a query, among those of `readPosts`. @throws {UseCaseError} `date_invalid`. */
export async function nearestPosts(runtime: CalendarRuntime, schedules: Schedules, query: PostsQuery) {
  const zones = new ZonesOfPosts(query);
  const { posts } = await readPosts(runtime, schedules, query, 'all');
  let before: PlannedPost | undefined;
  let after: PlannedPost | undefined;
  for (const post of posts) {
    const { begin, end } = zones.spanOf(post.zone);
    if (post.at < begin && post.at >= (before?.at ?? 0)) before = post;
    if (post.at >= end && post.at <= (after?.at ?? Number.MAX_SAFE_INTEGER)) after = post;
  }
  return { before, after };
}

function draftPosts(
  { drafts = [], campaign: only, creator }: PostsQuery,
  zones: ZonesOfPosts,
): readonly DraftPost[] {
  return drafts
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((campaign) =>
      campaign.posts.map((row): DraftPost => {
        const zone = zones.zoneOf(row);
        const day = zones.dayOf(row.at, zone);
        return { ...row, isAtOnce: false, campaign, state: 'draft', delivery: undefined, zone, day };
      }),
    )
    .filter((post) => isOf(post, creator));
}

/** How far the day of a zone may begin from that of another. */
const longestOffsetMs = 26 * 3_600_000;

/** @param creator undefined for all. */
function isOf({ name, creator: written }: PlannedPost, creator: string | undefined): boolean {
  return creator === undefined || [name, written].includes(creatorIn(creator));
}

/** Whether a time is within the days, in the zone of its row. */
function isWithin(zones: ZonesOfPosts, row: ScheduledRow, at: number): boolean {
  const { begin, end } = zones.spanOf(zones.zoneOf(row));
  return at >= begin && at < end;
}

async function postsOf(
  runtime: CalendarRuntime,
  schedules: Schedules,
  campaign: Campaign,
  reading: {
    readonly zones: ZonesOfPosts;
    readonly query: DaysQuery;
    readonly which: 'of the days' | 'all';
    readonly untimed: Untimed;
  },
): Promise<readonly CampaignPost[]> {
  const { zones, query, which, untimed } = reading;
  // Its rows without a time may have been posted within the days.
  const { begin, end } = zones.spanOf(query.zone);
  const mayPost =
    campaign.counts.posted > 0 &&
    campaign.createdAt < end + longestOffsetMs &&
    (campaign.endedAt ?? end) > begin - longestOffsetMs;
  const { ledger } = runtime;
  const rules = deliveryRules(runtime);
  const posts: CampaignPost[] = [];
  // Read only for campaigns with rows in these days.
  let creators: Awaited<ReturnType<typeof ledger.campaigns.creators>> | undefined;
  const most = Math.min(campaign.rows, mostRows);
  for (let chunk = 0; chunk * chunkSize < most; chunk += 1) {
    // An update may have added rows since this campaign was read.
    const all = await schedules.ofChunk(campaign, chunk);
    const rows = all.filter((row) => {
      if (row.position >= campaign.rows) return false;
      if (row.at !== undefined) return which === 'all' || isWithin(zones, row, row.at);
      if (!mayPost) return false;
      const isLooked = untimed.left > 0;
      if (isLooked) untimed.left -= 1;
      else untimed.unlooked += 1;
      return isLooked;
    });
    if (rows.length === 0) continue;
    creators ??= await ledger.campaigns.creators(campaign.id);
    const positions = rows.map(({ position }) => position);
    const outcomes = await ledger.rows.outcomesOf(campaign.id, positions);
    for (const [index, row] of rows.entries()) {
      const { state = 'cancelled', revision = 0, result } = outcomes[index] ?? {};
      const at = row.at ?? (state === 'posted' ? result?.at : undefined);
      if (at === undefined || (row.at === undefined && which !== 'all' && !isWithin(zones, row, at)))
        continue;
      const isGone =
        state === 'cancelled' ||
        ((state === 'waiting' || state === 'ready') && campaign.cancelledAt !== undefined);
      if (isGone) continue;
      const { username: name = row.creator, oauthRegion: region } = creators.get(row.creator) ?? {};
      const zone = zones.zoneOf(row);
      const delivery = state === 'posted' && result ? deliveryOf(result, rules) : undefined;
      const day = zones.dayOf(at, zone);
      const isAtOnce = row.at === undefined;
      posts.push({ ...row, at, isAtOnce, campaign, state, revision, delivery, name, region, zone, day });
    }
  }
  return posts;
}
