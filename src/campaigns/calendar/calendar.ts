/** Scheduled posts of all campaigns by day and creator, and those of one creator that are too close. */
import { Temporal } from 'temporal-polyfill';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { RowState } from '../../ledger/states.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { ScheduledRow, Schedules } from './schedule.ts';

export interface PlannedPost extends ScheduledRow {
  readonly campaign: Campaign;
  readonly state: RowState;
  /** Username; as written in the sheet if the import did not keep it. */
  readonly name: string;
  /** Region of the creator, as the service said it at the import. */
  readonly region: string | undefined;
  /** Index of its day. */
  readonly day: number;
}

/** Two posts of one creator, one after the other. */
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
  /** Campaigns with rows in these days. */
  readonly campaigns: readonly Campaign[];
  /** False if there are too many rows: those of the oldest campaigns are missing. */
  readonly isWhole: boolean;
}

export interface CalendarQuery {
  /** First day, as an ISO date. */
  readonly from: string;
  readonly days: number;
  /** IANA zone that tells which day a time is on. */
  readonly zone: string;
  /** Posts of a creator that are less apart than this collide. Milliseconds. */
  readonly tooCloseMs: number;
  readonly campaign?: string | undefined;
  /** Username, or as written in the sheet. */
  readonly creator?: string | undefined;
}

/** Rows that one page looks at. About a second of work, once: their times are kept. */
const mostRows = 100_000;
const dayMs = 86_400_000;

/** @param schedules one for the process. @throws {UseCaseError} `date_invalid`. */
export async function readCalendar(
  { ledger }: Pick<Runtime, 'ledger'>,
  schedules: Schedules,
  query: CalendarQuery,
): Promise<Calendar> {
  const edges = edgesOf(query);
  const posts: PlannedPost[] = [];
  const stopped = new Map<string, number>();
  const found: Campaign[] = [];
  let looked = 0;
  let isWhole = true;
  for (const campaign of await ledger.campaigns.list()) {
    if (query.campaign !== undefined && campaign.id !== query.campaign) continue;
    if (looked + campaign.rows > mostRows && looked > 0) {
      isWhole = false;
      break;
    }
    looked += campaign.rows;
    const rows = await postsOf(ledger, schedules, campaign, edges);
    if (rows.length > 0) found.push(campaign);
    for (const post of rows) {
      if (!isOf(post, query.creator)) continue;
      if (post.state === 'failed') stopped.set(post.name, (stopped.get(post.name) ?? 0) + 1);
      else posts.push(post);
    }
  }
  const days = edges.slice(0, -1).map((_edge, index) => addDays(query.from, index).toString());
  return { days, creators: plansOf(posts, stopped, query.tooCloseMs), campaigns: found, isWhole };
}

/** Times of planned posts around some days. Unix epoch, milliseconds. */
export interface Nearest {
  /** The last one before. */
  readonly before: number | undefined;
  /** The first one after. */
  readonly after: number | undefined;
}

/**
 * Finds the planned posts that are nearest to the days of a query. Looks at a bounded number of rows, like `readCalendar`.
 * @throws {UseCaseError} `date_invalid`.
 */
export async function nearestPosts(
  { ledger }: Pick<Runtime, 'ledger'>,
  schedules: Schedules,
  query: Omit<CalendarQuery, 'tooCloseMs'>,
): Promise<Nearest> {
  const edges = edgesOf(query);
  const [begin = 0, end = 0] = [edges[0], edges.at(-1)];
  let before: number | undefined;
  let after: number | undefined;
  let looked = 0;
  for (const campaign of await ledger.campaigns.list()) {
    if (query.campaign !== undefined && campaign.id !== query.campaign) continue;
    if (looked + campaign.rows > mostRows && looked > 0) break;
    looked += campaign.rows;
    for (const post of await postsOf(ledger, schedules, campaign, [0, Number.MAX_SAFE_INTEGER])) {
      if (!isOf(post, query.creator)) continue;
      if (post.at < begin) before = Math.max(before ?? 0, post.at);
      if (post.at >= end) after = Math.min(after ?? Number.MAX_SAFE_INTEGER, post.at);
    }
  }
  return { before, after };
}

/** @param creator undefined for all. */
function isOf({ name, creator: written }: PlannedPost, creator: string | undefined): boolean {
  return creator === undefined || name === creator || written === creator;
}

/** Begin of each day, and the end of the last one: Unix epoch, milliseconds. */
function edgesOf({ from, days, zone }: Pick<CalendarQuery, 'from' | 'days' | 'zone'>): readonly number[] {
  return Array.from(
    { length: days + 1 },
    (_, index) => addDays(from, index).toZonedDateTime(zone).epochMilliseconds,
  );
}

/** @throws {UseCaseError} `date_invalid`. */
export function addDays(date: string, days: number): Temporal.PlainDate {
  try {
    // Others, such as +275760-09-13, are dates that no time zone reaches.
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new RangeError('not of four digits, two and two');
    return Temporal.PlainDate.from(date).add({ days });
  } catch (cause) {
    throw new UseCaseError('date_invalid', `"${date.slice(0, 40)}" is not a date`, {
      cure: 'Write it as 2027-03-08.',
      cause,
    });
  }
}

async function postsOf(
  ledger: Runtime['ledger'],
  schedules: Schedules,
  campaign: Campaign,
  edges: readonly number[],
): Promise<readonly PlannedPost[]> {
  const [begin = 0, end = 0] = [edges[0], edges.at(-1)];
  const posts: PlannedPost[] = [];
  // Of campaigns with rows in these days only.
  let creators: Awaited<ReturnType<typeof ledger.campaigns.creators>> | undefined;
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk += 1) {
    // A merge may have stored more rows than this campaign, read before it, tells.
    const all = await schedules.ofChunk(campaign, chunk);
    const rows = all.filter(({ at, position }) => at >= begin && at < end && position < campaign.rows);
    if (rows.length === 0) continue;
    creators ??= await ledger.campaigns.creators(campaign.id);
    const statuses = await ledger.rows.statuses(campaign.id, chunk * chunkSize, chunkSize);
    for (const row of rows) {
      const state = statuses[row.position % chunkSize]?.state ?? 'cancelled';
      const isGone = state === 'cancelled' || (state === 'waiting' && campaign.cancelledAt !== undefined);
      if (isGone) continue;
      const { username: name = row.creator, oauthRegion: region } = creators.get(row.creator) ?? {};
      posts.push({ ...row, campaign, state, name, region, day: dayOf(row.at, edges) });
    }
  }
  return posts;
}

function dayOf(at: number, edges: readonly number[]): number {
  // A day with a change of clocks is an hour longer or shorter.
  let day = Math.min(edges.length - 2, Math.max(0, Math.floor((at - (edges[0] ?? 0)) / dayMs)));
  while (day > 0 && at < (edges[day] ?? 0)) day -= 1;
  while (day < edges.length - 2 && at >= (edges[day + 1] ?? 0)) day += 1;
  return day;
}

function plansOf(
  posts: readonly PlannedPost[],
  stopped: ReadonlyMap<string, number>,
  tooCloseMs: number,
): readonly CreatorPlan[] {
  const byName = Map.groupBy(posts, ({ name }) => name);
  const names = [...new Set([...byName.keys(), ...stopped.keys()])].sort((one, other) =>
    one.localeCompare(other),
  );
  return names.map((name) => {
    const sorted = (byName.get(name) ?? []).sort((one, other) => one.at - other.at);
    return {
      name,
      posts: sorted,
      collisions: collisionsOf(sorted, tooCloseMs),
      stopped: stopped.get(name) ?? 0,
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
