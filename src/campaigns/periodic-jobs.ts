/** The periodic jobs (rescuer, records, hand-out of events): when they ran last, and which ones are missing. */

import type { WorkerPresence } from '../ledger/presence.ts';
import { missingAfterMs } from '../ledger/presence.ts';
import { periodicJobNames, periodicQueue, type QueueName } from '../queues/queues.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface PeriodicStatus {
  readonly name: string;
  /** Milliseconds since its last run, or since the start of the oldest worker that would run it. */
  readonly forMs: number;
  /** It has not run for three periods. */
  readonly isMissing: boolean;
}

/** Until a first run has told the period. Milliseconds. */
const usualPeriodMs = 15_000;

/**
 * The periodic jobs that workers with a right clock would run now.
 * @param paused queues that a person paused: their jobs wait.
 */
export async function readPeriodicJobs(
  { ledger }: Pick<Runtime, 'ledger'>,
  workers: readonly WorkerPresence[],
  paused: readonly QueueName[],
): Promise<readonly PeriodicStatus[]> {
  const { now, runs } = await ledger.periodic.last(periodicJobNames);
  const able = workers.filter(({ isAlive, clockAheadMs }) => isAlive && clockAheadMs === undefined);
  return periodicJobNames.flatMap((name, index) => {
    const takers = able.filter(({ periodic = [] }) => periodic.includes(name));
    if (takers.length === 0 || paused.includes(periodicQueue(name))) return [];
    const since = takers.reduce((least, worker) => Math.min(least, worker.since), now);
    const { at = 0, everyMs = usualPeriodMs } = runs[index] ?? {};
    const forMs = Math.max(0, now - Math.max(since, at <= now ? at : 0));
    return [{ name, forMs, isMissing: forMs > missingAfterMs(everyMs) }];
  });
}
