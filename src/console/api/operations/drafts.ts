/** Drafts: a sheet is handed in, mended in its own cells, given its media, and started, as on the page `/campaigns/new/DRAFT`. */
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { campaignDocument, campaignSchema } from '../../../campaigns/documents/campaign.ts';
import { draftSheets } from '../../../drafts/download.ts';
import { optionsSchema, readingSchema } from '../../../drafts/draft.ts';
import { createDraft, findDraft, listDrafts } from '../../../drafts/drafts.ts';
import { kindOfFile } from '../../../drafts/files/dropped-path.ts';
import { removeMedium } from '../../../drafts/files/media.ts';
import { listStoredFiles, readFilesProgress } from '../../../drafts/files/progress.ts';
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
import { drafts, Existing } from '../operation.ts';
import { integer } from '../parameters.ts';

const changes = ['draft_changed', 'draft_refused'] as const;
const version = z
  .int()
  .min(1)
  .describe('`version` of the draft as you saw it. The request is refused if the draft has changed since.');

/** Longest texts of the rows of one answer together, in UTF-16 units. One row alone may have a million. */
const mostCharacters = 1_000_000;

export const draftOperations = [
  drafts.viewer('GET /drafts', 'listDrafts', {
    summary: 'List drafts, the last one changed first',
    answer: z.strictObject({
      drafts: z.array(draftDocumentSchema),
      unreadable: z.array(z.string()).describe('Ids of drafts whose record is damaged.'),
    }),
    async handle({ runtime }) {
      const { drafts, unreadable } = await listDrafts(runtime);
      return { drafts: drafts.map(draftDocument), unreadable: unreadable.map(({ id }) => id) };
    },
  }),
  drafts.operator('POST /drafts', 'createDraft', {
    summary: 'Make a draft from a sheet, and check it',
    takesSheet: true,
    startsSomething: true,
    statuses: [201],
    problems: [...changes, 'draft_not_found', 'drafts_full', 'upload_refused', 'manifest_unreadable'],
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
      return draftViewDocument(await drafts.look(id));
    },
  }),
  drafts.viewer('GET /drafts/{id}', 'showDraft', {
    summary: 'Show a draft and the result of its check',
    description: 'Starts a check if there is none. Ask again while `state` is `checking`.',
    answer: draftViewSchema,
    async handle({ drafts, params: { id } }) {
      return draftViewDocument(await drafts.look(id));
    },
  }),
  drafts.viewer('GET /drafts/{id}/rows', 'listDraftRows', {
    summary: 'List rows of the sheet as edited, with their problems',
    description:
      'If rows are very long, an answer has fewer than `limit`, but at least one. Continue with `from` after the last one.',
    query: {
      of: windowSchema.default('all').describe('Which rows; or the id of a group.'),
      from: integer(0, 10_000_000).default(0).describe('Index of the first one, from 0.'),
      limit: integer(1, 500).default(50),
    },
    answer: z.strictObject({ total: z.int(), from: z.int(), rows: z.array(draftRowSchema) }),
    async handle({ drafts, params: { id }, query: { of, from, limit } }) {
      const window = await drafts.window(id, of, from, limit, mostCharacters);
      return { total: window.total, from, rows: window.rows.map(draftRowDocument) };
    },
  }),
  drafts.viewer('GET /drafts/{id}/suggestions', 'listSuggestions', {
    summary: 'List suggestions for rows with the same problem, taken from the sheet itself',
    query: { group: groupIdSchema.optional().describe('Id of the group; default: the largest one.') },
    answer: z.strictObject({ suggestions: z.array(suggestionSchema) }),
    async handle({ drafts, params: { id }, query }) {
      const group = query.group ?? (await drafts.look(id)).checked?.groups[0]?.id;
      const suggestions = group === undefined ? [] : await drafts.suggestions(id, group);
      return {
        suggestions: suggestions.map(({ label, evidence, mends }) => ({ label, evidence, cells: mends })),
      };
    },
  }),
  drafts.operator('POST /drafts/{id}/mends', 'mendDraft', {
    summary: 'Edit cells, skip or include rows, or post rows again that are posted already',
    problems: changes,
    description: "The planner's file is not changed. Only the changed rows are checked at once.",
    body: mendSchema.extend({ version }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id }, body: { version, ...mend } }) {
      const view = await drafts.mend(id, { by: person.name, version }, mend, 'edited rows by the API');
      return draftViewDocument(view);
    },
  }),
  drafts.operator('POST /drafts/{id}/undo', 'undoMend', {
    summary: 'Undo the last edit',
    problems: changes,
    body: z.strictObject({ version }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id }, body: { version } }) {
      return draftViewDocument(await drafts.undo(id, { by: person.name, version }));
    },
  }),
  drafts.operator('POST /drafts/{id}/reading', 'changeReading', {
    summary: 'Change how the sheet is read: its columns, zone, separator, encoding',
    problems: changes,
    body: z.strictObject({ version, reading: readingSchema }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id }, body: { version, reading } }) {
      return draftViewDocument(await drafts.read(id, { by: person.name, version }, reading));
    },
  }),
  drafts.operator('POST /drafts/{id}/options', 'changeDraftOptions', {
    summary: 'Change the options of the campaign that the draft becomes',
    problems: [...changes, 'account_unknown', 'account_incomplete'],
    body: z.strictObject({ version, options: optionsSchema }),
    answer: draftViewSchema,
    async handle({ drafts, person, params: { id }, body: { version, options } }) {
      return draftViewDocument(await drafts.choose(id, { by: person.name, version }, options));
    },
  }),
  drafts.operator('POST /drafts/{id}/start', 'startDraft', {
    summary: 'Start a draft, if it still has this version and this number of posts',
    startsSomething: true,
    statuses: [201, 200],
    problems: [
      ...changes,
      ...([
        'plan_changed',
        'posts_exist',
        'manifest_known',
        'import_conflict',
        'manifest_unreadable',
      ] as const),
      ...(['service_unreachable', 'service_failed', 'account_unknown', 'account_incomplete'] as const),
    ],
    description: 'Answers 200 with the campaign if the draft was started before.',
    body: z.strictObject({
      version,
      posts: z.int().min(1).describe('`check.accepted` of the draft.'),
      mayPostTwice: z
        .boolean()
        .default(false)
        .describe(
          'Send `true` to start rows that may be posts that exist already: rows to be posted again, and rows that were posted at ' +
            'another time. Otherwise the start is refused (`posts_exist`).',
        ),
    }),
    answer: campaignSchema,
    async handle({ drafts, person, params: { id }, body: { version, posts, mayPostTwice } }) {
      const agreed = { by: person.name, version, rows: posts, mayPostTwice };
      const { campaign, isNew } = await drafts.start(id, agreed);
      const started = campaignDocument(campaign);
      return isNew ? started : new Existing(started);
    },
  }),
  drafts.operator('DELETE /drafts/{id}', 'discardDraft', {
    summary: 'Discard a draft and its files',
    problems: changes,
    answer: z.strictObject({ discarded: z.string() }),
    async handle({ drafts, params: { id } }) {
      await drafts.discard(id);
      return { discarded: id };
    },
  }),
  drafts.viewer('GET /drafts/{id}/sheet', 'downloadDraft', {
    summary: 'Download the sheet: the original, its problems, or as edited',
    problems: ['draft_refused'],
    answer: [...Object.values(sheetContentTypes), 'application/octet-stream'],
    query: { which: z.enum(draftSheets).default('mended') },
    handle: ({ drafts, params: { id }, query: { which } }) => drafts.download(id, which),
  }),
  drafts.viewer('GET /drafts/{id}/files', 'listDraftFiles', {
    summary: 'List the media of a draft: those that are complete, and those still arriving',
    query: {
      from: integer(0, 1_000_000).default(0).describe('Index of the first one, from 0.'),
      limit: integer(1, 500).default(50),
    },
    answer: z.strictObject({
      total: z.int().describe('Media that are complete.'),
      announced: z.int().describe('All media: complete, and still to come.'),
      arrivedBytes: z.int(),
      announcedBytes: z.int(),
      files: z.array(z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() })),
      refused: z
        .array(z.strictObject({ path: z.string(), why: z.string() }))
        .describe('Media that were refused.'),
    }),
    async handle({ runtime, params: { id }, query: { from, limit } }) {
      await findDraft(runtime, id);
      const [{ media, refused }, { files, total }] = await Promise.all([
        readFilesProgress(runtime, id),
        listStoredFiles(runtime, id, { from, most: limit }),
      ]);
      return {
        total,
        announced: media.ofFiles,
        arrivedBytes: media.bytes,
        announcedBytes: media.ofBytes,
        files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
        refused: [...refused].map(([path, why]) => ({ path, why })),
      };
    },
  }),
  drafts.operator('DELETE /drafts/{id}/files/{path}', 'removeDraftFile', {
    summary: 'Remove a media file from a draft',
    problems: ['draft_changed', 'draft_refused', 'upload_not_found'],
    description: 'Rows that name it then have a problem.',
    answer: z.strictObject({ removed: z.string() }),
    async handle({ runtime, person, params: { id, path } }) {
      await removeMedium(runtime, id, path, person.name);
      return { removed: path };
    },
  }),
  drafts.operator('POST /drafts/{id}/check', 'checkDraft', {
    summary: 'Check the sheet and the media of a draft again',
    problems: ['draft_changed', 'draft_refused'],
    answer: draftViewSchema,
    async handle({ drafts, params: { id } }) {
      return draftViewDocument(await drafts.checkAgain(id));
    },
  }),
];
