/**
 * `campaign-runner`: the use cases of the command line, for programs. Open a `Runtime` first: it is the first argument of
 * every use case, followed by the campaign (or its id) if it is about one. A refusal is a `UseCaseError` with a stable `code` and a
 * `cure`: text, or sentences and hints, which `plainCure` and `cureText` turn into text. Types of the service (`CreatorAccount`, ...) come
 * from `campaign-runner/api`.
 */
export type { Environment } from '../config/load.ts';
export type { Settings } from '../config/schema.ts';
export { type CancelResult, cancelCampaign } from './campaigns/cancel.ts';
export type { Agreed } from './campaigns/decisions/decide-many.ts';
export {
  type DecideFilter,
  type DecideManyOptions,
  type Decisions,
  decideMany,
  type ManyDecided,
} from './campaigns/decisions/decide-many.ts';
export { decideRow } from './campaigns/decisions/decide-row.ts';
export {
  type DecideSheetOptions,
  decideSheet,
  type SheetDecided,
} from './campaigns/decisions/decide-sheet.ts';
export type {
  DecideOptions,
  DecisionRuntime,
  PlainVerdict,
  Verdict,
} from './campaigns/decisions/decision.ts';
export type { DecisionFile } from './campaigns/decisions/read-sheet.ts';
export { undoDecision } from './campaigns/decisions/undo.ts';
export { type DeleteOptions, deleteCampaign } from './campaigns/delete.ts';
export type { Cause } from './campaigns/documents/campaign.ts';
export {
  type CommandDocument,
  type CommandName,
  commandSchemas,
  errorSchema,
} from './campaigns/documents/commands.ts';
export { type CampaignRef, findCampaign } from './campaigns/find.ts';
export {
  type CheckedManifest,
  type CheckSheetOptions,
  checkSheet,
  type ReadingOptions,
} from './campaigns/import/check.ts';
export type { KnownCampaign } from './campaigns/import/earlier-import.ts';
export { type IntoOptions, type Merged, mergeInto, type PlannedMerge } from './campaigns/import/into.ts';
export type { ManifestRow, ManifestRows, ManifestValue } from './campaigns/import/manifest-file.ts';
export {
  type ManifestFile,
  type OpenManifest,
  type OpenManifestOptions,
  openManifest,
} from './campaigns/import/manifest-file.ts';
export type { PipeOptions } from './campaigns/import/piped-manifest.ts';
export { type Started, type StartOptions, startCampaign } from './campaigns/import/start.ts';
export { acceptJournal, type JournalStatus, readJournal } from './campaigns/journal.ts';
export { type CampaignList, listCampaigns, type ShownCampaign, showCampaign } from './campaigns/list.ts';
export {
  type CreatorQuery,
  type FoundProducts,
  type LookUpOptions,
  listCreators,
  listProducts,
  searchMusic,
} from './campaigns/look-up.ts';
export type { LostRowsRuntime, MaybeSent } from './campaigns/lost-rows.ts';
export { type HoldResult, pauseCampaign, resumeCampaign } from './campaigns/pause-resume.ts';
export { type FollowOptions, followCampaigns } from './campaigns/progress/follow.ts';
export type { Pace } from './campaigns/progress/pace.ts';
export type {
  CampaignProgress,
  Hold,
  SeenWorkers,
  StepProgress,
  Turn,
} from './campaigns/progress/reader.ts';
export {
  changeRateLimit,
  type NewRateLimit,
  type RateLimitChangeOptions,
  type RateLimitRuntime,
  type RateLimitsOfAccount,
  readRateLimits,
  resetRateLimits,
  type ShownRateLimit,
} from './campaigns/rate-limits.ts';
export { type Refreshed, refreshCampaign } from './campaigns/records.ts';
export type { WantedRows } from './campaigns/results/sheet.ts';
export { type ResultsTarget, type WrittenResults, writeResults } from './campaigns/results/write.ts';
export type { RecordRuntime } from './campaigns/retry/recheck.ts';
export {
  type ResumedCreator,
  type RetryFilter,
  type RetryOptions,
  type RetryResult,
  type RetryRuntime,
  resumeCreator,
  retryRows,
} from './campaigns/retry/retry.ts';
export { type ShownRow, showRow } from './campaigns/rows/show-row.ts';
export {
  deliverNotifications,
  findUnfinished,
  type Unfinished,
  type WorkOffOptions,
  workOff,
} from './campaigns/work-off.ts';
export type { FreeBytes } from './fs/disk.ts';
export type { CheckResult } from './importers/check/check.ts';
export type { RowMends } from './importers/check/checked-row.ts';
export type { RegisteredCreator } from './importers/check/creators/creator-check.ts';
export type { RunResult } from './importers/check/manifest-run.ts';
export type { ChangedCell, ChangedRow } from './importers/into/changed-cells.ts';
export type { Match, MatchedRows, SheetMatches } from './importers/into/match-rows.ts';
export type { CanaryChoice, CanaryRow, CanaryRows } from './importers/plan/canary.ts';
export type { Plan, PlannedCalls } from './importers/plan/plan.ts';
export type {
  Campaign,
  CampaignFacts,
  CampaignState,
  PausedBy,
  PauseReason,
  SheetDelimiter,
  UnreadableCampaign,
} from './ledger/campaigns/campaign.ts';
export type { JournalLoss, JournalMark } from './ledger/journal/journal-position.ts';
export type { WorkerFacts, WorkerPresence, WorkerState } from './ledger/presence.ts';
export type { Delivery, DeliveryCounts, DeliveryRules } from './ledger/rows/deliveries.ts';
export type { HistoryEntry } from './ledger/rows/histories.ts';
export type { RowFilter } from './ledger/rows/query.ts';
export type { PostedResult } from './ledger/rows/results.ts';
export type { UnreachableService } from './ledger/service/service-reach.ts';
export type { RecordCandidate, RowError, RowState } from './ledger/states.ts';
export type { Amount } from './ledger/videos/amount.ts';
export type { Measured } from './ledger/videos/growth.ts';
export type { Counts, Snapshot } from './ledger/videos/sample.ts';
export type { Scrape, ScrapeKind, ScrapeState, StopReason } from './ledger/videos/scrapes.ts';
export type { Summary } from './ledger/videos/summary.ts';
export type {
  VideoFacts,
  VideoFailure,
  VideoGone,
  VideoMeta,
  VideoState,
  WatchedVideo,
} from './ledger/videos/video.ts';
export type { AddedVideos } from './ledger/videos/watch-list.ts';
export type { ColumnName } from './manifest/columns.ts';
export type { ColumnMap, MappedTo } from './manifest/headers/column-map.ts';
export type { ColumnProposal } from './manifest/headers/proposals.ts';
export {
  type Action,
  type Actions,
  type Cure,
  type CurePart,
  cureText,
  type Hint,
  type HintParams,
  plainCure,
  type Words,
} from './manifest/problems/hint.ts';
export type { CellProblem, Problem } from './manifest/problems/problem.ts';
export type { ProblemLog } from './manifest/problems/problem-log.ts';
export type { Step } from './manifest/steps.ts';
export type { MissingJob } from './processors/periodic-jobs.ts';
export type { FinishedJob } from './processors/runner/context.ts';
export type { Outcome, StepFailure } from './processors/runner/outcome.ts';
export type { Workers } from './processors/workers.ts';
export type { PeriodicJobName, QueueName } from './queues/queues.ts';
export type { RateLimit, RateLimitStatus } from './queues/rate-limit-book.ts';
export type { Cron, ScrapeSchedule } from './queues/scrape.ts';
export { type Configuration, readConfiguration } from './runtime/configuration.ts';
export type { Document, ReadonlyDeep } from './runtime/documents.ts';
export type { LogTarget } from './runtime/observability/log.ts';
export type { MetricsSource, WorkerMetrics } from './runtime/observability/worker-metrics.ts';
export { openRuntime, type Runtime, type RuntimeOptions } from './runtime/runtime.ts';
export { UseCaseError, type UseCaseErrorCode } from './runtime/use-case-error.ts';
export { createWorkers, type WorkersChoice } from './runtime/workers.ts';
export type { Delimiter } from './sheets/csv/delimiter.ts';
export type { CellFault, SheetFormat, SheetOptions, SheetRow } from './sheets/sheet.ts';
export type { Encoding } from './sheets/text/encoding.ts';
export type { SheetFormat as WrittenFormat } from './sheets/write/format.ts';
export type { SheetStyle } from './sheets/write/sheet-file.ts';
export { type VideoCommandDocument, type VideoCommandName, videoCommandSchemas } from './videos/documents.ts';
export {
  type ExportRequest,
  exportVideos,
  type SheetTarget,
  type WrittenSheet,
  writeReport,
} from './videos/export.ts';
export type { CheckedVideos } from './videos/import/import.ts';
export {
  type ImportedVideos,
  importVideos,
  type VideoImportOptions,
  type VideoSource,
} from './videos/import/import.ts';
export { type Mover, type ReportOptions, reportVideos, type VideoReport } from './videos/report.ts';
export {
  removeSchedule,
  type ScrapeOptions,
  type ShownSchedule,
  scrapeVideos,
  setSchedule,
  showSchedule,
} from './videos/scrape.ts';
export type { GivenSpan, Span } from './videos/spans.ts';
export type { GroupFigures, Grouping } from './videos/sums.ts';
export { findVideo, listVideos, removeVideo, showVideo, type VideoFilter } from './videos/watch-list.ts';
