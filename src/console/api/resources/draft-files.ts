/** The uploaded media of a draft: what the page `/campaigns/new/DRAFT/files` does, except the upload itself. */

import { z } from 'zod';
import { findDraft } from '../../../drafts/drafts.ts';
import { removeMedium } from '../../../drafts/files/media.ts';
import { listStoredFiles, readFilesProgress } from '../../../drafts/files/progress.ts';
import { draftViewDocument, draftViewSchema } from '../../../drafts/view.ts';
import { integer } from '../fields.ts';
import { type Operation, operation } from '../operation.ts';

const found = ['draft_not_found', 'draft_not_stored'] as const;

export const draftFileOperations: readonly Operation[] = [
  operation({
    id: 'listDraftFiles',
    method: 'get',
    path: '/drafts/{id}/files',
    role: 'viewer',
    tag: 'Drafts',
    problems: found,
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
    async handle({ runtime, params: { id = '' }, query: { from, limit } }) {
      await findDraft(runtime, id);
      const [{ media, refused }, { files, total }] = await Promise.all([
        readFilesProgress(runtime, id),
        listStoredFiles(runtime, id, { from, most: limit }),
      ]);
      return {
        body: {
          total,
          announced: media.ofFiles,
          arrivedBytes: media.bytes,
          announcedBytes: media.ofBytes,
          files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
          refused: [...refused].map(([path, why]) => ({ path, why })),
        },
      };
    },
  }),
  operation({
    id: 'removeDraftFile',
    method: 'delete',
    path: '/drafts/{id}/files/{path}',
    role: 'operator',
    tag: 'Drafts',
    problems: [...found, 'draft_changed', 'draft_refused', 'upload_not_found'],
    summary: 'Remove a media file from a draft',
    description: 'Rows that name it then have a problem.',
    answer: z.strictObject({ removed: z.string() }),
    async handle({ runtime, person, params: { id = '', path = '' } }) {
      await removeMedium(runtime, id, path, person.name);
      return { body: { removed: path } };
    },
  }),
  operation({
    id: 'checkDraft',
    method: 'post',
    path: '/drafts/{id}/check',
    role: 'operator',
    tag: 'Drafts',
    problems: [...found, 'draft_changed', 'draft_refused'],
    summary: 'Check the sheet and the media of a draft again',
    answer: draftViewSchema,
    async handle({ drafts, params: { id = '' } }) {
      return { body: draftViewDocument(await drafts.checkAgain(id)) };
    },
  }),
];
