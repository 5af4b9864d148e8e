/** The samples as a sheet, streamed. */
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { exportVideos } from '../../../videos/export.ts';
import { readSpan } from '../../../videos/spans.ts';
import { findVideo } from '../../../videos/watch-list.ts';
import type { Download, PageRequest } from '../../request.ts';
import { readAsked } from './query.ts';

/** @throws {UseCaseError} `date_invalid`. */
export function exportList(request: PageRequest): Download {
  return download(request, 'videos', undefined);
}

/** @throws {UseCaseError} `video_not_found`, `date_invalid`. */
export async function exportVideo(request: PageRequest): Promise<Download> {
  const { id } = await findVideo(request.runtime, request.params.id ?? '');
  return download(request, `video-${id}`, id);
}

function download(request: PageRequest, name: string, video: string | undefined): Download {
  const { runtime, params, query } = request;
  const { campaign, creator, product, state } = readAsked(request);
  const format = params.format === 'csv' ? 'csv' : 'xlsx';
  const date = query.get('since') || undefined;
  // Checked before the answer begins: afterwards the status can no longer say that it was refused.
  readSpan(runtime, { since: date });
  return {
    kind: 'download',
    fileName: `${name}.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to) => {
      await exportVideos(runtime, {
        to,
        format,
        withMark: true,
        video,
        campaign,
        creator,
        product,
        state,
        since: date,
      });
    },
  };
}
