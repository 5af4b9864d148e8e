/** Sheets: check, import, import into a campaign, and the results sheet. */

import { z } from 'zod';
import type { ManifestFile } from '../../importers/open/manifest-file.ts';
import { approveRules, leadRule, readLead } from '../../manifest/campaign-options.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { downloadName } from '../../sheets/write/download-name.ts';
import { sheetContentTypes, sheetFormats } from '../../sheets/write/format.ts';
import { campaignDocument, campaignSchema, findCampaign } from '../campaigns/find.ts';
import { canaryRule, readCanary } from '../campaigns/import/canary.ts';
import { checkDocument, checkSchema, type ReadingOptions } from '../campaigns/import/check.ts';
import { checkBeforeImport, earlierDocument } from '../campaigns/import/earlier-import.ts';
import { readingLike } from '../campaigns/import/like-campaign.ts';
import { startCampaign, stopAfterText } from '../campaigns/import/start.ts';
import { templateDownload, templateFormats } from '../campaigns/import/template.ts';
import { matchesDocument, matchesSchema, requireAgreed, updateCampaign } from '../campaigns/import/update.ts';
import { resultsName } from '../campaigns/results/own-sheet.ts';
import { writeResults } from '../campaigns/results/write.ts';
import { knownNames } from '../drafts/suggestions/known-names.ts';
import { rowState } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { flag, reading, readingOf, text } from './fields.ts';
import { Existing, namedNow, sheets } from './operation.ts';

/** A campaign that a sheet created, or updated. */
export const importedSchema = z.strictObject({ ...campaignSchema.shape, ...matchesSchema.partial().shape });

export const plannedUpdateSchema = z.strictObject({
  ...checkSchema.shape,
  into: z.string(),
  dryRun: z.literal(true),
  ...matchesSchema.shape,
});

const unreadable = ['manifest_unreadable', 'service_unreachable', 'service_failed'] as const;
const holds = {
  canary: text
    .transform((given, context) => {
      const choice = readCanary(given);
      if (choice === undefined) context.addIssue({ code: 'custom', message: canaryRule });
      return choice ?? z.NEVER;
    })
    .optional()
    .describe(
      'Post only these rows first, and hold the rest until resumed: a number of rows, from the top of the sheet; `kinds` or `creators` for one row of each; ' +
        'or `rows:3,17` by their numbers without the header.',
    ),
  stopAfter: stopAfterText.optional().describe('Pause if more than this percentage of rows fails.'),
  lead: text
    .transform((given, context) => {
      const lead = readLead(given);
      if (lead === undefined) context.addIssue({ code: 'custom', message: `must be ${leadRule}` });
      return lead ?? null;
    })
    .optional()
    .describe('Hand posts to the service this long before their time: `2d`, `12h`, `30m` or `now`.'),
  approve: z
    .enum(approveRules)
    .optional()
    .describe('Which posts wait for an approval; default: as the settings say.'),
};
const again = flag
  .default(false)
  .describe('Import it even if it was imported before, or rows of it are posts of other campaigns already.');
const skipInvalid = flag.default(false).describe('Import only the rows without problems.');

export const sheetOperations = {
  downloadTemplate: sheets.see('GET /template', {
    summary: 'Download an example sheet to begin with',
    answer: templateFormats.map((format) => sheetContentTypes[format]),
    query: { format: z.enum(templateFormats).default('csv') },
    handle: async ({ runtime }, { format }) => templateDownload(format, runtime.now()),
  }),
  checkSheet: sheets.see('POST /checks', {
    summary: 'Find all problems of a sheet, and plan it; nothing is posted',
    takesSheet: true,
    readsSheet: true,
    problems: [...unreadable, 'service_not_configured'],
    query: reading,
    answer: checkSchema,
    async handle({ runtime, sheet }, query) {
      const options = await withNames(runtime, sheet, readingOf(query));
      const { check, earlier } = await checkBeforeImport(runtime, sheet, options);
      return checkDocument(check, earlierDocument(earlier));
    },
  }),
  importSheet: sheets.run('POST /campaigns', {
    summary: 'Import a sheet as a campaign, and start it',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    statuses: [201, 200],
    problems: [...unreadable, 'sheet_refused', 'manifest_known', 'import_conflict', 'service_not_configured'],
    description:
      'Answers 200 with the campaign if the same sheet was imported before and is unfinished. A sheet with problems is refused; the ' +
      'problem document lists them in `check`.',
    query: {
      ...reading,
      ...holds,
      skipInvalid,
      name: text.optional().describe('Name of the campaign; default: the name of the file.'),
      again,
    },
    answer: importedSchema,
    async handle({ runtime, person, sheet, origin }, query) {
      const { name, again, skipInvalid, canary, stopAfter, lead, approve } = query;
      const read = await withNames(runtime, sheet, readingOf(query));
      const chosen = { name, again, origin, skipInvalid, canary, stopAfter, lead, approve };
      const options = { ...read, ...chosen, startedBy: person.name, problemsFile: null };
      const started = await startCampaign(runtime, sheet, options);
      if (started.kind === 'problems') throw refusedSheet({ check: checkDocument(started.check) });
      const { campaign, kind } = started;
      if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
      const document = campaignDocument(campaign);
      return kind === 'imported' ? document : new Existing(document);
    },
    audit: (_input, { id, name, rows }) => `Imported ${name} as ${id}: ${plural(rows, 'row')}.`,
  }),
  importInto: sheets.run('POST /campaigns/{id}/sheet', {
    summary: 'Update a campaign with a sheet: add new rows, retry failed and changed ones',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    problems: [
      ...unreadable,
      'sheet_refused',
      'campaign_cancelled',
      'options_differ',
      'import_conflict',
      'plan_changed',
    ],
    description:
      'Posted rows stay as they are. With `dryRun` nothing is changed, and the answer is the plan.',
    query: {
      ...reading,
      skipInvalid,
      again: flag
        .default(false)
        .describe('Add or change rows even if they are posts of other campaigns already.'),
      dryRun: flag.default(false),
      agreed: z
        .string()
        .regex(/^[0-9a-f]{16}$/)
        .optional()
        .describe('`digest` of the plan that you saw. If the plan differs now, nothing is done.'),
    },
    answer: z.union([importedSchema, plannedUpdateSchema]),
    async handle({ runtime, sheet }, { id, ...query }) {
      const { skipInvalid, again, dryRun, agreed } = query;
      const asked = readingOf(query);
      const like = await readingLike(runtime, id, sheet, asked.sheet ?? {});
      const read = await withNames(runtime, sheet, { ...asked, sheet: { ...asked.sheet, ...like } });
      const options = { ...read, skipInvalid, again, dryRun, problemsFile: null };
      const updated = await updateCampaign(runtime, id, sheet, {
        ...options,
        onPlan: (plan) => {
          if (agreed !== undefined) requireAgreed(plan, agreed);
        },
      });
      const { kind, campaign, check } = updated;
      const matches = matchesDocument(updated);
      if (kind === 'problems') throw refusedSheet({ check: checkDocument(check), ...matches });
      if (kind === 'planned') return { into: id, dryRun: true as const, ...matches, ...checkDocument(check) };
      if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
      return { ...campaignDocument(campaign), ...matches };
    },
    audit: ({ id }) => `Updated ${id} with a sheet.`,
  }),
  downloadResults: sheets.see('GET /campaigns/{id}/results', {
    summary: 'Download the results sheet: each row as planned, with its result',
    answer: Object.values(sheetContentTypes),
    query: {
      format: z.enum(sheetFormats).default('csv'),
      only: z.array(rowState).optional().describe('Only rows in these states.'),
      error: text.optional().describe('Only rows with this error code.'),
    },
    async handle({ runtime }, { id, format, only, error }) {
      const campaign = await findCampaign(runtime, id);
      const name = await resultsName(runtime, campaign);
      const rows = only?.join(' and ') || 'results';
      return {
        fileName: downloadName(name, rows, namedNow(runtime, format)),
        contentType: sheetContentTypes[format],
        async write(to) {
          await writeResults(runtime, campaign, { to, format, error, ...(only && { state: new Set(only) }) });
        },
      };
    },
  }),
};

async function withNames(runtime: Runtime, manifest: ManifestFile, options: ReadingOptions) {
  return { ...options, ...(await knownNames(runtime, manifest, options.sheet)) };
}

function refusedSheet(details: { readonly check: unknown }): UseCaseError {
  return new UseCaseError('sheet_refused', 'the sheet has problems, and nothing was changed', {
    fix: 'Fix the rows that `check` names, or skip them with skipInvalid=true.',
    details,
  });
}
