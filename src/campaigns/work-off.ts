/** Works campaigns off in this process, until they have ended or are paused. */
import { type Campaign, isUnderWay } from '../ledger/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createWorkers } from '../runtime/workers.ts';
import { readCampaigns } from './find.ts';
import { type FollowOptions, followCampaigns } from './progress/follow.ts';

/** How long jobs at work may take to finish once the process is told to stop. */
export const drainMs = 25_000;

export interface WorkOffOptions extends FollowOptions {
  /** Called when the signal came: jobs at work are finished now. */
  readonly onDraining?: (() => void) | undefined;
}

/**
 * @param ids campaigns that are neither ended nor paused.
 * @returns the campaigns as they are then; undefined when it was interrupted: nothing is lost, and another run goes on.
 * @throws {UseCaseError} `clock_wrong`.
 */
export async function workOff(
  runtime: Runtime,
  ids: readonly string[],
  { onDraining, ...follow }: WorkOffOptions,
): Promise<readonly Campaign[] | undefined> {
  const { queues, redis } = runtime;
  const workers = await createWorkers(runtime);
  for (const id of ids) await queues.wakeAdmission(id);
  await workers.start();
  await followCampaigns(runtime, ids, follow);
  if (follow.signal.aborted) onDraining?.();
  // Without Redis nothing that is under way can be written down any more.
  await workers.stop(redis.gone.aborted ? 0 : drainMs);
  if (redis.gone.aborted) return undefined;
  // Read anew: answers that came while the workers stopped have ended rows, too. An interrupt that came too late stopped nothing.
  const campaigns = await readCampaigns(runtime, ids);
  return campaigns.some(isUnderWay) ? undefined : campaigns;
}
