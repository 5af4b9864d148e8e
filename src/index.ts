/**
 * `campaign-runner`: the operations of the REST API, for programs. Open a `Runtime` first: it is the first argument of each. A refusal is a
 * `UseCaseError` with a stable `code` and a `fix`: text, or sentences and hints, which `plainFix` and `fixText` turn into text. Types of
 * the service (`CreatorAccount`, ...) come from `campaign-runner/api`.
 */
export type { Environment } from '../config/load.ts';
export type { Settings } from '../config/schema.ts';
export {
  type FollowOptions,
  followCampaigns,
  runUntilDone as workOff,
  type WorkOffOptions,
} from './app/campaigns/run-until-done.ts';
export type { FileReply } from './app/operations/operation.ts';
export { type Operations, operations } from './app/operations.ts';
export { type Configuration, readConfiguration } from './app/runtime/configuration.ts';
export { openRuntime, type Runtime, type RuntimeOptions } from './app/runtime/runtime.ts';
export { createWorkers, type WorkersChoice } from './app/runtime/workers.ts';
export { type OpenManifest, type OpenManifestOptions, openManifest } from './importers/open/manifest-file.ts';
export type { ManifestRow, ManifestRows } from './importers/open/program-rows.ts';
export type { Campaign } from './ledger/campaigns/campaign.ts';
export { type Fix, fixText, type Hint, type HintTexts, plainFix } from './manifest/problems/hint.ts';
export { UseCaseError, type UseCaseErrorCode } from './manifest/problems/use-case-error.ts';
export type { Workers } from './processors/workers.ts';
