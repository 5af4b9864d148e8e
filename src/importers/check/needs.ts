/** Finds missing settings for operations that the contract mentions but does not define (contract, section 4.9). */
import type { Settings } from '../../../config/schema.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { Row } from '../../manifest/row.ts';

/** Checks the settings that a single row needs. */
export function checkRowNeeds(row: Pick<Row, 'cover'>, api: Settings['api']): CellProblem | null {
  if (row.cover?.kind !== 'file' || api.uploadCover !== null) return null;
  return {
    column: 'cover',
    code: 'upload_cover_not_set',
    value: showValue(row.cover.source),
    problem: 'this cover must be uploaded, but the setting api.uploadCover is missing',
    cure: 'Set api.uploadCover, or use cover_timestamp_ms, or cover_file_id with cover_uri.',
  };
}

/** Checks the settings that every manifest needs: each post uploads media, and each upload must be confirmed. */
export function checkManifestNeeds(api: Settings['api']): CellProblem | null {
  if (api.confirmUpload !== null) return null;
  return {
    column: null,
    code: 'confirm_upload_not_set',
    value: '',
    problem: 'uploads must be confirmed, but the setting api.confirmUpload is missing',
    cure: 'Set api.confirmUpload (method, path, body) in the settings file.',
  };
}
