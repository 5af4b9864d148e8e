/** The workers of all machines, in words. */
import { describeSilence } from '../../campaigns/progress/presence.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { WorkerPresence } from '../../ledger/presence.ts';
import { plural } from '../../runtime/wording.ts';

/** What there is to be said of the workers; undefined where nobody works and nothing waits. */
export function describeWorkers(
  workers: readonly WorkerPresence[],
  campaigns: readonly Campaign[],
): string | undefined {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.filter(({ isAlive }) => !isAlive).map(describeSilence);
  const isWanted = campaigns.some(({ state }) => state === 'running');
  const first =
    alive.length > 0
      ? `${plural(alive.length, 'worker')} alive: ${alive.map(nameWorker).join(', ')}`
      : isWanted &&
        'No worker is alive, and rows wait: start one with campaigns worker, or go on with campaigns run';
  return [...(first ? [first] : []), ...silent].join('\n') || undefined;
}

function nameWorker({ host, pid, version, since }: WorkerPresence): string {
  return `${host}:${pid} (version ${version}, since ${new Date(since).toISOString().slice(0, 19)}Z)`;
}
