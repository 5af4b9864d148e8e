/** Drafts: a sheet is handed in, edited in its own cells, given its media, and started, as on the page `/campaigns/new/DRAFT`. */

import { z } from 'zod';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { few, plural } from '../../manifest/wording.ts';
import { sheetContentTypes } from '../../sheets/write/format.ts';
import { campaignDocument, campaignSchema } from '../campaigns/find.ts';
import { editSchema } from '../campaigns/import/edit.ts';
import { draftSheets } from '../drafts/download.ts';
import { optionsSchema, readingSchema } from '../drafts/draft.ts';
import { createDraft, findDraft, listDrafts } from '../drafts/drafts.ts';
import { kindOfFile } from '../drafts/files/incoming.ts';
import { removeMedium } from '../drafts/files/media.ts';
import { listStoredFiles, readFilesProgress } from '../drafts/files/progress.ts';
import { takeSheet } from '../drafts/files/upload.ts';
import {
  draftDocumentSchema,
  draftRowSchema,
  draftViewSchema,
  groupIdSchema,
  windowSchema,
} from '../drafts/schemas.ts';
import { columnOfFixes } from '../drafts/suggestions/music.ts';
import { suggestionSchema } from '../drafts/suggestions/suggestion.ts';
import { draftDocument, draftRowDocument, draftViewDocument } from '../drafts/view.ts';
import { changesOf, integer } from './fields.ts';
import { drafts, Existing } from './operation.ts';

const changes = ['draft_changed', 'draft_refused'] as const;
const version = z
  .int()
  .min(1)
  .describe('`version` of the draft as you saw it. The request is refused if the draft has changed since.');

/** Longest texts of the rows of one answer together, in UTF-16 units. One row alone may have a million. */
const mostCharacters = 1_000_000;

export const draftOperations = {
  listDrafts: drafts.see('GET /drafts', {
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
  createDraft: drafts.edit('POST /drafts', {
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
          fix: 'Send its name with an extension: ?file=posts.csv',
        });
      }
      const { id } = await createDraft(runtime, person.name);
      try {
        await takeSheet(runtime, { draft: id, path: sheet.file, by: person.name }, sheet.path);
      } catch (error) {
        await drafts.discard(id);
        throw error;
      }
      return draftViewDocument(await drafts.look(id));
    },
    audit: (_input, { id }) => `Made draft ${id}.`,
  }),
  showDraft: drafts.see('GET /drafts/{id}', {
    summary: 'Show a draft and the result of its check',
    description: 'Starts a check if there is none. Ask again while `state` is `checking`.',
    answer: draftViewSchema,
    handle: async ({ drafts }, { id }) => draftViewDocument(await drafts.look(id), await drafts.earlier(id)),
  }),
  listDraftRows: drafts.see('GET /drafts/{id}/rows', {
    summary: 'List rows of the sheet as edited, with their problems',
    description:
      'If rows are very long, an answer has fewer than `limit`, but at least one. Continue with `from` after the last row.',
    query: {
      of: windowSchema.default('all').describe('Which rows; or the id of a group.'),
      from: integer(0, 10_000_000).default(0).describe('Index of the first row, from 0.'),
      limit: integer(1, 500).default(50),
    },
    answer: z.strictObject({ total: z.int(), from: z.int(), rows: z.array(draftRowSchema) }),
    async handle({ drafts }, { id, of, from, limit }) {
      const window = await drafts.window(id, of, from, limit, mostCharacters);
      return { total: window.total, from, rows: window.rows.map(draftRowDocument) };
    },
  }),
  listSuggestions: drafts.see('GET /drafts/{id}/suggestions', {
    summary: 'List suggestions for rows with the same problem',
    query: { group: groupIdSchema.optional().describe('Id of the group; default: the largest group.') },
    answer: z.strictObject({ suggestions: z.array(suggestionSchema) }),
    async handle({ drafts }, { id, ...query }) {
      const group = query.group ?? (await drafts.look(id)).checked?.groups[0]?.id;
      const suggestions = group === undefined ? [] : await drafts.suggestions(id, group);
      const at = (await drafts.look(id)).checked?.columns.length ?? 0;
      return {
        suggestions: suggestions.map(({ label, evidence, edits }) => ({
          label,
          evidence,
          cells: edits,
          ...(edits.some(({ position }) => position >= at) && {
            addColumns: { at, columns: [{ name: columnOfFixes }] },
          }),
        })),
      };
    },
  }),
  editDraft: drafts.edit('POST /drafts/{id}/edits', {
    summary: 'Edit cells, skip or include rows, or let posted rows be posted again',
    problems: changes,
    description: "The planner's file is not changed. Only the changed rows are checked right away.",
    body: editSchema.extend({ version }),
    answer: draftViewSchema,
    async handle({ drafts, person }, { id, version, ...edit }) {
      const view = await drafts.edit(id, { by: person.name, version }, edit, 'edited rows through the API');
      return draftViewDocument(view);
    },
    audit({ id, cells = [], leaveOut = [], takeIn = [], postAgain = [], postOnce = [], addColumns }) {
      const edits = [
        ['added column', addColumns?.columns.map(({ name }) => name) ?? []],
        ['cells of row', [...new Set(cells.map(({ row }) => row))]],
        ['skipped row', leaveOut],
        ['included row', takeIn],
        ['to be posted again: row', postAgain],
        ['not to be posted again: row', postOnce],
      ] as const;
      const some = edits.filter(([, names]) => names.length > 0);
      return `Edited draft ${id}: ${some.map(([what, names]) => `${what} ${few(names)}`).join('; ')}.`;
    },
  }),
  undoEdit: drafts.edit('POST /drafts/{id}/undo', {
    summary: 'Undo the last edit',
    problems: changes,
    body: z.strictObject({ version }),
    answer: draftViewSchema,
    handle: async ({ drafts, person }, { id, version }) =>
      draftViewDocument(await drafts.undo(id, { by: person.name, version })),
    audit: ({ id }) => `Undid the last edit of draft ${id}.`,
  }),
  changeReading: drafts.edit('POST /drafts/{id}/reading', {
    summary: 'Change how the sheet is read: its columns, zone, separator, encoding',
    problems: changes,
    body: z.strictObject({ version, reading: changesOf(readingSchema) }),
    answer: draftViewSchema,
    handle: async ({ drafts, person }, { id, version, reading }) =>
      draftViewDocument(await drafts.read(id, { by: person.name, version }, reading)),
    audit: ({ id }) => `Changed how the sheet of draft ${id} is read.`,
  }),
  changeDraftOptions: drafts.edit('POST /drafts/{id}/options', {
    summary: 'Change the options of the campaign that the draft becomes',
    problems: changes,
    body: z.strictObject({ version, options: changesOf(optionsSchema) }),
    answer: draftViewSchema,
    handle: async ({ drafts, person }, { id, version, options }) =>
      draftViewDocument(await drafts.choose(id, { by: person.name, version }, options)),
    audit: ({ id }) => `Changed the options of draft ${id}.`,
  }),
  startDraft: drafts.run('POST /drafts/{id}/start', {
    summary: 'Start a draft, if it still has this version and this number of posts',
    startsSomething: true,
    statuses: [201, 200],
    problems: [
      ...changes,
      'plan_changed',
      'posts_exist',
      'manifest_known',
      'import_conflict',
      'manifest_unreadable',
      'service_unreachable',
      'service_failed',
      'service_not_configured',
    ],
    description: 'Answers 200 with the campaign if the draft was started before.',
    body: z.strictObject({
      version,
      posts: z.int().min(1).describe('`check.accepted` of the draft.'),
      mayPostTwice: z
        .boolean()
        .default(false)
        .describe(
          'Send `true` to start rows whose post may exist already: rows to be posted again, and rows that were posted at ' +
            'another time. Otherwise the start is refused (`posts_exist`).',
        ),
      agreed: z
        .string()
        .optional()
        .describe('For an update: `check.digest` of the draft. If the plan differs now, nothing is done.'),
    }),
    answer: campaignSchema,
    async handle({ drafts, person }, { id, version, posts, mayPostTwice, agreed: update }) {
      const agreed = { by: person.name, version, rows: posts, mayPostTwice, update };
      const { campaign, isNew } = await drafts.start(id, agreed);
      const started = campaignDocument(campaign);
      return isNew ? started : new Existing(started);
    },
    audit: ({ id }, campaign) =>
      `Started draft ${id} as campaign ${campaign.id}: ${plural(campaign.rows, 'row')}.`,
  }),
  discardDraft: drafts.edit('DELETE /drafts/{id}', {
    summary: 'Discard a draft and its files',
    problems: changes,
    answer: z.strictObject({ discarded: z.string() }),
    async handle({ drafts }, { id }) {
      await drafts.discard(id);
      return { discarded: id };
    },
    audit: ({ id }) => `Discarded draft ${id}.`,
  }),
  downloadDraft: drafts.see('GET /drafts/{id}/sheet', {
    summary: 'Download the sheet: the original, its problems, or as edited',
    problems: ['draft_refused'],
    answer: [...Object.values(sheetContentTypes), 'application/octet-stream'],
    query: { which: z.enum(draftSheets).default('edited') },
    handle: ({ drafts }, { id, which }) => drafts.download(id, which),
  }),
  listDraftFiles: drafts.see('GET /drafts/{id}/files', {
    summary: 'List the media of a draft: those that are complete, and those still arriving',
    query: {
      from: integer(0, 1_000_000).default(0).describe('Index of the first file, from 0.'),
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
        .describe('Refused media by path: at most `limit`, from the same index.'),
      refusedTotal: z.int().describe('Number of refused media, at most 1,000.'),
    }),
    async handle({ runtime }, { id, from, limit }) {
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
        refused: [...refused]
          .map(([path, why]) => ({ path, why }))
          .sort((one, other) => (one.path < other.path ? -1 : 1))
          .slice(from, from + limit),
        refusedTotal: refused.size,
      };
    },
  }),
  removeDraftFile: drafts.edit('DELETE /drafts/{id}/files/{path}', {
    summary: 'Remove a media file from a draft',
    problems: ['draft_changed', 'draft_refused', 'upload_not_found'],
    description: 'Rows that name it then have a problem.',
    answer: z.strictObject({ removed: z.string() }),
    async handle({ runtime, person }, { id, path }) {
      await removeMedium(runtime, id, path, person.name);
      return { removed: path };
    },
    audit: ({ id, path }) => `Removed ${path} from draft ${id}.`,
  }),
  checkDraft: drafts.edit('POST /drafts/{id}/check', {
    summary: 'Check the sheet and the media of a draft again',
    problems: ['draft_changed', 'draft_refused'],
    answer: draftViewSchema,
    handle: async ({ drafts }, { id }) => draftViewDocument(await drafts.checkAgain(id)),
    audit: ({ id }) => `Checked draft ${id} again.`,
  }),
};
