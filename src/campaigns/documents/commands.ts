/** What each command prints with `--json`, by its name. */
import { z } from 'zod';
import { creatorAccount } from '../../api/contract/creators.ts';
import { showcaseProduct } from '../../api/contract/showcase.ts';
import { problemFields } from '../../manifest/problem-document.ts';
import { campaignSchema, campaignState, causeSchema, rowState } from './campaign.ts';
import type { Document } from './document.ts';
import { progressSchema, queueName, workerSchema } from './progress.ts';
import { rowSchema } from './row.ts';
import { checkSchema, matchesSchema } from './sheet.ts';

/** Printed by every command that ends with an error. */
export const errorSchema = z.strictObject({
  error: z.strictObject({ message: z.string(), cure: z.string().nullable(), exitCode: z.int() }),
});

const id = z.string();
const budgetSchema = z.strictObject({ perSecond: z.number(), burst: z.int() });
const journalMark = z.strictObject({ position: z.int(), at: z.number() });

const finishedCampaign = z.strictObject({
  ...campaignSchema.shape,
  ...matchesSchema.partial().shape,
  causes: z.array(causeSchema),
  /** Absolute path of its results sheet; missing if it went to standard output. */
  results: z.string().optional(),
});

/** Possible filters, when no row matches. Creators are as written in the sheet. */
const kinds = z.strictObject({ codes: z.array(z.string()), creators: z.array(z.string()) }).optional();

const rowsByState = z.partialRecord(rowState, z.int());
/** What became of rows that a decision was made about; in a dry run, what would. */
const decisions = z.strictObject({
  /** Rows in review that a decision is made about. */
  matched: z.int(),
  /** Those rows by their state afterwards. */
  states: rowsByState,
  /** Rows that somebody else, or a late answer, decided meanwhile. */
  changed: z.int(),
  /** Keys of the first few. */
  keys: z.array(z.string()),
});
export type Decisions = Document<typeof decisions>;

const manyDecided = z.strictObject({
  id,
  decision: z.enum(['not-posted', 'not-generated']),
  ...decisions.shape,
  /** Rows in review that stay there: the filter leaves them out, the decision is about something else, or `refused`. */
  left: z.int(),
  /** Matching rows that stay there, because the decision is wrong about them: the first few, by key. */
  refused: z.array(z.strictObject({ key: z.string(), message: z.string(), cure: z.string() })),
  kinds,
  dryRun: z.boolean(),
});
export type ManyDecided = Omit<Document<typeof manyDecided>, 'id' | 'decision' | 'dryRun'>;

/** The state of a campaign, and the state before. */
const held = z.strictObject({ id, state: campaignState, was: campaignState });

const interrupted = z.strictObject({ interrupted: z.literal(true), campaigns: z.array(id) });
/** A sheet that was refused because of problems. */
const refused = z.strictObject({
  ...checkSchema.shape,
  into: id.optional(),
  ...matchesSchema.partial().shape,
});
const dryRun = z.strictObject({
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

export const commandSchemas = {
  run: z.union([
    finishedCampaign,
    z.strictObject({ campaigns: z.array(finishedCampaign) }),
    interrupted,
    refused,
    dryRun,
    z.null(),
  ]),
  import: z.union([
    z.strictObject({ ...campaignSchema.shape, ...matchesSchema.partial().shape }),
    watched,
    refused,
    dryRun,
  ]),
  check: checkSchema,
  list: z.strictObject({
    campaigns: z.array(campaignSchema),
    workers: z.array(workerSchema),
    pausedQueues: z.array(queueName),
  }),
  show: z.union([
    z.strictObject({
      ...campaignSchema.shape,
      causes: z.array(causeSchema),
      pausedQueues: z.array(queueName),
    }),
    rowSchema,
  ]),
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
  retry: z.strictObject({
    id,
    /** Failed rows that match, those of creators on hold too. */
    matched: z.int(),
    /** Rows sent back to waiting; none in a dry run. */
    rows: z.int(),
    /** Rows whose earlier post turned out not to have failed: posted once more, and not sent again. */
    posted: z.int(),
    /** What the retry would do; only in a dry run. */
    plan: z
      .strictObject({
        /** Per operation: at most this many uploads (files that the service has are not sent again), at least this many polls. */
        calls: z.record(z.string(), z.int()),
        /** Images and videos that would be generated: only missing ones. */
        aiOutputs: z.int(),
      })
      .nullable(),
    /** Rows that are not retried, by reason. */
    leftOut: z.array(
      z.strictObject({
        state: rowState,
        rows: z.int(),
        why: z.string(),
        /** Set for rows of a creator who must authorize again. */
        creator: z.string().optional(),
        /** Set for rows that match, and whose failed post could not be looked up again. */
        unread: z.literal(true).optional(),
        /** What to do about them; for rows in review, the decisions about the first ones. */
        commands: z.array(z.string()),
      }),
    ),
    /** Of the campaign afterwards. In a paused one, the rows wait until it is resumed. */
    state: campaignState,
    kinds,
    dryRun: z.boolean(),
  }),
  settle: z.union([
    z.strictObject({ id, row: z.string(), state: rowState, undone: z.literal(true).optional() }),
    manyDecided,
    z.strictObject({
      id,
      from: z.string(),
      ...decisions.shape,
      dryRun: z.boolean(),
      sheetRows: z.int(),
      empty: z.int(),
      ended: rowsByState,
      ...problemFields,
    }),
  ]),
  pause: held,
  resume: z.union([
    held,
    z.strictObject({
      id,
      creator: z.string(),
      wasOpen: z.boolean(),
      rows: z.int(),
      state: campaignState,
    }),
  ]),
  cancel: z.strictObject({
    id,
    cancelled: z.int(),
    review: z.int(),
    /** The state before; `ended` if there was nothing to cancel. */
    was: campaignState,
    state: campaignState,
  }),
  delete: z.strictObject({ id, deleted: z.literal(true), exported: z.string().nullable() }),
  budgets: z.strictObject({
    account: z.string(),
    budgets: z.array(
      z.strictObject({
        operation: z.string(),
        ...budgetSchema.shape,
        changed: z.boolean(),
        settings: budgetSchema,
        effectivePerSecond: z.number(),
        pausedMs: z.number(),
        throttledForMs: z.number().nullable(),
      }),
    ),
  }),
  journal: z.strictObject({
    /** The last entry that Redis has. */
    found: journalMark,
    /** The last entry that this data directory knows. */
    seen: journalMark,
    /** Redis has lost entries, or campaigns are still paused for that reason. */
    behind: z.boolean(),
    /** The campaigns paused for that reason. */
    held: z.array(id),
    accepted: z.boolean(),
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

export type CommandName = keyof typeof commandSchemas;

/** What a command prints with `--json`. */
export type CommandDocument<Name extends CommandName> = Document<(typeof commandSchemas)[Name]>;
