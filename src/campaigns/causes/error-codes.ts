/**
 * All codes of row errors, and their repairs. `docs/runbook.md` lists the same; a test compares both with the sources. Codes
 * are stable: sheets and scripts depend on them.
 */
import { forbiddenCode } from '../../api/contract/codes.ts';
import { authorizationExpiredCode } from '../../api/contract/showcase.ts';
import type { RepairKind } from '../documents/campaign.ts';

/** Repairs of failed rows. */
export type FailedRepair = Exclude<RepairKind, 'settle'>;

const repairs: Readonly<Record<string, FailedRepair>> = {
  outcome_unknown: 'retry',
  records_lost: 'retry',
  // In review only.
  posted_twice: 'retry',
  post_of_another_row: 'retry',
  sent_too_late: 'retry',
  malformed_answer: 'retry',
  server_error: 'retry',
  service_unreachable: 'retry',
  showcase_refused: 'mend',
  generation_failed: 'retry',
  generation_cancelled: 'retry',
  generation_expired: 'retry',
  poll_deadline: 'retry',
  poll_refused: 'retry',
  late: 'mend',
  // The file can be put where the row expects it, so the row needs no change.
  media_missing: 'retry',
  media_not_regular: 'retry',
  media_unreadable: 'retry',
  media_empty: 'retry',
  media_too_large: 'retry',
  media_cover_too_large: 'retry',
  media_changed: 'retry',
  media_address_refused: 'retry',
  media_download_failed: 'retry',
  media_spool_full: 'retry',
  media_outside_root: 'mend',
  media_type_mismatch: 'mend',
  media_type_unknown: 'mend',
  media_url_invalid: 'mend',
  media_download_refused: 'mend',
  media_not_uploaded: 'retry',
  media_not_known: 'retry',
  reference_without_url: 'mend',
  invalid_request: 'mend',
  not_configured: 'retry',
  upload_failed: 'retry',
  upload_address_refused: 'retry',
  upload_url_expired: 'retry',
  internal_error: 'retry',
  data_damaged: 'retry',
  jobs_lost: 'retry',
  row_unreadable: 'mend',
  // Most causes are temporary. If the cause is in the row, the message says so.
  publishing_failed: 'retry',
  post_unread: 'retry',
};

/** Our own codes, besides those of the service (`http_<status>` and its business codes). */
export const errorCodes: readonly string[] = Object.keys(repairs);

/** The repair of a failed row with this code. Default: `mend`, because the service refuses a row until it is changed. */
export function repairOf(code: string): FailedRepair {
  if (code === String(authorizationExpiredCode)) return 'authorize';
  // The row is right: somebody lacks a permission.
  if (code === String(forbiddenCode)) return 'retry';
  return repairs[code] ?? 'mend';
}
