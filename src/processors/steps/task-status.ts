/** Reads the status of a generation's tasks (contract, sections 2.3, 3 and 4.3). */

import type { GenerationRecord } from '../../ledger/rows/row-progress.ts';
import { type AiTask, completedStatus } from '../../service/contract/generation.ts';

/** Names of terminal statuses that the contract does not list, from the settings. */
export interface EndedStatuses {
  readonly failed: readonly string[];
  readonly cancelled: readonly string[];
  readonly expired: readonly string[];
}

export type EndedCode = 'generation_failed' | 'generation_cancelled' | 'generation_expired';

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
      thumbnails.push(task.result?.thumbnailUrl || undefined);
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
  if (names.failed.includes(status)) return 'generation_failed';
  if (names.cancelled.includes(status)) return 'generation_cancelled';
  if (names.expired.includes(status)) return 'generation_expired';
  return undefined;
}
