/**
 * Generated assets, and the status of the tasks that make them (contract, sections 2.3, 3 and 4.3). URLs of assets expire, and the task
 * lists of their schedules name fresh ones at no cost.
 */
import { type GenerationRecord, latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Generation } from '../../manifest/row.ts';
import type { UploadPayload } from '../../queues/row-jobs.ts';
import { type AiTask, completedStatus } from '../../service/contract/generation.ts';
import { ForbiddenError, RefusedError } from '../../service/errors.ts';
import { MediaError, type MediaErrorCode } from '../../service/media/errors.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { RateLimitReached, takePermit } from '../runner/service.ts';
import type { RowInput } from '../runner/step.ts';

const operation = 'listAiTasksByScheduleId';

/** Whether the URL of an asset is probably too old. */
export function isExpired(error: unknown): error is MediaError {
  return error instanceof MediaError && error.code === 'media_url_expired';
}

/**
 * Asks the service for the URL of an asset again.
 * @param refusal what the known URL was answered with.
 * @returns the URL, and those of all assets of the row, in order; or that the list may not be asked now.
 * @throws {MediaError} `refusal`, if the service names no other URL, and {ApiError} when the list cannot be read now.
 */
export async function findAssetAgain(
  input: RowInput<UploadPayload>,
  progress: RowProgress,
  refusal: MediaError,
): Promise<{ readonly url: string; readonly assets: readonly string[] } | { readonly outcome: Outcome }> {
  const { context, payload, target: row } = input;
  try {
    const assets = (row.generation && (await readAssets(input, row.generation, progress))) ?? [];
    const url = assets[payload.i];
    if (url !== undefined && url !== progress.assets[payload.i]) return { url, assets };
  } catch (error) {
    // The queue of the uploads must not wait for the rate limit of another step.
    if (error instanceof RateLimitReached)
      return { outcome: { kind: 'again', at: context.now() + error.ms } };
    if (!(error instanceof RefusedError) || error instanceof ForbiddenError) throw error;
  }
  throw refusal;
}

/** @returns undefined if fewer assets are named than the row has: then their places are not known. */
async function readAssets(
  { context, running }: RowInput<UploadPayload>,
  generation: Generation,
  progress: RowProgress,
): Promise<readonly string[] | undefined> {
  const assets: string[] = [];
  for (let number = 1; number <= latestGeneration(progress); number += 1) {
    const record = progress.generations.get(number);
    if (!record) continue;
    await takePermit(context.service, operation);
    const page = await context.service.client.generations.list(record.scheduleId, { signal: running.signal });
    const { urls } = readProgress(page.list, record, generation.type, context.settings.generation);
    assets.push(...urls);
  }
  return assets.length < progress.assets.length ? undefined : assets.slice(0, progress.assets.length);
}

function resultExpired({ message, subject }: MediaError): StepFailure {
  return {
    code: 'result_expired',
    message: `The service gave no fresh URL for the AI result. ${message}`,
    subject,
    fix: "Look for the AI result in the service's dashboard. If it is there, retry the row later, which costs nothing. If it is gone, change the prompt in the sheet, which pays for a new one.",
  };
}

const newPrompt =
  "Check the AI result in the service's dashboard, and tell service support. Another prompt in the sheet pays for a new one.";

/** Planners did not write the URL of an asset, so most fixes of media are of no use to them. */
const fixes: Readonly<Partial<Record<MediaErrorCode, string>>> = {
  media_download_failed: 'Retry the row later: its AI result is kept, and nothing is paid again.',
  media_address_refused: "Ask an operator whether the address of the service's results may be allowed.",
  media_too_large: 'Ask an operator to raise the limit, then retry the row.',
  media_download_refused: newPrompt,
  media_web_page: newPrompt,
  media_url_invalid: newPrompt,
  media_empty: newPrompt,
  media_type_mismatch: newPrompt,
  media_type_unknown: newPrompt,
};

/** The outcome of an asset that was not uploaded, with a fix that fits. */
export function outcomeOfAsset(error: unknown, outcome: Outcome): Outcome {
  if (isExpired(error)) return { kind: 'refused', failure: resultExpired(error) };
  const fix = error instanceof MediaError ? fixes[error.code] : undefined;
  if (fix === undefined || !('failure' in outcome)) return outcome;
  return { ...outcome, failure: { ...outcome.failure, fix } };
}

/** Names of terminal statuses that the contract does not list, from the settings. */
type EndedStatuses = Readonly<Record<'failed' | 'cancelled' | 'expired', readonly string[]>>;
type EndedCode = `generation_${keyof EndedStatuses}`;

export interface GenerationProgress {
  /** Every requested task is terminal. */
  readonly terminal: boolean;
  /** URLs of completed outputs, in the order of the tasks. */
  readonly urls: readonly string[];
  /** URLs of their thumbnails; undefined where the service names none. */
  readonly thumbnails: readonly (string | undefined)[];
  /** The first explicit end without an output. A status that is on no list does not count. */
  readonly ended: { readonly code: EndedCode; readonly status: string } | undefined;
  readonly statuses: readonly string[];
}

const shownStatuses = 5;

/** A task that is missing from the list, or complete without a URL, is not terminal. */
export function readProgress(
  tasks: readonly AiTask[],
  generation: GenerationRecord,
  type: 'IMAGE_GENERATION' | 'VIDEO_GENERATION',
  names: EndedStatuses,
): GenerationProgress {
  const wanted = generation.taskIds.length > 0 ? inOrder(tasks, generation.taskIds) : tasks;
  const urls: string[] = [];
  const thumbnails: (string | undefined)[] = [];
  let ended: GenerationProgress['ended'];
  let terminal = 0;
  const statuses = new Set<string>();
  for (const task of wanted) {
    const code = endedCode(task.status, names);
    const url = task.status === completedStatus ? assetUrl(task, type) : undefined;
    if (url !== undefined) {
      urls.push(url);
      thumbnails.push(task.result?.thumbnailUrl || task.customResult?.coverUrl || undefined);
    }
    if (code) ended ??= { code, status: task.status };
    if (code || url !== undefined) terminal += 1;
    const isUseless = task.status === completedStatus && url === undefined;
    if (statuses.size < shownStatuses) statuses.add(isUseless ? `${task.status} without a URL` : task.status);
  }
  const requested = Math.max(generation.outputs, generation.taskIds.length);
  return { terminal: terminal >= requested, urls, thumbnails, ended, statuses: [...statuses] };
}

/** The URL to publish. For videos, the custom result comes before the plain one. */
export function assetUrl(task: AiTask, type: 'IMAGE_GENERATION' | 'VIDEO_GENERATION'): string | undefined {
  const plain = task.result?.url || task.result?.resultUrl || task.resultUrl || undefined;
  return type === 'VIDEO_GENERATION' ? task.customResult?.videoUrl || plain : plain;
}

function inOrder(tasks: readonly AiTask[], ids: readonly string[]): readonly AiTask[] {
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function endedCode(status: string, names: EndedStatuses): EndedCode | undefined {
  const end = (['failed', 'cancelled', 'expired'] as const).find((each) => names[each].includes(status));
  return end && `generation_${end}`;
}
