/**
 * `campaign-runner`: the use cases of the command line, for programs. Open a `Runtime` first: it is the first argument of
 * every use case. A refusal is a `UseCaseError` with a stable `code` and a `cure`.
 */

export * from './campaigns/budgets.ts';
export * from './campaigns/cancel.ts';
export { type DecideFilter, decideMany, type ManyDecided } from './campaigns/decisions/decide-many.ts';
export { decideRow } from './campaigns/decisions/decide-row.ts';
export { decideSheet, type SheetDecided } from './campaigns/decisions/decide-sheet.ts';
export { undoDecision } from './campaigns/decisions/undo.ts';
export type { Verdict } from './campaigns/decisions/verdict.ts';
export * from './campaigns/delete.ts';
export { commandSchemas, errorSchema } from './campaigns/documents/commands.ts';
export { findCampaign } from './campaigns/find.ts';
export { type CheckedManifest, checkManifestFile } from './campaigns/hand-in/check.ts';
export { mergeInto } from './campaigns/hand-in/into.ts';
export { type ManifestFile, openManifest } from './campaigns/hand-in/manifest-file.ts';
export { type Started, startCampaign } from './campaigns/hand-in/start.ts';
export * from './campaigns/hold.ts';
export * from './campaigns/journal.ts';
export * from './campaigns/list.ts';
export * from './campaigns/look-up.ts';
export { deliverNotifications } from './campaigns/notifications.ts';
export { followCampaigns } from './campaigns/progress/follow.ts';
export { type Refreshed, refreshCampaign } from './campaigns/records.ts';
export { type Cause, causesOf } from './campaigns/repair/causes.ts';
export { resumeCreator } from './campaigns/repair/resume-creator.ts';
export { type RetryFilter, type RetryResult, retryRows } from './campaigns/repair/retry.ts';
export { type ResultsTarget, writeResults } from './campaigns/results/write.ts';
export * from './campaigns/show.ts';
export { type ShownRow, showRow } from './campaigns/show-row.ts';
export { findUnfinished } from './campaigns/unfinished.ts';
export { workOff } from './campaigns/work-off.ts';
export { type Configuration, readConfiguration } from './runtime/configuration.ts';
export { openRuntime, type Runtime, type RuntimeOptions } from './runtime/runtime.ts';
export { UseCaseError, type UseCaseErrorCode } from './runtime/use-case-error.ts';
export { createWorkers } from './runtime/workers.ts';
export { videoCommandSchemas } from './videos/documents.ts';
export { exportVideos, writeReport } from './videos/export/export.ts';
export { findVideo } from './videos/find.ts';
export { importVideos } from './videos/import/import.ts';
export { listVideos, removeVideo } from './videos/list.ts';
export { reportVideos } from './videos/report/report.ts';
export { removeSchedule, setSchedule, showSchedule } from './videos/schedule.ts';
export { scrapeVideos } from './videos/scrape.ts';
export { showVideo } from './videos/show.ts';
