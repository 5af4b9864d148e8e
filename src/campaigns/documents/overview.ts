/** Campaigns that wait for a person, and the throughput of a campaign. */
import { z } from 'zod';
import { type Document, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Waiting } from '../list.ts';
import type { Throughput } from '../progress/throughput.ts';

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
