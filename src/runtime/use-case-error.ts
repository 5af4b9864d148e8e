/**
 * Error of a use case, in words for people. The command line turns it into an exit code, the REST API into a problem document
 * (RFC 9457). Codes
 * are stable: scripts and pages depend on them.
 */
import type { Cure } from '../manifest/problems/hint.ts';

export type UseCaseErrorCode =
  // The process and its surroundings.
  | 'settings_invalid'
  | 'redis_unusable'
  | 'ledger_format'
  | 'clock_wrong'
  | 'account_unknown'
  | 'account_incomplete'
  | 'service_unreachable'
  | 'service_failed'
  | 'service_not_configured'
  // A campaign and its rows.
  | 'campaign_not_found'
  | 'campaign_unreadable'
  | 'campaign_cancelled'
  | 'campaign_unfinished'
  | 'campaign_in_review'
  | 'row_not_found'
  | 'creator_not_found'
  | 'creator_ambiguous'
  | 'decision_refused'
  | 'decision_early'
  | 'decision_unseen'
  // A sheet, read or written.
  | 'manifest_unreadable'
  | 'manifest_known'
  | 'media_root_missing'
  | 'media_not_shown'
  | 'edit_refused'
  | 'import_conflict'
  | 'plan_changed'
  | 'options_differ'
  | 'draft_not_found'
  | 'draft_changed'
  | 'draft_refused'
  | 'draft_not_stored'
  | 'drafts_full'
  | 'upload_not_found'
  | 'upload_refused'
  | 'sheet_not_written'
  | 'file_exists'
  // Videos.
  | 'video_not_found'
  | 'scrape_not_found'
  | 'no_videos'
  | 'figures_busy'
  | 'sheets_busy'
  | 'schedule_invalid'
  | 'date_invalid'
  // Users of the console.
  | 'user_not_found'
  | 'user_exists'
  | 'user_name_invalid'
  | 'users_full'
  | 'last_operator'
  | 'password_invalid'
  | 'sign_in_busy'
  | 'token_not_found'
  | 'tokens_full'
  | 'tokens_changed'
  // Budgets and queues.
  | 'operation_unknown'
  | 'rate_invalid'
  | 'queue_unknown'
  // HTTP.
  | 'address_unusable';

/** A refusal: `message` says what happened, `cure` what to do, and `code` is stable. */
export class UseCaseError extends Error {
  override readonly name = 'UseCaseError';
  readonly code: UseCaseErrorCode;
  /** What to do about it: text, or text and hints. */
  readonly cure: Cure | undefined;

  /** @param message what happened, to what; without a final full stop. */
  constructor(
    code: UseCaseErrorCode,
    message: string,
    options: { readonly cure?: Cure | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.cure = options.cure;
  }
}
