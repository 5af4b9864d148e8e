/**
 * Error of a use case, in words for people. The command line turns it into an exit code, the REST API into a problem document
 * (RFC 9457). Codes are stable: scripts and pages depend on them.
 */
import type { Fix } from './hint.ts';

/** All codes, each with what kind of refusal it is: surfaces turn kinds into statuses. */
const kinds = {
  // The process and its surroundings.
  settings_invalid: 'settings',
  redis_unusable: 'busy',
  ledger_format: 'conflict',
  clock_wrong: 'conflict',
  service_unreachable: 'busy',
  service_failed: 'service',
  service_not_configured: 'conflict',
  // A campaign and its rows.
  campaign_not_found: 'missing',
  campaign_unreadable: 'conflict',
  campaign_cancelled: 'conflict',
  campaign_unfinished: 'conflict',
  campaign_in_review: 'conflict',
  row_not_found: 'missing',
  creator_not_found: 'missing',
  creator_ambiguous: 'conflict',
  decision_refused: 'conflict',
  approval_refused: 'conflict',
  comment_refused: 'invalid',
  decision_early: 'conflict',
  decision_unseen: 'invalid',
  // A sheet, read or written.
  manifest_unreadable: 'invalid',
  sheet_refused: 'invalid',
  row_refused: 'invalid',
  manifest_known: 'conflict',
  media_root_missing: 'conflict',
  media_not_shown: 'missing',
  edit_refused: 'conflict',
  import_conflict: 'conflict',
  plan_changed: 'conflict',
  posts_exist: 'conflict',
  options_differ: 'conflict',
  draft_not_found: 'missing',
  draft_changed: 'conflict',
  canary_empty: 'invalid',
  draft_refused: 'invalid',
  draft_not_stored: 'full',
  drafts_full: 'full',
  upload_not_found: 'missing',
  upload_refused: 'invalid',
  sheet_not_written: 'conflict',
  file_exists: 'conflict',
  // Videos.
  video_not_found: 'missing',
  scrape_not_found: 'missing',
  no_videos: 'conflict',
  figures_busy: 'busy',
  sheets_busy: 'busy',
  schedule_invalid: 'invalid',
  date_invalid: 'invalid',
  // Users of the console.
  user_not_found: 'missing',
  user_exists: 'conflict',
  user_name_invalid: 'invalid',
  users_full: 'conflict',
  last_admin: 'conflict',
  password_invalid: 'invalid',
  sign_in_busy: 'conflict',
  token_not_found: 'missing',
  tokens_full: 'conflict',
  tokens_changed: 'conflict',
  link_not_found: 'missing',
  links_full: 'conflict',
  // Rate limits and queues.
  operation_unknown: 'missing',
  rate_invalid: 'invalid',
  queue_unknown: 'missing',
  // HTTP.
  request_invalid: 'invalid',
  address_unusable: 'conflict',
} as const;

export type UseCaseErrorCode = keyof typeof kinds;
export type RefusalKind = (typeof kinds)[UseCaseErrorCode];

export function kindOfRefusal(code: UseCaseErrorCode): RefusalKind {
  return kinds[code];
}

/** A refusal: `message` says what happened, `fix` what to do, and `code` is stable. */
export class UseCaseError extends Error {
  override readonly name = 'UseCaseError';
  readonly code: UseCaseErrorCode;
  readonly fix: Fix | undefined;
  /** More members of a problem document, such as the problems of a sheet. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param message what happened, to what; without a final full stop. */
  constructor(
    code: UseCaseErrorCode,
    message: string,
    options: {
      readonly fix?: Fix | undefined;
      readonly details?: Readonly<Record<string, unknown>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
    this.details = options.details ?? {};
  }
}
