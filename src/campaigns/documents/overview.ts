/** Over all campaigns: what waits for a person, scheduled posts by creator; and the throughput of a campaign. */
import { z } from 'zod';
import { type Document, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Calendar, PlannedPost } from '../calendar/calendar.ts';
import type { Waiting } from '../list.ts';
import type { Throughput } from '../progress/throughput.ts';
import { rowState } from './campaign.ts';

const campaign = { id: z.string(), name: z.string() };

export const waitingSchema = z.strictObject({
  inReview: z.array(z.strictObject({ ...campaign, rows: z.int() })),
  /** Rows that stopped because their creator must authorize again. Creators are as in the sheet: the first few. */
  stopped: z.array(z.strictObject({ ...campaign, creators: z.array(z.string()), rows: z.int() })),
  /** Campaigns at their canary first. */
  paused: z.array(z.strictObject({ ...campaign, code: z.string(), message: z.string() })),
});

export const throughputSchema = z.strictObject({
  /** Start of each interval. */
  times: z.array(z.iso.datetime()),
  /** Average number of rows posted per minute in each interval. */
  perMinute: z.array(z.number()),
  /** Length of an interval, in minutes. */
  partMinutes: z.int(),
  /** Rate limit for posts, per minute. */
  rateLimit: z.number(),
  /** Times in which something held the campaign: a pause, answers of 429, or no answers. `to` is null while it lasts. */
  held: z.array(
    z.strictObject({
      from: z.iso.datetime(),
      to: z.iso.datetime().nullable(),
      why: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('paused'), code: z.string() }),
        z.strictObject({ kind: z.literal('throttled'), operation: z.string() }),
        z.strictObject({ kind: z.literal('silent') }),
      ]),
    }),
  ),
});

export function waitingDocument({ inReview, stopped, paused }: Waiting): Document<typeof waitingSchema> {
  return {
    inReview: inReview.map(({ id, name, counts }) => ({ id, name, rows: counts.review })),
    stopped: stopped.map(({ campaign: { id, name }, creators, rows }) => ({ id, name, creators, rows })),
    paused: paused.map(({ id, name, pauseReason }) => ({
      id,
      name,
      code: pauseReason?.code ?? 'paused',
      message: pauseReason?.message ?? '',
    })),
  };
}

export function throughputDocument({ times, held, ...rest }: Throughput): Document<typeof throughputSchema> {
  return {
    ...rest,
    times: times.map((seconds) => isoTimeOf(seconds * 1000)),
    held: held.map(({ from, to, why }) => ({
      from: isoTimeOf(from),
      to: isoTimeOrNull(to),
      why,
    })),
  };
}

const place = {
  /** Id of the campaign. */
  campaign: z.string(),
  key: z.string(),
  at: z.iso.datetime(),
};

export const calendarSchema = z.strictObject({
  /** Zone of the days. */
  zone: z.string(),
  /** ISO dates. */
  days: z.array(z.iso.date()),
  creators: z.array(
    z.strictObject({
      name: z.string(),
      /** In the order of their times. */
      posts: z.array(z.strictObject({ ...place, day: z.iso.date(), state: rowState, product: z.string() })),
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

/** Most posts in one answer. */
const mostPosts = 20_000;

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
      posts: some.map((post) => ({
        ...placeOf(post),
        day: days[post.day] ?? '',
        state: post.state,
        product: post.product,
      })),
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

function placeOf({ campaign, key, at }: PlannedPost) {
  return { campaign: campaign.id, key, at: isoTimeOf(at) };
}
