/** The samples as a sheet, streamed. */
import { exportVideos } from '../../../videos/export/export.ts';
import { findVideo } from '../../../videos/find.ts';
import type { Download, PageRequest } from '../../request.ts';

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export function exportList(request: PageRequest): Download {
  return download(request, 'videos', undefined);
}

/** @throws {UseCaseError} `video_not_found`. */
export async function exportVideo(request: PageRequest): Promise<Download> {
  const { id } = await findVideo(request.runtime, request.params.id ?? '');
  return download(request, `video-${id}`, id);
}

function download(
  { runtime, params, query }: PageRequest,
  name: string,
  video: string | undefined,
): Download {
  const format = params.format === 'csv' ? 'csv' : 'xlsx';
  const date = query.get('since') ?? '';
  return {
    kind: 'download',
    fileName: `${name}.${format}`,
    contentType: contentTypes[format],
    write: async (to) => {
      await exportVideos(runtime, {
        ...{ to, format, video },
        campaign: query.get('campaign') || undefined,
        // An answer has begun when its lines are written: a date that cannot be read is left out before.
        since: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(date) ? date : undefined,
      });
    },
  };
}
