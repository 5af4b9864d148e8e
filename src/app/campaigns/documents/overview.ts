/** Over all campaigns: what waits for a person, scheduled posts by creator; and the throughput of a campaign. */
import { z } from 'zod';
import { rowState } from './campaign.ts';
import { delivery } from './row.ts';

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

const place = {
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
