/** Videos in sheets: import into the watch list, and export of the samples. */

import { z } from 'zod';
import { sheetContentTypes, sheetFormats } from '../../../sheets/write/format.ts';
import { videoCommandSchemas } from '../../../videos/documents.ts';
import { exportVideos } from '../../../videos/export.ts';
import { describeImport, importVideos } from '../../../videos/import/import.ts';
import { readSpan } from '../../../videos/spans.ts';
import { findVideo } from '../../../videos/watch-list.ts';
import { account, flag, text } from '../fields.ts';
import { fileOperation, type Operation, operation } from '../operation.ts';
import { ApiProblem } from '../problem.ts';
import { fileReading, fileReadingOf } from '../sheet-query.ts';

export const videoSheetOperations: readonly Operation[] = [
  operation({
    id: 'importVideos',
    method: 'post',
    path: '/videos',
    role: 'operator',
    tag: 'Videos',
    takesSheet: true,
    readsSheet: true,
    startsSomething: true,
    problems: ['manifest_unreadable', 'sheet_refused', 'account_unknown'],
    summary: 'Add the videos of a sheet to the watch list',
    description:
      'A results sheet with `video_url` filled in will do. Videos that are on the list already are not added again. If the sheet has ' +
      'problems, nothing is added, and the problem document lists them in `check`.',
    query: { ...fileReading, account: account.optional() },
    answer: videoCommandSchemas['videos import'],
    async handle({ runtime, query: { account, ...query }, sheet }) {
      const imported = await importVideos(runtime, sheet, { account, sheet: fileReadingOf(query) });
      const check = describeImport(imported);
      if (imported.check.problems.total > 0) {
        throw new ApiProblem(422, 'sheet_refused', 'the sheet has problems, and no video was added', {
          cure: 'Mend the rows that `check` names.',
          check,
        });
      }
      return { body: check };
    },
  }),
  fileOperation({
    id: 'exportVideos',
    method: 'get',
    path: '/video-export',
    role: 'viewer',
    tag: 'Videos',
    problems: ['date_invalid', 'video_not_found'],
    contentTypes: Object.values(sheetContentTypes),
    summary: 'Download the samples as a sheet: a line for each video and sample',
    query: {
      format: z.enum(sheetFormats).default('csv'),
      wide: flag.default(false).describe('A line for each video, with its growth.'),
      video: text.optional().describe('Only this video, by its id or URL.'),
      campaign: text.optional().describe('Only videos of this campaign.'),
      since: text.optional().describe('A date, a time with its offset, or `7d` for seven days ago.'),
      until: text.optional(),
    },
    async handle({ runtime, query: { video: given, format, ...filter } }) {
      // Checked before the answer begins: afterwards the status can no longer say that it was refused.
      readSpan(runtime, filter);
      const video = given === undefined ? undefined : (await findVideo(runtime, given)).id;
      return {
        fileName: `${video === undefined ? 'videos' : `video-${video}`}.${format}`,
        contentType: sheetContentTypes[format],
        async write(to) {
          await exportVideos(runtime, { to, format, video, ...filter });
        },
      };
    },
  }),
];
