/** Scheduled posts of all campaigns, by creator. */
import { z } from 'zod';
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
