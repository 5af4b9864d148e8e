/** The workers of all machines, in words and as JSON. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { WorkerPresence } from '../../ledger/presence.ts';
import { describeDuration, plural } from './output.ts';

export function workerDocument({ since, ...worker }: WorkerPresence) {
  return { ...worker, since: new Date(since).toISOString() };
}

/** A worker that has said nothing for a while, without having ended in order. */
export function describeSilence({ host, pid, seenMsAgo }: WorkerPresence): string {
  return `worker ${host}:${pid} was last seen ${describeDuration(seenMsAgo)} ago`;
}

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
