/** Works on campaigns in this process until they have ended or are paused. */
import { type Campaign, isUnderWay } from '../ledger/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createWorkers, requireCurrent } from '../runtime/workers.ts';
import { readCampaigns } from './find.ts';
import { type FollowOptions, followCampaigns } from './progress/follow.ts';

/** How long running jobs may take to finish once the process is told to stop, in milliseconds. */
export const drainMs = 25_000;

export interface WorkOffOptions extends FollowOptions {
  /** Called on the signal, while running jobs finish. */
  readonly onDraining?: (() => void) | undefined;
}

/**
 * @param ids campaigns that are neither ended nor paused.
 * @returns the campaigns afterwards; undefined after an interrupt: nothing is lost, and another run continues.
 * @throws {UseCaseError} `clock_wrong`; `ledger_format` when a newer version of the runner takes over meanwhile.
 */
export async function workOff(
  runtime: Runtime,
  ids: readonly string[],
  { onDraining, ...follow }: WorkOffOptions,
): Promise<readonly Campaign[] | undefined> {
  const { queues, redis } = runtime;
  const workers = await createWorkers(runtime, { isRun: true });
  for (const id of ids) await queues.wakeAdmission(id);
  await workers.start();
  const signal = AbortSignal.any([follow.signal, workers.outdated]);
  await followCampaigns(runtime, ids, { ...follow, signal });
  if (follow.signal.aborted) onDraining?.();
  // Without Redis, running jobs cannot record their end.
  await workers.stop(redis.gone.aborted ? 0 : drainMs);
  if (redis.gone.aborted) return undefined;
  requireCurrent(workers);
  // Read again: answers during the stop may have ended rows. If all rows ended, the interrupt came too late to matter.
  const campaigns = await readCampaigns(runtime, ids);
  return campaigns.some(isUnderWay) ? undefined : campaigns;
}
