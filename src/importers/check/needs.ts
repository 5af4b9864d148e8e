/** Operations that the contract refers to but does not show: a manifest that needs one which is not set is told so (contract, section 4.9). */
import type { Settings } from '../../../config/schema.ts';
import type { CellProblem } from '../../manifest/problem.ts';
import { showValue } from '../../manifest/problem.ts';
import type { Row } from '../../manifest/row.ts';

/** What the row needs for itself. */
export function checkRowNeeds(row: Pick<Row, 'cover'>, api: Settings['api']): CellProblem | null {
  if (row.cover?.kind !== 'file' || api.uploadCover !== null) return null;
  return {
    column: 'cover',
    code: 'upload_cover_not_set',
    value: showValue(row.cover.source),
    problem: 'a cover has to be uploaded, but the settings do not say how: api.uploadCover is not set',
    cure: 'Set api.uploadCover, or use cover_timestamp_ms, or cover_file_id with cover_uri.',
  };
}

/** What every manifest with rows needs: each post's media is uploaded, and an upload has to be confirmed. */
export function checkManifestNeeds(api: Settings['api']): CellProblem | null {
  if (api.confirmUpload !== null) return null;
  return {
    column: null,
    code: 'confirm_upload_not_set',
    value: '',
    problem:
      'media has to be uploaded, but the settings do not say how an upload is confirmed: api.confirmUpload is not set',
    cure: 'Set api.confirmUpload (method, path, body) in the settings file.',
  };
}
