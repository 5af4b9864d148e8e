/**
 * What `campaigns videos ... --json` prints and the REST API answers, as zod schemas. A video has the names of the export's columns.
 * Fields are only added, never changed: scripts depend on them.
 */
import { z } from 'zod';
import { problemFields, warningFields } from '../manifest/problem-document.ts';

/** A counter: an integer of any size. */
const count = z.union([z.int(), z.bigint()]).nullable();
const counts = {
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

export const videoSchema = z.strictObject({
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
  account: z.string(),
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
  failure: z.strictObject({ code: z.string(), message: z.string(), cure: text, at: z.string() }).nullable(),
  gone: z
    .strictObject({
      since: z.string(),
      answers: z.int(),
      /** `null`: it is not asked for again. */
      ask_again_at: time,
    })
    .nullable(),
});

export const scrapeSchema = z.strictObject({
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
  /** Scheduled scrapes that were left out because this one still ran. */
  overlaps: z.int(),
  /** Why it was stopped. */
  reason: z.strictObject({ code: z.string(), message: z.string(), cure: text }).nullable(),
});

const scrapeCauseSchema = z.strictObject({
  code: z.string(),
  videos: z.int(),
  message: z.string(),
  cure: text,
  /** URLs of the first few. */
  examples: z.array(z.string()),
});

export const videoCommandSchemas = {
  'videos scrape': z.union([
    z.strictObject({ ...scrapeSchema.shape, causes: z.array(scrapeCauseSchema) }),
    z.strictObject({ interrupted: z.literal(true) }),
  ]),
  'videos schedule': z.strictObject({
    /** `null`: nothing is scheduled. */
    schedule: z.strictObject({ cron: z.string(), tz: z.string(), next: time }).nullable(),
    /** The last ones, newest first. */
    scrapes: z.array(scrapeSchema),
    /** Whether a worker runs that would carry them out. */
    hasWorkers: z.boolean(),
  }),
  'videos import': z.strictObject({
    format: z.looseObject({}).nullable(),
    rows: z.int(),
    ...problemFields,
    ...warningFields,
    added: z.int(),
    known: z.int(),
    withoutUrl: z.int(),
    /** On the list now. */
    videos: z.int(),
    /** Memory of Redis for a year of nights. */
    yearBytes: z.int(),
  }),
  'videos list': z.strictObject({ videos: z.array(videoSchema) }),
  'videos remove': z.strictObject({ video_url: z.string(), removed: z.literal(true) }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

export type VideoCommandName = keyof typeof videoCommandSchemas;
/** What a command prints with `--json`. */
export type VideoCommandDocument<Name extends VideoCommandName> = ReadonlyDeep<
  z.input<(typeof videoCommandSchemas)[Name]>
>;
export type ScrapeDocument = ReadonlyDeep<z.input<typeof scrapeSchema>>;
export type VideoDocument = ReadonlyDeep<z.input<typeof videoSchema>>;
