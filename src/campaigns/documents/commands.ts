/** The output of each command with `--json`, by the name of the command. */
import { z } from 'zod';
import { creatorAccount } from '../../api/contract/creators.ts';
import { showcaseProduct } from '../../api/contract/showcase.ts';
import type { Document } from '../../runtime/documents.ts';
import { campaignSchema, causeSchema } from './campaign.ts';
import {
  cancelledSchema,
  decidedRowSchema,
  deletedSchema,
  heldSchema,
  manyDecidedSchema,
  resumedCreatorSchema,
  retrySchema,
  sheetDecidedSchema,
} from './changes.ts';
import {
  progressSchema,
  queueName,
  rateLimitsSchema,
  redisRefuses,
  unreachableSchema,
  workerSchema,
} from './progress.ts';
import { rowSchema } from './row.ts';
import { checkSchema, matchesSchema } from './sheet.ts';

/** Printed by every command that ends with an error. */
export const errorSchema = z.strictObject({
  error: z.strictObject({ message: z.string(), cure: z.string().nullable(), exitCode: z.int() }),
});

const id = z.string();
const journalMark = z.strictObject({ position: z.int(), at: z.number() });

const finishedCampaign = z.strictObject({
  ...campaignSchema.shape,
  ...matchesSchema.partial().shape,
  causes: z.array(causeSchema),
  /** Absolute path of its results sheet; missing if it went to standard output. */
  results: z.string().optional(),
});

export const shownCampaignSchema = z.strictObject({
  ...campaignSchema.shape,
  /** Accepted posts by what is known of them, and the first and last planned time to come. */
  deliveries: z.strictObject({
    live: z.int(),
    scheduled: z.int(),
    unconfirmed: z.int(),
    posted: z.int(),
    firstAt: z.iso.datetime().nullable(),
    lastAt: z.iso.datetime().nullable(),
  }),
  causes: z.array(causeSchema),
  /** Running rows that stay without a live job. */
  rowsWithoutJobs: z.int(),
  pausedQueues: z.array(queueName),
  unreachable: z.array(unreachableSchema),
});

/** A campaign that a sheet created, or was merged into. */
export const importedSchema = z.strictObject({ ...campaignSchema.shape, ...matchesSchema.partial().shape });

const interrupted = z.strictObject({ interrupted: z.literal(true), campaigns: z.array(id) });
/** A sheet that was refused because of problems. */
const refused = z.strictObject({
  ...checkSchema.shape,
  into: id.optional(),
  ...matchesSchema.partial().shape,
});
export const plannedMergeSchema = z.strictObject({
  ...checkSchema.shape,
  into: id,
  dryRun: z.literal(true),
  ...matchesSchema.shape,
});

const watched = z.union([
  z.strictObject({
    ...campaignSchema.shape,
    causes: z.array(causeSchema).optional(),
    progress: progressSchema,
  }),
  z.strictObject({ id, interrupted: z.literal(true) }),
]);

/** Zod schemas of what commands print with `--json`, and of what the REST API answers. */
export const commandSchemas = {
  run: z.union([
    finishedCampaign,
    z.strictObject({ campaigns: z.array(finishedCampaign) }),
    interrupted,
    refused,
    plannedMergeSchema,
    z.null(),
  ]),
  import: z.union([importedSchema, watched, refused, plannedMergeSchema]),
  check: checkSchema,
  list: z.strictObject({
    campaigns: z.array(campaignSchema),
    /** Campaigns whose records in Redis are damaged. */
    unreadable: z.array(z.strictObject({ id, reason: z.string() })),
    workers: z.array(workerSchema),
    redisRefuses,
    pausedQueues: z.array(queueName),
    /** By account of the running campaigns. */
    unreachable: z.array(z.strictObject({ account: z.string(), ...unreachableSchema.shape })),
  }),
  show: z.union([shownCampaignSchema, rowSchema]),
  watch: watched,
  report: z.strictObject({ id, rows: z.int(), path: z.string().optional() }),
  refresh: z.strictObject({
    id,
    /** Rows in review that were searched for, and failed rows whose post is no longer failed. */
    rows: z.array(
      z.union([
        z.strictObject({
          key: z.string(),
          state: z.enum(['posted', 'failed']),
          postId: z.string(),
          postStatus: z.string(),
        }),
        z.strictObject({ key: z.string(), state: z.literal('review'), note: z.string() }),
      ]),
    ),
    /** Posts that changed from one status to another. */
    posts: z.array(
      z.strictObject({
        before: z.string(),
        after: z.string(),
        posts: z.int(),
        /** The first few. */
        examples: z.array(
          z.strictObject({ key: z.string(), postId: z.string(), failure: z.string().optional() }),
        ),
      }),
    ),
  }),
  retry: retrySchema,
  settle: z.union([decidedRowSchema, manyDecidedSchema, sheetDecidedSchema]),
  pause: heldSchema,
  resume: z.union([heldSchema, resumedCreatorSchema]),
  cancel: cancelledSchema,
  delete: deletedSchema,
  'rate-limits': rateLimitsSchema,
  journal: z.strictObject({
    /** The last entry that Redis has. */
    found: journalMark,
    /** The last entry that this data directory, or after a loss any process, knows. Position 0: none remembers any. */
    seen: journalMark,
    /** Redis has lost entries, or campaigns are still paused for that reason. */
    behind: z.boolean(),
    /** The campaigns paused for that reason. */
    held: z.array(id),
    accepted: z.boolean(),
    /** Rows that may have been sent in what is lost: an acceptance sends them to review. */
    review: z.int(),
    /** The same by campaign. */
    campaigns: z.array(z.strictObject({ id, rows: z.int() })),
    /** Rows that are in review, by campaign: an acceptance makes their outcome unknown anew. */
    inReview: z.array(z.strictObject({ id, rows: z.int() })),
  }),
  creators: z.strictObject({ creators: z.array(creatorAccount) }),
  products: z.strictObject({
    creator: z.strictObject({ id: z.union([z.number(), z.string()]), creatorId: z.string() }),
    products: z.array(showcaseProduct),
  }),
  music: z.strictObject({
    music: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string().optional(),
        author: z.string().optional(),
        duration: z.string().optional(),
      }),
    ),
  }),
  template: z.union([
    z.strictObject({ manifest: z.string(), explanation: z.string() }),
    z.strictObject({
      rows: z.array(z.record(z.string(), z.string())),
      columns: z.array(
        z.strictObject({
          name: z.string(),
          aliases: z.array(z.string()),
          kind: z.enum(['single', 'list']),
          explanation: z.string(),
          example: z.string(),
        }),
      ),
      reviewColumns: z.array(
        z.strictObject({ name: z.string(), explanation: z.string(), example: z.string() }),
      ),
      schema: z.looseObject({}),
    }),
  ]),
  worker: z.strictObject({ stopped: z.literal(true) }),
  serve: z.strictObject({ url: z.string(), boardUrl: z.string(), pid: z.int() }),
  doctor: z.strictObject({
    problems: z.int(),
    findings: z.array(
      z.strictObject({
        /** What was examined; stable, for scripts. */
        check: z.string(),
        /** `problem`: a run cannot start, or cannot end well. `warning`: it can. */
        verdict: z.enum(['ok', 'warning', 'problem']),
        text: z.string(),
        cure: z.string().optional(),
      }),
    ),
  }),
  sandbox: z.strictObject({
    url: z.string(),
    adminUrl: z.string(),
    apiKey: z.string(),
    data: z.string().nullable(),
    pid: z.int(),
  }),
  stop: z.strictObject({ dataDir: z.string(), stopped: z.boolean(), users: z.array(z.int()) }),
  demo: z.union([
    z.strictObject({
      asMeant: z.boolean(),
      findings: z.array(z.strictObject({ claim: z.string(), differences: z.array(z.string()) })),
      campaign: campaignSchema,
      causes: z.array(causeSchema),
      results: z.string().optional(),
      sandbox: z.strictObject({ url: z.string(), adminUrl: z.string() }),
      environment: z.string(),
      /** As `videos report --by creator --json`. */
      videos: z.looseObject({}),
    }),
    z.strictObject({ interrupted: z.literal(true) }),
  ]),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Name of a command with `--json`, as in `CommandDocument`. */
export type CommandName = keyof typeof commandSchemas;

/** The output of a command with `--json`. */
export type CommandDocument<Name extends CommandName> = Document<(typeof commandSchemas)[Name]>;
