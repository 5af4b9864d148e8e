/** Scheduled posts of all campaigns, by creator. */
import { z } from 'zod';
import { type Document, isoTimeOf } from '../../runtime/documents.ts';
import type { Calendar, PlannedPost } from '../calendar/calendar.ts';
import { rowState } from './campaign.ts';

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
