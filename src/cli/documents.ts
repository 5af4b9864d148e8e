/** The output of each command with `--json`, by the name of the command. */
import { z } from 'zod';
import { approvedSchema } from '../app/approvals/approve.ts';
import { spendingSchema } from '../app/approvals/spending.ts';
import { campaignSchema } from '../app/campaigns/find.ts';
import { checkSchema } from '../app/campaigns/import/check.ts';
import { templateSchema } from '../app/campaigns/import/template.ts';
import { matchesSchema } from '../app/campaigns/import/update.ts';
import { shownCampaignSchema } from '../app/campaigns/list.ts';
import { progressSchema } from '../app/campaigns/progress/reader.ts';
import { queueName, unreachableSchema, workersSchema } from '../app/campaigns/queues.ts';
import { causeSchema } from '../app/campaigns/repair.ts';
import { rowSchema } from '../app/campaigns/rows/show-row.ts';
import { campaignOperations } from '../app/operations/campaigns.ts';
import { decisionOperations } from '../app/operations/decisions.ts';
import { limitOperations } from '../app/operations/limits.ts';
import { rowOperations } from '../app/operations/rows.ts';
import { importedSchema, plannedUpdateSchema } from '../app/operations/sheets.ts';
import type { Document } from '../app/runtime/documents.ts';

/** Printed by every command that ends with an error. */
export const errorSchema = z.strictObject({
  error: z.strictObject({ message: z.string(), fix: z.string().nullable(), exitCode: z.int() }),
});

const id = z.string();
const finishedCampaign = z.strictObject({
  ...campaignSchema.shape,
  ...matchesSchema.partial().shape,
  causes: z.array(causeSchema),
  /** Absolute path of its results sheet; missing if it went to standard output. */
  results: z.string().optional(),
});

const interrupted = z.strictObject({ interrupted: z.literal(true), campaigns: z.array(id) });
/** A sheet that was refused because of problems. */
const refused = z.strictObject({
  ...checkSchema.shape,
  into: id.optional(),
  ...matchesSchema.partial().shape,
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
    plannedUpdateSchema,
    z.null(),
  ]),
  import: z.union([importedSchema, watched, refused, plannedUpdateSchema]),
  check: checkSchema,
  list: z.strictObject({
    campaigns: z.array(campaignSchema),
    /** Keys in Redis of campaigns that cannot be read. */
    unreadable: z.array(z.string()),
    ...workersSchema.shape,
    pausedQueues: z.array(queueName),
    /** Machines whose calls get no answer; none while no campaign runs. */
    unreachable: z.array(unreachableSchema),
    /** Campaigns that this machine remembers, but Redis does not have. */
    forgotten: z.array(z.string()),
  }),
  show: z.union([shownCampaignSchema, rowSchema]),
  watch: watched,
  report: z.strictObject({ id, rows: z.int(), path: z.string().optional() }),
  refresh: limitOperations.refreshCampaign.answer,
  retry: rowOperations.retryRows.answer,
  decide: z.union([decisionOperations.decideRow.answer, decisionOperations.decideMany.answer]),
  approve: z.union([
    z.strictObject({ ...approvedSchema.shape, dryRun: z.literal(true).optional() }),
    spendingSchema,
  ]),
  pause: campaignOperations.pauseCampaign.answer,
  resume: z.union([campaignOperations.resumeCampaign.answer, campaignOperations.resumeCreator.answer]),
  cancel: z.union([
    campaignOperations.cancelCampaign.answer,
    z.strictObject({
      id,
      cancelled: z.array(z.string()),
      /** Rows that could not be cancelled. */
      refused: z.array(z.strictObject({ key: z.string(), refused: z.string() })),
      dryRun: z.literal(true).optional(),
    }),
  ]),
  delete: campaignOperations.deleteCampaign.answer,
  'rate-limits': limitOperations.showRateLimits.answer,
  journal: limitOperations.showJournal.answer,
  creators: limitOperations.listCreators.answer,
  products: limitOperations.listProducts.answer,
  music: limitOperations.searchMusic.answer,
  template: templateSchema,
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
        fix: z.string().optional(),
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

export type CommandDocument<Name extends CommandName> = Document<(typeof commandSchemas)[Name]>;
