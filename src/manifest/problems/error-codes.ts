/**
 * Codes of errors. They are stable: sheets and scripts depend on them. The Lua scripts are checked against this table when they are
 * loaded, and `docs/runbook.md` lists those of rows.
 */

/** Codes of ours that rows end with. */
export const rowErrorCodes = [
  'outcome_unknown',
  'records_lost',
  'posted_twice',
  'post_of_another_row',
  'sent_too_late',
  'malformed_answer',
  'server_error',
  'service_unreachable',
  'already_posted',
  'showcase_refused',
  'generation_failed',
  'generation_cancelled',
  'generation_expired',
  'poll_deadline',
  'poll_refused',
  'late',
  'rejected',
  'media_missing',
  'media_ambiguous',
  'media_not_regular',
  'media_unreadable',
  'media_empty',
  'media_too_large',
  'media_cover_too_large',
  'media_changed',
  'media_address_refused',
  'media_download_failed',
  'media_spool_full',
  'media_outside_root',
  'media_type_mismatch',
  'media_type_unknown',
  'media_url_invalid',
  'media_download_refused',
  'media_url_expired',
  'media_web_page',
  'result_expired',
  'media_not_uploaded',
  'media_not_known',
  'reference_without_url',
  'invalid_request',
  'not_configured',
  'upload_failed',
  'upload_address_refused',
  'upload_url_expired',
  'internal_error',
  'data_damaged',
  'jobs_lost',
  'row_unreadable',
  'publishing_failed',
  'post_unread',
] as const;
export type RowErrorCode = (typeof rowErrorCodes)[number];

/** Codes that end no row: why a campaign is paused, what a notification counts, and what happens to videos and their updates. */
export const otherErrorCodes = [
  'paused',
  'not_approved',
  'not_paid',
  'commented',
  'canary',
  'stop_after',
  'journal_behind',
  'key_refused',
  'refused_for_everyone',
  'throttled',
  'video_gone',
  'no_views',
  'other_video',
  'scrape_overlap',
  // Where codes are counted: all further ones.
  'other',
] as const;

/** A code of ours, or of the service: an HTTP status, or the code of its envelope. */
export type ErrorCode = RowErrorCode | (typeof otherErrorCodes)[number] | `http_${number}` | `${number}`;
