/** Workers of all machines, in words. */
import {
  describeSilence,
  describeUnknownWorkers,
  describeWrongClock,
} from '../../campaigns/progress/notes.ts';
import type { SeenWorkers } from '../../campaigns/progress/reader.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { WorkerPresence } from '../../ledger/presence.ts';
import { plural, sentence } from '../../runtime/wording.ts';

/** What happens after a command has freed rows that it does not work off itself. */
export const takenUp = 'Workers take the rows up by themselves. If no worker runs:\n  campaigns run';

/** As `takenUp`, for rows of one campaign: in a paused one they wait. */
export function takenUpOf({ id, state }: Pick<Campaign, 'id' | 'state'>): string {
  if (state !== 'paused') return takenUp;
  return `${id} is paused: these rows wait until you resume it:\n  campaigns resume ${id}`;
}

/** @returns undefined if nobody works and nothing waits. */
export function describeWorkers(
  { workers, redisRefuses }: SeenWorkers,
  campaigns: readonly Campaign[],
): string | undefined {
  if (redisRefuses !== undefined) return sentence(describeUnknownWorkers(redisRefuses));
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.filter(({ isAlive }) => !isAlive).map(describeSilence);
  const wrong = workers.map(describeWrongClock).filter((text) => text !== undefined);
  const isWanted = campaigns.some(({ state }) => state === 'running');
  const first =
    alive.length > 0
      ? `${plural(alive.length, 'worker')} alive: ${alive.map(nameWorker).join(', ')}`
      : isWanted &&
        'Rows wait, but no worker is alive. Start one:\n  campaigns worker\nOr go on in this process:\n  campaigns run';
  return [...(first ? [first] : []), ...wrong, ...silent].join('\n') || undefined;
}

function nameWorker({ host, pid, version, since }: WorkerPresence): string {
  return `${host}:${pid} (version ${version}, since ${new Date(since).toISOString().slice(0, 19)}Z)`;
}
