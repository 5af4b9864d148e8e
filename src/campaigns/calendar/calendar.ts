/** Scheduled posts of all campaigns and drafts by day and creator, with collisions: posts of one creator that are too close. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { type Delivery, deliveryOf } from '../../ledger/rows/deliveries.ts';
import type { RowState } from '../../ledger/states.ts';
import { type Document, isoTimeOf } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { deliveryRules } from '../deliveries.ts';
import type { calendarSchema } from '../documents/overview.ts';
import {
  addDays,
  type DaysQuery,
  type PlannedDraft,
  type ScheduledRow,
  type Schedules,
  ZonesOfPosts,
} from './schedule.ts';

/** A post of a campaign, or of a draft that may become one. */
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
  /** Username; if the import did not keep it, the creator as written in the sheet. */
  readonly name: string;
  /** Region of the creator, as the service gave it at the import. */
  readonly region: string | undefined;
  /** IANA zone of its day and time. */
  readonly zone: string;
  /** Index of its day in `Calendar.days`. */
  readonly day: number;
}

/** Two consecutive posts of one creator that are too close. */
export interface Collision {
  readonly first: PlannedPost;
  readonly second: PlannedPost;
  readonly apartMs: number;
}

export interface CreatorPlan {
  readonly name: string;
  /** In the order of their times. */
  readonly posts: readonly PlannedPost[];
  readonly collisions: readonly Collision[];
  /** Failed rows within the days: they are not posted unless somebody retries them. */
  readonly stopped: number;
}

export interface Calendar {
  /** ISO dates of the days, in order. */
  readonly days: readonly string[];
  /** By name. */
  readonly creators: readonly CreatorPlan[];
  /** Failed rows within the days. */
  readonly failed: readonly PlannedPost[];
  /** Campaigns with rows in these days. */
  readonly campaigns: readonly Campaign[];
  /** Drafts with rows in these days. */
  readonly drafts: readonly PlannedDraft[];
  /** False if there are too many rows: those of the oldest campaigns are missing, or the last ones of a campaign or draft. */
  readonly isWhole: boolean;
  /** Rows without a time that were not looked at: those that were posted within the days are missing. */
  readonly unlooked: number;
}

export interface CalendarQuery extends DaysQuery {
  /** Posts of one creator collide if they are closer than this. Milliseconds. */
  readonly tooCloseMs: number;
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

type CalendarRuntime = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

/**
 * Reads at most `mostRows` rows, the newest campaigns first. @param schedules shared by the process.
 * @throws {UseCaseError} `date_invalid`.
 */
export async function readCalendar(
  runtime: CalendarRuntime,
  schedules: Schedules,
  query: CalendarQuery,
): Promise<Calendar> {
  const zones = new ZonesOfPosts(query);
  const posts: PlannedPost[] = [];
  const failed: PlannedPost[] = [];
  const found: Campaign[] = [];
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
    const rows = await postsOf(runtime, schedules, campaign, { zones, query, untimed });
    if (rows.length > 0) found.push(campaign);
    for (const post of rows) {
      if (!isOf(post, query.creator)) continue;
      (post.state === 'failed' ? failed : posts).push(post);
    }
  }
  const drafted = draftPosts(query, zones).filter(({ at, zone }) => {
    const { begin, end } = zones.spanOf(zone);
    return at >= begin && at < end;
  });
  posts.push(...drafted);
  const drafts = [...new Set(drafted.map(({ campaign }) => campaign))];
  isWhole &&= drafts.every((draft) => draft.isWhole);
  const days = Array.from({ length: query.days }, (_, index) => addDays(query.from, index).toString());
  return {
    days,
    creators: plansOf(posts, failed, query.tooCloseMs),
    failed,
    campaigns: found,
    drafts,
    isWhole,
    unlooked: untimed.unlooked,
  };
}

/** The planned posts closest to the days of a query. */
export interface Nearest {
  /** The last post before the days. */
  readonly before: PlannedPost | undefined;
  /** The first post after the days. */
  readonly after: PlannedPost | undefined;
}

/**
 * Finds the planned posts that are nearest to the days of a query. Looks at a bounded number of rows, like `readCalendar`.
 * @throws {UseCaseError} `date_invalid`.
 */
export async function nearestPosts(
  runtime: CalendarRuntime,
  schedules: Schedules,
  query: Omit<CalendarQuery, 'tooCloseMs'>,
): Promise<Nearest> {
  const zones = new ZonesOfPosts(query);
  let before: PlannedPost | undefined;
  let after: PlannedPost | undefined;
  const untimed: Untimed = { left: mostUntimed, unlooked: 0 };
  let looked = 0;
  const compare = (post: PlannedPost) => {
    const { begin, end } = zones.spanOf(post.zone);
    if (post.at < begin && post.at >= (before?.at ?? 0)) before = post;
    if (post.at >= end && post.at <= (after?.at ?? Number.MAX_SAFE_INTEGER)) after = post;
  };
  for (const campaign of await runtime.ledger.campaigns.list()) {
    if (query.campaign !== undefined && campaign.id !== query.campaign) continue;
    if (looked + campaign.rows > mostRows && looked > 0) break;
    looked += campaign.rows;
    const posts = await postsOf(runtime, schedules, campaign, { zones, query, untimed }, 'all');
    posts.filter((post) => isOf(post, query.creator)).forEach(compare);
  }
  draftPosts(query, zones).forEach(compare);
  return { before, after };
}

function draftPosts(
  { drafts = [], campaign: only, creator }: Pick<CalendarQuery, 'drafts' | 'campaign' | 'creator'>,
  zones: ZonesOfPosts,
): readonly DraftPost[] {
  return drafts
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((campaign) =>
      campaign.posts.map((row): DraftPost => {
        const zone = zones.zoneOf(row);
        const day = zones.dayOf(row.at, zone);
        return { ...row, campaign, state: 'draft', delivery: undefined, zone, day };
      }),
    )
    .filter((post) => isOf(post, creator));
}

/** How far the day of a zone may begin from that of another. */
const longestOffsetMs = 26 * 3_600_000;

/** @param creator undefined for all. */
function isOf({ name, creator: written }: PlannedPost, creator: string | undefined): boolean {
  return creator === undefined || name === creator || written === creator;
}

async function postsOf(
  runtime: CalendarRuntime,
  schedules: Schedules,
  campaign: Campaign,
  {
    zones,
    query,
    untimed,
  }: { readonly zones: ZonesOfPosts; readonly query: DaysQuery; readonly untimed: Untimed },
  which: 'of the days' | 'all' = 'of the days',
): Promise<readonly CampaignPost[]> {
  const isWithin = (row: ScheduledRow, at: number) => {
    const { begin, end } = zones.spanOf(zones.zoneOf(row));
    return at >= begin && at < end;
  };
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
    // A merge may have added rows since this campaign was read.
    const all = await schedules.ofChunk(campaign, chunk);
    const rows = all.filter((row) => {
      if (row.position >= campaign.rows) return false;
      if (row.at !== undefined) return which === 'all' || isWithin(row, row.at);
      if (!mayPost) return false;
      const isLooked = untimed.left > 0;
      if (isLooked) untimed.left -= 1;
      else untimed.unlooked += 1;
      return isLooked;
    });
    if (rows.length === 0) continue;
    creators ??= await ledger.campaigns.creators(campaign.id);
    const outcomes = await ledger.rows.outcomesOf(
      campaign.id,
      rows.map(({ position }) => position),
    );
    for (const [index, row] of rows.entries()) {
      const { state = 'cancelled', revision = 0, result } = outcomes[index] ?? {};
      const at = row.at ?? (state === 'posted' ? result?.at : undefined);
      if (at === undefined || (row.at === undefined && which !== 'all' && !isWithin(row, at))) continue;
      const isGone = state === 'cancelled' || (state === 'waiting' && campaign.cancelledAt !== undefined);
      if (isGone) continue;
      const { username: name = row.creator, oauthRegion: region } = creators.get(row.creator) ?? {};
      const zone = zones.zoneOf(row);
      const delivery = state === 'posted' && result ? deliveryOf(result, rules) : undefined;
      const day = zones.dayOf(at, zone);
      posts.push({ ...row, at, campaign, state, revision, delivery, name, region, zone, day });
    }
  }
  return posts;
}

function plansOf(
  posts: readonly PlannedPost[],
  failed: readonly PlannedPost[],
  tooCloseMs: number,
): readonly CreatorPlan[] {
  const byName = Map.groupBy(posts, ({ name }) => name);
  const stopped = Map.groupBy(failed, ({ name }) => name);
  const names = [...new Set([...byName.keys(), ...stopped.keys()])].sort((one, other) =>
    one.localeCompare(other),
  );
  return names.map((name) => {
    const sorted = (byName.get(name) ?? []).sort((one, other) => one.at - other.at);
    return {
      name,
      posts: sorted,
      collisions: collisionsOf(sorted, tooCloseMs),
      stopped: stopped.get(name)?.length ?? 0,
    };
  });
}

/** @param posts of one creator, in the order of their times. */
function collisionsOf(posts: readonly PlannedPost[], tooCloseMs: number): readonly Collision[] {
  return posts.slice(1).flatMap((second, index) => {
    const first = posts[index];
    const apartMs = first === undefined ? Number.POSITIVE_INFINITY : second.at - first.at;
    return first !== undefined && apartMs < tooCloseMs ? [{ first, second, apartMs }] : [];
  });
}

/** @param calendar without drafts: programs ask for those by themselves. */
export function calendarDocument(
  { days, creators, campaigns, isWhole }: Calendar,
  zone: string,
): Document<typeof calendarSchema> {
  let left = mostPosts;
  const shown = creators.map(({ name, posts, collisions, stopped }) => {
    const some = posts.slice(0, left);
    left -= some.length;
    return {
      name,
      stopped,
      posts: some.flatMap((post) =>
        post.state === 'draft'
          ? []
          : [
              {
                ...placeOf(post),
                day: days[post.day] ?? '',
                state: post.state,
                delivery: post.delivery ?? null,
                product: post.product,
              },
            ],
      ),
      collisions: collisions.slice(0, some.length).map(({ first, second, apartMs }) => ({
        first: placeOf(first),
        second: placeOf(second),
        apartMs,
      })),
    };
  });
  return {
    zone,
    days,
    creators: shown,
    campaigns: campaigns.map(({ id, name }) => ({ id, name })),
    isWhole: isWhole && creators.reduce((sum, { posts }) => sum + posts.length, 0) <= mostPosts,
  };
}

/** Most posts in one answer. */
const mostPosts = 20_000;

function placeOf({ campaign, key, at }: PlannedPost) {
  return { campaign: campaign.id, key, at: isoTimeOf(at) };
}
