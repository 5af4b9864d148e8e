/**
 * Zod schemas of the output of `campaigns videos ... --json` and of answers of the REST API. A video has the names of the
 * export's columns.
 * Fields are only added, never changed: scripts depend on them.
 */
import { z } from 'zod';
import { fixField, hintsField } from '../../manifest/problems/hint.ts';
import { problemFields, warningFields } from '../../manifest/problems/problem.ts';
import type { Document } from '../runtime/documents.ts';

/** A counter. 9007199254740991 (2^53 - 1) stands for larger ones, too. */
const count = z.int().nullable();
export const counts = {
  play_count: count,
  digg_count: count,
  comment_count: count,
  share_count: count,
  collect_count: count,
};
/** ISO 8601, UTC. */
const time = z.string().nullable();
const text = z.string().nullable();

const growth = Object.fromEntries(
  ['1d', '7d', '30d'].flatMap((span) => Object.keys(counts).map((name) => [`${name}_${span}`, count])),
) as Readonly<Record<`${keyof typeof counts}_${'1d' | '7d' | '30d'}`, typeof count>>;

export const videoState = z.enum(['new', 'ok', 'gone', 'failing']);

export const videoSchema = z
  .strictObject({
    id: z.string(),
    video_url: z.string(),
    state: videoState,
    video_id: text,
    author: text,
    label: text,
    tags: z.array(z.string()),
    campaign: text,
    key: text,
    creator: text,
    product_id: text,
    caption: text,
    cover_url: text,
    released_at: time,
    ...counts,
    ...growth,
    views_per_day: z.number().nullable(),
    engagement: z.number().nullable(),
    high_intent: z.number().nullable(),
    first_sampled_at: time,
    last_sampled_at: time,
    samples: z.int(),
    added_at: z.string(),
    failure: z.strictObject({ code: z.string(), message: z.string(), fix: text, at: z.string() }).nullable(),
    gone: z
      .strictObject({
        since: z.string(),
        answers: z.int(),
        /** `null`: it is not looked up again. */
        ask_again_at: time,
      })
      .nullable(),
  })
  .meta({ id: 'Video' });

export const scrapeSchema = z
  .strictObject({
    run: z.int(),
    state: z.enum(['running', 'ended', 'stopped']),
    kind: z.enum(['manual', 'scheduled']),
    /** `null`: the whole list. */
    campaign: text,
    startedAt: z.string(),
    endedAt: time,
    durationMs: z.number().nullable(),
    total: z.int(),
    done: z.int(),
    failed: z.int(),
    gone: z.int(),
    skipped: z.int(),
    /** Scheduled scrapes that were skipped because this one was still running. */
    overlaps: z.int(),
    reason: z.strictObject({ code: z.string(), message: z.string(), fix: text }).nullable(),
  })
  .meta({ id: 'Scrape' });

export const scrapeCauseSchema = z.strictObject({
  code: z.string(),
  videos: z.int(),
  message: z.string(),
  fix: text,
  /** URLs of the first few. */
  examples: z.array(z.string()),
});

const sampleSchema = z.strictObject({
  sampled_at: z.string(),
  ...counts,
  caption: z.string(),
  /** `play_count_fell|...` */
  flags: z.string(),
});

const spans = ['1d', '7d', '30d', 'growth'] as const;
/** Growth over 1, 7 and 30 days, or over the requested span. */
const growthSums = Object.fromEntries(
  spans.flatMap((span) =>
    [...Object.keys(counts), 'median'].map((name) => [
      name === 'median' ? `play_count_${span}_median` : `${name}_${span}`,
      count.optional(),
    ]),
  ),
) as Readonly<
  Record<
    `${keyof typeof counts}_${(typeof spans)[number]}` | `play_count_${(typeof spans)[number]}_median`,
    z.ZodOptional<typeof count>
  >
>;

const groupSchema = z.strictObject({
  video_url: z.string().optional(),
  creator: z.string().optional(),
  campaign: z.string().optional(),
  product_id: z.string().optional(),
  videos: z.int(),
  ...counts,
  play_count_median: count,
  ...growthSums,
  views_per_day: z.number().nullable(),
  engagement: z.number().nullable(),
  high_intent: z.number().nullable(),
});

const moverSchema = z.strictObject({
  video_url: z.string(),
  creator: text,
  play_count: count,
  growth: count,
  growth_ratio: z.number().nullable(),
});

const reportWarning = z.strictObject({
  code: z.literal('no_samples'),
  message: z.string(),
  fix: fixField,
  hints: hintsField,
});

export const reportSchema = z
  .strictObject({
    by: z.enum(['video', 'creator', 'campaign', 'product']),
    since: time,
    until: time,
    /** The largest growth first. */
    groups: z.array(groupSchema),
    /** Groups that are left out by `--top`. */
    left: z.int(),
    /** Why all figures are empty or 0: no video has a snapshot in the span. */
    warning: reportWarning.nullable(),
    total: groupSchema,
    movers: z.strictObject({
      /** The span: `1d`, `7d`, or `growth` for the requested one. */
      over: z.string(),
      absolute: z.array(moverSchema),
      relative: z.array(moverSchema),
    }),
  })
  .meta({ id: 'VideoReport' });

const written = { rows: z.int(), path: z.string().optional() };

/** Zod schemas of what commands about videos print with `--json`, and of what the REST API answers. */
export const videoCommandSchemas = {
  'videos show': z.strictObject({ ...videoSchema.shape, history: z.array(sampleSchema) }),
  'videos report': z.union([reportSchema, z.strictObject({ ...reportSchema.shape, ...written })]),
  'videos export': z.strictObject(written),
  'videos scrape': z.union([
    z.strictObject({ ...scrapeSchema.shape, causes: z.array(scrapeCauseSchema) }),
    z.strictObject({ interrupted: z.literal(true) }),
  ]),
  'videos schedule': z.strictObject({
    /** `null`: nothing is scheduled. */
    schedule: z
      .strictObject({
        cron: z.string(),
        tz: z.string(),
        next: time,
        note: z.string().nullable().describe('Why the zone may not be the one that is meant.'),
      })
      .nullable(),
    /** The last ones, newest first. */
    scrapes: z.array(scrapeSchema),
    /** Whether a worker for scrapes is running. */
    hasWorkers: z.boolean(),
  }),
  'videos import': z.strictObject({
    format: z.looseObject({}).nullable(),
    headerLine: z.int().nullable(),
    rows: z.int(),
    ...problemFields,
    ...warningFields,
    added: z.int(),
    known: z.int(),
    withoutUrl: z.int(),
    videos: z.int(),
    /** Memory of Redis for a year of nightly samples, in bytes. */
    yearBytes: z.int(),
  }),
  'videos list': z.strictObject({ videos: z.array(videoSchema) }),
  'videos remove': z.strictObject({ video_url: z.string(), removed: z.literal(true) }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type VideoCommandName = keyof typeof videoCommandSchemas;
export type VideoCommandDocument<Name extends VideoCommandName> = Document<
  (typeof videoCommandSchemas)[Name]
>;
export type ReportWarning = z.input<typeof reportWarning>;
export type ReportDocument = Document<typeof reportSchema>;
export type ScrapeDocument = Document<typeof scrapeSchema>;
export type VideoDocument = Document<typeof videoSchema>;
