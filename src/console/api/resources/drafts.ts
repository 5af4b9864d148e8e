/** Drafts: a sheet is handed in, mended in its own cells, and started, as on the page `/campaigns/new/DRAFT`. */

import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { campaignDocument, campaignSchema } from '../../../campaigns/documents/campaign.ts';
import { draftSheets } from '../../../drafts/download.ts';
import { optionsSchema, readingSchema } from '../../../drafts/draft.ts';
import { createDraft, listDrafts } from '../../../drafts/drafts.ts';
import { kindOfFile } from '../../../drafts/files/dropped-path.ts';
import { receiveWhole } from '../../../drafts/files/upload.ts';
import { mendSchema } from '../../../drafts/mends.ts';
import { suggestionSchema } from '../../../drafts/suggestions/suggestion.ts';
import {
  draftDocument,
  draftDocumentSchema,
  draftRowDocument,
  draftRowSchema,
  draftViewDocument,
  draftViewSchema,
  groupIdSchema,
  windowSchema,
} from '../../../drafts/view.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { integer } from '../fields.ts';
import { fileOperation, type Operation, operation } from '../operation.ts';

const found = ['draft_not_found', 'draft_not_stored'] as const;
const changes = [...found, 'draft_changed', 'draft_refused'] as const;
const version = z
  .int()
  .min(1)
  .describe('`version` of the draft as you saw it. The request is refused if somebody has changed it since.');
const draft = { tag: 'Drafts', role: 'operator' } as const;
const read = { tag: 'Drafts', role: 'viewer' } as const;

/** Longest texts of the rows of one answer together, in UTF-16 units. One row alone may have a million. */
const mostCharacters = 1_000_000;

export const draftOperations: readonly Operation[] = [
  operation({
    ...read,
    id: 'listDrafts',
    method: 'get',
    path: '/drafts',
    summary: 'List drafts, the last one changed first',
    answer: z.strictObject({
      drafts: z.array(draftDocumentSchema),
      unreadable: z.array(z.string()).describe('Ids of drafts whose record is damaged.'),
    }),
    async handle({ runtime }) {
      const { drafts, unreadable } = await listDrafts(runtime);
      return { body: { drafts: drafts.map(draftDocument), unreadable: unreadable.map(({ id }) => id) } };
    },
  }),
  operation({
    ...draft,
    id: 'createDraft',
    method: 'post',
    path: '/drafts',
    takesSheet: true,
    startsSomething: true,
    statuses: [201],
    problems: [...changes, 'drafts_full', 'upload_refused', 'manifest_unreadable'],
    summary: 'Make a draft from a sheet, and check it',
    description:
      'Send the name of the sheet as `file`, with its extension: posts.xlsx. Its media are URLs, or files in the folder of the setting ' +
      '`media.root`. Upload other files by tus 1.0 to `/campaigns/new/{id}/uploads`, with the metadata `path`.',
    answer: draftViewSchema,
    async handle({ runtime, drafts, person, sheet }) {
      if (kindOfFile(sheet.file) !== 'sheet') {
        throw new UseCaseError('upload_refused', `${sheet.file} has no extension of a sheet`, {
          cure: 'Send its name with an extension: ?file=posts.csv',
        });
      }
      const { id } = await createDraft(runtime, person.name);
      try {
        // Opened by the first read, so that a refusal before it leaves no open file.
        const bytes = { [Symbol.asyncIterator]: () => createReadStream(sheet.path)[Symbol.asyncIterator]() };
        await receiveWhole(runtime, { draft: id, path: sheet.file, by: person.name }, bytes);
      } catch (error) {
        await drafts.discard(id);
        throw error;
      }
      return { body: draftViewDocument(await drafts.look(id)) };
    },
  }),
  operation({
    ...read,
    id: 'showDraft',
    method: 'get',
    path: '/drafts/{id}',
    problems: found,
    summary: 'Show a draft and the result of its check',
    description: 'Starts a check if there is none. Ask again while `state` is `checking`.',
    answer: draftViewSchema,
    async handle({ drafts, params: { id = '' } }) {
      return { body: draftViewDocument(await drafts.look(id)) };
    },
  }),
  operation({
    ...read,
    id: 'listDraftRows',
    method: 'get',
    path: '/drafts/{id}/rows',
    problems: found,
    summary: 'List rows of the sheet as mended, with their problems',
    description:
      'If rows are very long, an answer has fewer than `limit`, but at least one. Continue with `from` after the last one.',
    query: {
      of: windowSchema.default('all').describe('Which rows; or the id of a group.'),
      from: integer(0, 10_000_000).default(0).describe('Index of the first one, from 0.'),
      limit: integer(1, 500).default(50),
    },
    answer: z.strictObject({ total: z.int(), from: z.int(), rows: z.array(draftRowSchema) }),
    async handle({ drafts, params: { id = '' }, query: { of, from, limit } }) {
      const window = await drafts.window(id, of, from, limit, mostCharacters);
      return { body: { total: window.total, from, rows: window.rows.map(draftRowDocument) } };
    },
  }),
  operation({
    ...read,
    id: 'listSuggestions',
    method: 'get',
    path: '/drafts/{id}/suggestions',
    problems: found,
    summary: 'List suggestions for rows with the same problem, taken from the sheet itself',
    query: { group: groupIdSchema.optional().describe('Id of the group; default: the largest one.') },
    answer: z.strictObject({ suggestions: z.array(suggestionSchema) }),
    async handle({ drafts, params: { id = '' }, query }) {
      const group = query.group ?? (await drafts.look(id)).checked?.groups[0]?.id;
      const suggestions = group === undefined ? [] : await drafts.suggestions(id, group);
      return {
        body: {
          suggestions: suggestions.map(({ label, evidence, mends }) => ({ label, evidence, cells: mends })),
        },
      };
    },
  }),
  operation({
    ...draft,
    id: 'mendDraft',
    method: 'post',
    path: '/drafts/{id}/mends',
    problems: changes,
    summary: 'Mend cells, leave rows out or take them in again, or post rows again that are posted already',
    description: "The planner's file is not changed. Only the changed rows are checked at once.",
    body: mendSchema.extend({ version }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id = '' }, body: { version, ...mend } }) {
      const view = await drafts.mend(id, { by: person.name, version }, mend, 'mended rows by the API');
      return { body: draftViewDocument(view) };
    },
  }),
  operation({
    ...draft,
    id: 'undoMend',
    method: 'post',
    path: '/drafts/{id}/undo',
    problems: changes,
    summary: 'Undo the last mend',
    body: z.strictObject({ version }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id = '' }, body: { version } }) {
      return { body: draftViewDocument(await drafts.undo(id, { by: person.name, version })) };
    },
  }),
  operation({
    ...draft,
    id: 'changeReading',
    method: 'post',
    path: '/drafts/{id}/reading',
    problems: changes,
    summary: 'Change how the sheet is read: its columns, zone, separator, encoding',
    body: z.strictObject({ version, reading: readingSchema }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id = '' }, body: { version, reading } }) {
      return { body: draftViewDocument(await drafts.read(id, { by: person.name, version }, reading)) };
    },
  }),
  operation({
    ...draft,
    id: 'changeDraftOptions',
    method: 'post',
    path: '/drafts/{id}/options',
    problems: [...changes, 'account_unknown', 'account_incomplete'],
    summary: 'Change the options of the campaign that the draft becomes',
    body: z.strictObject({ version, options: optionsSchema }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id = '' }, body: { version, options } }) {
      return { body: draftViewDocument(await drafts.choose(id, { by: person.name, version }, options)) };
    },
  }),
  operation({
    ...draft,
    id: 'startDraft',
    method: 'post',
    path: '/drafts/{id}/start',
    startsSomething: true,
    statuses: [201, 200],
    problems: [
      ...changes,
      ...(['plan_changed', 'manifest_known', 'import_conflict', 'manifest_unreadable'] as const),
      ...(['service_unreachable', 'service_failed', 'account_unknown', 'account_incomplete'] as const),
    ],
    summary: 'Start a draft, if it still has this version and this number of posts',
    description: 'Answers 200 with the campaign if the draft was started before.',
    body: z.strictObject({ version, posts: z.int().min(1).describe('`check.accepted` of the draft.') }),
    answer: campaignSchema,
    async handle({ drafts, person, params: { id = '' }, body: { version, posts } }) {
      const agreed = { by: person.name, version, rows: posts };
      const { campaign, isNew } = await drafts.start(id, agreed);
      return { body: campaignDocument(campaign), status: isNew ? 201 : 200 };
    },
  }),
  operation({
    ...draft,
    id: 'discardDraft',
    method: 'delete',
    path: '/drafts/{id}',
    problems: changes,
    summary: 'Discard a draft and its files',
    answer: z.strictObject({ discarded: z.string() }),
    async handle({ drafts, params: { id = '' } }) {
      await drafts.discard(id);
      return { body: { discarded: id } };
    },
  }),
  fileOperation({
    ...read,
    id: 'downloadDraft',
    method: 'get',
    path: '/drafts/{id}/sheet',
    problems: [...found, 'draft_refused'],
    contentTypes: [...Object.values(sheetContentTypes), 'application/octet-stream'],
    summary: 'Download the sheet: as it came, with its problems, or mended',
    query: { which: z.enum(draftSheets).default('mended') },
    handle: ({ drafts, params: { id = '' }, query: { which } }) => drafts.download(id, which),
  }),
];
