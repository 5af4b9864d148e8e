/** Workers and queues in words. */
import type { WorkerPresence } from '../../ledger/presence.ts';
import type { UnreachableService } from '../../ledger/service/service-reach.ts';
import type { QueueName } from '../../queues/queues.ts';
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { describeClock, describeDuration, sentence } from '../../runtime/wording.ts';

/** The workers, and how sure that is. */
export interface SeenWorkers {
  /** Workers that are alive, and those that recently went silent. */
  readonly workers: readonly WorkerPresence[];
  /** Why Redis takes no writes. Then heartbeats are missing, and nobody knows which workers live. */
  readonly redisRefuses: string | undefined;
}

/** Asks whether Redis takes writes only if a worker seems to be missing. */
export async function readWorkers({ ledger }: Pick<Runtime, 'ledger'>): Promise<SeenWorkers> {
  const workers = await ledger.presence.workers();
  if (workers.length > 0 && workers.every(({ isAlive }) => isAlive))
    return { workers, redisRefuses: undefined };
  return { workers, redisRefuses: refusalOf(await ledger.findRefusal())?.why };
}

/** @param why as `redisRefuses`. */
export function describeUnknownWorkers(why: string): string {
  return `Redis takes no writes (${why}): nothing is sent until it does, and it is unknown which workers are alive`;
}

/** Describes a worker without recent heartbeats that did not stop normally. */
export function describeSilence({ host, pid, seenMsAgo }: WorkerPresence): string {
  return `worker ${host}:${pid} was last seen ${describeDuration(seenMsAgo)} ago`;
}

/** Describes a worker that takes no jobs because its clock is wrong; undefined for any other. */
export function describeWrongClock({ host, pid, isAlive, clockAheadMs }: WorkerPresence): string | undefined {
  if (!isAlive || clockAheadMs === undefined) return undefined;
  return `worker ${host}:${pid} takes no jobs: its clock is ${describeClock(clockAheadMs)}`;
}

/** Describes a machine whose calls get no answer. */
export function describeUnreachable({ host, reason, since, at }: UnreachableService): string {
  const long = at > since ? ` for ${describeDuration(at - since)}` : '';
  return `the service does not answer ${host}${long}: ${sentence(reason)} Rows whose calls are not sent wait, and use no attempt`;
}

/** @param queues queues that somebody paused. @returns undefined for none. */
export function describePausedQueues(queues: readonly QueueName[]): string | undefined {
  if (queues.length === 0) return undefined;
  const subject = queues.length === 1 ? `queue ${queues[0]} is` : `queues ${queues.join(', ')} are`;
  return `${subject} paused for all campaigns: resume on the page Queues of the console`;
}

/** @param rows running rows that stay without a live job. */
export function describeLostJobs(campaign: string, rows: number): string | undefined {
  if (rows === 0) return undefined;
  const those = rows === 1 ? 'row of' : 'rows of';
  return `${rows} running ${those} ${campaign} lost their jobs, and sending them again has not helped: see the logs of the workers`;
}
