/** Works on campaigns in this process until they have ended or are paused. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, isUnderWay } from '../ledger/campaigns/campaigns.ts';
import { unlessLate } from '../runtime/patience.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { createWorkers, drainMs, requireCurrent } from '../runtime/workers.ts';
import { type CampaignRef, idOf, readCampaigns } from './find.ts';
import { type FollowOptions, followCampaigns } from './progress/follow.ts';

export { drainMs };

/** Attempts to end leftover jobs. Jobs of a paused or snoozed queue do not end; the next worker ends them. */
const leftoverTries = 30;
const leftoverEveryMs = 100;
/** After an interrupt, Redis may take so long to answer. */
const lastLookMs = 5000;

/** Options of `workOff`. */
export interface WorkOffOptions extends FollowOptions {
  /** Called on the signal, while running jobs finish. */
  readonly onDraining?: (() => void) | undefined;
}

/**
 * Works on campaigns in this process until they have ended or are paused.
 * @param campaigns those that are neither ended nor paused.
 * @returns the campaigns afterwards; undefined after an interrupt: nothing is lost, and another run continues.
 * @throws {UseCaseError} `clock_wrong`; `ledger_format` when a newer version of the runner takes over meanwhile.
 */
export async function workOff(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
  options: WorkOffOptions = {},
): Promise<readonly Campaign[] | undefined> {
  const { onDraining, ...follow } = options;
  const ids = campaigns.map(idOf);
  const { queues, redis } = runtime;
  const workers = await createWorkers(runtime, { isRun: true });
  for (const id of ids) await queues.wakeAdmission(id);
  await workers.start();
  const signal = AbortSignal.any([...(follow.signal ? [follow.signal] : []), workers.outdated]);
  await followCampaigns(runtime, ids, { ...follow, signal });
  if (follow.signal?.aborted) onDraining?.();
  if (!signal.aborted) await endJobs(runtime, ids, signal);
  // Without Redis, running jobs cannot record their end.
  await workers.stop(redis.gone.aborted ? 0 : drainMs);
  if (redis.gone.aborted) return undefined;
  requireCurrent(workers);
  // Read again: answers during the stop may have ended rows. If all rows ended, the interrupt came too late to matter.
  const looking = readCampaigns(runtime, ids);
  const worked = signal.aborted ? await unlessLate(looking, lastLookMs) : await looking;
  if (worked === undefined) return undefined;
  if (!worked.some(isUnderWay)) return worked;
  // Somebody retried a job on Bull Board just as the last row ended.
  return signal.aborted ? undefined : workOff(runtime, ids, options);
}

/**
 * Lets the jobs of ended rows end: a row may end while another of its jobs waits for its next attempt, which would otherwise
 * stay until the next worker starts.
 */
async function endJobs(runtime: Runtime, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const ended = (await readCampaigns(runtime, ids)).filter(({ state }) => state === 'ended');
  for (const { id } of ended) {
    for (let tries = 0; tries < leftoverTries && (await runtime.queues.hurry(id)) > 0; tries += 1) {
      await wait(leftoverEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
