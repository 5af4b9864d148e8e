/** The columns that files of ours have beside those of a manifest: results, figures of videos, approvals, problems. */

/** Columns that a results sheet adds; ignored on import. */
export const resultColumns = [
  'ledger',
  'campaign',
  'status',
  'post_id',
  'post_status',
  'scheduled_at_utc',
  'file_ids',
  'asset_urls',
  'video_url',
  'step',
  'error_code',
  'error',
  'updated_at',
] as const;
export type ResultColumn = (typeof resultColumns)[number];

/** `status` of a row that is in the planner's sheet, but not in the campaign. */
export const skippedStatus = 'skipped';

/** The column that a results sheet adds before the others if its campaign generates media. */
export const noteColumn = 'note';

/** The column that results in the planner's own file add in any case: what the campaign has instead of her cells, which stay as they are. */
export const insteadColumn = 'posted_with';

/** Columns with the latest public counters of a video, in the order in which the ledger stores them. */
export const countColumns = [
  'play_count',
  'digg_count',
  'comment_count',
  'share_count',
  'collect_count',
] as const;
export type CountColumn = (typeof countColumns)[number];

/** Columns that the results sheet of a campaign with known videos adds; ignored on import. */
export const figureColumns = [...countColumns, 'sampled_at'] as const;

/** Columns that the results sheet of a campaign with approvals or comments adds; ignored on import. */
export const approvalColumns = ['approval', 'approved_by', 'comments'] as const;

/** Columns that a problems file adds; ignored on import, so that its rows can be corrected in place. */
export const problemColumns = ['line', 'column', 'problem', 'fix'] as const;
