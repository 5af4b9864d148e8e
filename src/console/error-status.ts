/** HTTP statuses of errors of use cases, for pages and the API. */
import type { UseCaseErrorCode } from '../runtime/use-case-error.ts';

/** Other codes answer 409. */
const statuses: Partial<Readonly<Record<UseCaseErrorCode, number>>> = {
  account_unknown: 404,
  campaign_not_found: 404,
  row_not_found: 404,
  media_not_shown: 404,
  creator_not_found: 404,
  operation_unknown: 404,
  queue_unknown: 404,
  video_not_found: 404,
  scrape_not_found: 404,
  user_not_found: 404,
  token_not_found: 404,
  draft_not_found: 404,
  upload_not_found: 404,
  user_name_invalid: 422,
  password_invalid: 422,
  upload_refused: 422,
  manifest_unreadable: 422,
  draft_refused: 422,
  rate_invalid: 422,
  schedule_invalid: 422,
  date_invalid: 422,
  decision_unseen: 422,
  redis_unusable: 503,
  figures_busy: 503,
  sheets_busy: 503,
  service_unreachable: 503,
  service_failed: 502,
  draft_not_stored: 507,
  drafts_full: 507,
  settings_invalid: 500,
};

export function statusOfError(code: UseCaseErrorCode): number {
  return statuses[code] ?? 409;
}
