/** Scheduled posts of all campaigns and drafts by day and creator, with collisions: posts of one creator that are too close. */
import { z } from 'zod';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { type Document, delivery, isoTime, isoTimeOf, rowState } from '../../runtime/documents.ts';
import { whyNotEditable } from '../rows/edit.ts';
import { type CalendarRuntime, type PlannedPost, type PostsQuery, readPosts } from './posts.ts';
import { addDays, type PlannedDraft, type Schedules } from './schedule.ts';

const place = { campaign: z.string(), key: z.string(), at: isoTime };

export const calendarSchema = z.strictObject({
  zone: z.string(),
  days: z.array(z.iso.date()),
  creators: z.array(
    z.strictObject({
      name: z.string(),
      /** In the order of their times. */
      posts: z.array(
        z.strictObject({
          ...place,
          day: z.iso.date(),
          state: rowState,
          delivery: delivery.nullable(),
          product: z.string(),
        }),
      ),
      /** Posts that are closer than the query allows. */
      collisions: z.array(
        z.strictObject({ first: z.strictObject(place), second: z.strictObject(place), apartMs: z.number() }),
      ),
      /** Failed rows within the days: they are not posted unless somebody retries them. */
      stopped: z.int(),
    }),
  ),
  campaigns: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** False if there are too many rows: some are missing. */
  isWhole: z.boolean(),
});

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
  readonly campaigns: readonly Campaign[];
  readonly drafts: readonly PlannedDraft[];
  /** False if there are too many rows: those of the oldest campaigns are missing, or the last ones of a draft. */
  readonly isWhole: boolean;
  /** Rows without a time that were not looked at: those that were posted within the days are missing. */
  readonly unlooked: number;
}

export interface CalendarQuery extends PostsQuery {
  /** Posts of one creator collide if they are closer than this, and one of them can still be moved. Milliseconds. */
  readonly tooCloseMs: number;
}

/** As `readPosts`. @throws {UseCaseError} `date_invalid`. */
export async function readCalendar(
  runtime: CalendarRuntime,
  schedules: Schedules,
  query: CalendarQuery,
): Promise<Calendar> {
  const { posts: all, ...found } = await readPosts(runtime, schedules, query, 'of the days');
  const failed = all.filter(({ state }) => state === 'failed');
  const posts = all.filter(({ state }) => state !== 'failed');
  const drafts = [...new Set(posts.flatMap((post) => (post.state === 'draft' ? [post.campaign] : [])))];
  return {
    days: Array.from({ length: query.days }, (_, index) => addDays(query.from, index).toString()),
    creators: plansOf(posts, failed, query.tooCloseMs),
    failed,
    drafts,
    ...found,
    isWhole: found.isWhole && drafts.every((draft) => draft.isWhole),
  };
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

/** Whether its time can still be changed here. */
function canMove({ state, campaign }: PlannedPost): boolean {
  return state === 'draft' || whyNotEditable(campaign, state) === undefined;
}

/** Those that a move can end. @param posts of one creator, in the order of their times. */
function collisionsOf(posts: readonly PlannedPost[], tooCloseMs: number): readonly Collision[] {
  return posts.slice(1).flatMap((second, index) => {
    const first = posts[index];
    const apartMs = first === undefined ? Number.POSITIVE_INFINITY : second.at - first.at;
    const collide = first !== undefined && apartMs < tooCloseMs && (canMove(first) || canMove(second));
    return collide ? [{ first, second, apartMs }] : [];
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

const mostPosts = 20_000;

function placeOf({ campaign, key, at }: PlannedPost) {
  return { campaign: campaign.id, key, at: isoTimeOf(at) };
}
