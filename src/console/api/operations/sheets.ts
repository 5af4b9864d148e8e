/** Sheets: check, import, import into a campaign, and the results sheet. */
import { z } from 'zod';
import { defaultAccount } from '../../../../config/access.ts';
import { campaignDocument, rowState } from '../../../campaigns/documents/campaign.ts';
import { importedSchema, plannedMergeSchema } from '../../../campaigns/documents/commands.ts';
import { checkDocument, checkSchema, matchesDocument } from '../../../campaigns/documents/sheet.ts';
import { findCampaign } from '../../../campaigns/find.ts';
import { canaryRule, readCanary } from '../../../campaigns/import/canary.ts';
import { checkSheet } from '../../../campaigns/import/check.ts';
import { earlierId, findImportOf } from '../../../campaigns/import/earlier-import.ts';
import { type AgreedRows, mergeInto, requireAgreed } from '../../../campaigns/import/into.ts';
import { startCampaign } from '../../../campaigns/import/start.ts';
import { stopAfterText } from '../../../campaigns/import/stop-after-option.ts';
import { templateDownload, templateFormats } from '../../../campaigns/import/template.ts';
import { writeResults } from '../../../campaigns/results/write.ts';
import { downloadName, sheetContentTypes, sheetFormats } from '../../../sheets/write/format.ts';
import { HttpProblem } from '../../http/problem.ts';
import { Existing, namedNow, sheets } from '../operation.ts';
import { account, flag, reading, readingOf, text } from '../parameters.ts';

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
      'Post only these rows first, and hold the rest until resumed: so many first rows of the sheet; `kinds` or `creators` for one of each; ' +
        'or `rows:3,17` by their numbers without the header.',
    ),
  stopAfter: stopAfterText.optional().describe('Pause if more than this percentage of rows fails.'),
};
const again = flag
  .default(false)
  .describe('Import it even if it was imported before, or rows of it are posts of other campaigns already.');
const skipInvalid = flag.default(false).describe('Import only the rows without problems.');

export const sheetOperations = [
  sheets.viewer('GET /template', 'downloadTemplate', {
    summary: 'Download an example sheet to begin with',
    answer: templateFormats.map((format) => sheetContentTypes[format]),
    query: { format: z.enum(templateFormats).default('csv') },
    handle: async ({ runtime, query: { format } }) => templateDownload(format, runtime.now()),
  }),
  sheets.viewer('POST /checks', 'checkSheet', {
    summary: 'Find all problems of a sheet, and plan it; nothing is posted',
    takesSheet: true,
    readsSheet: true,
    problems: [...unreadable, 'account_unknown', 'account_incomplete'],
    query: { ...reading, account: account.default(defaultAccount) },
    answer: checkSchema,
    async handle({ runtime, query: { account, ...query }, sheet }) {
      const options = readingOf(query);
      const earlier = await findImportOf(runtime, sheet, options.sheet);
      const same = earlier && earlierId(earlier);
      const { check } = await checkSheet(runtime, sheet, { ...options, account, same });
      return checkDocument(check);
    },
  }),
  sheets.operator('POST /campaigns', 'importSheet', {
    summary: 'Import a sheet as a campaign, and start it',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    statuses: [201, 200],
    problems: [
      ...unreadable,
      ...(['sheet_refused', 'manifest_known', 'import_conflict'] as const),
      ...(['account_unknown', 'account_incomplete'] as const),
    ],
    description:
      'Answers 200 with the campaign if the same sheet was imported before and is unfinished. A sheet with problems is refused; the ' +
      'problem document lists them in `check`.',
    query: {
      ...reading,
      ...holds,
      skipInvalid,
      name: text.optional().describe('Name of the campaign; default: the name of the file.'),
      account: account.optional(),
      again,
    },
    answer: importedSchema,
    async handle({ runtime, person, query, sheet, origin }) {
      const { name, account, again, skipInvalid, canary, stopAfter } = query;
      const started = await startCampaign(runtime, sheet, {
        ...readingOf(query),
        name,
        account,
        again,
        origin,
        skipInvalid,
        canary,
        stopAfter,
        startedBy: person.name,
        problemsFile: null,
      });
      if (started.kind === 'problems') throw refusedSheet({ check: checkDocument(started.check) });
      const { campaign, kind } = started;
      if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
      const document = campaignDocument(campaign);
      return kind === 'imported' ? document : new Existing(document);
    },
  }),
  sheets.operator('POST /campaigns/{id}/sheet', 'importInto', {
    summary: 'Update a campaign with a sheet: add new rows, retry failed and changed ones',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    problems: [
      ...unreadable,
      ...(['sheet_refused', 'campaign_cancelled'] as const),
      ...(['options_differ', 'import_conflict', 'plan_changed'] as const),
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
        .regex(/^\d{1,9},\d{1,9},\d{1,9}$/)
        .optional()
        .describe(
          'Rows of the plan that you saw: new, changed, retried, such as `3,1,0`. If the plan is different now, nothing is done.',
        ),
    },
    answer: z.union([importedSchema, plannedMergeSchema]),
    async handle({ runtime, params: { id }, query, sheet }) {
      const { skipInvalid, again, dryRun, agreed } = query;
      const options = { ...readingOf(query), skipInvalid, again, dryRun, problemsFile: null };
      const merged = await mergeInto(runtime, id, sheet, {
        ...options,
        onPlan: ({ matches }) => {
          if (agreed !== undefined) requireAgreed(matches, agreedRows(agreed));
        },
      });
      const { kind, campaign, check } = merged;
      const matches = matchesDocument(merged.matches);
      if (kind === 'problems') throw refusedSheet({ check: checkDocument(check), ...matches });
      if (kind === 'planned') return { into: id, dryRun: true as const, ...matches, ...checkDocument(check) };
      if (campaign.state === 'running') await runtime.queues.wakeAdmission(campaign.id);
      return { ...campaignDocument(campaign), ...matches };
    },
  }),
  sheets.viewer('GET /campaigns/{id}/results', 'downloadResults', {
    summary: 'Download the results sheet: each row as planned, with its result',
    answer: Object.values(sheetContentTypes),
    query: {
      format: z.enum(sheetFormats).default('csv'),
      only: z.array(rowState).optional().describe('Only rows in these states.'),
      error: text.optional().describe('Only rows with this error code.'),
    },
    async handle({ runtime, params, query: { format, only, error } }) {
      const campaign = await findCampaign(runtime, params.id);
      return {
        fileName: downloadName(campaign.name, only?.join(' and ') || 'results', namedNow(runtime, format)),
        contentType: sheetContentTypes[format],
        async write(to) {
          await writeResults(runtime, campaign, { to, format, error, ...(only && { only: new Set(only) }) });
        },
      };
    },
  }),
];

function agreedRows(text: string): AgreedRows {
  const [added = 0, changed = 0, redone = 0] = text.split(',').map(Number);
  return { new: added, changed, redone };
}

function refusedSheet(found: { readonly check: unknown }): HttpProblem {
  return new HttpProblem(422, 'sheet_refused', 'the sheet has problems, and nothing was changed', {
    cure: 'Fix the rows that `check` names, or skip them with skipInvalid=true.',
    ...found,
  });
}
