/** Workers and queues in words. */
import type { WorkerPresence } from '../../ledger/presence.ts';
import type { QueueName } from '../../queues/queues.ts';
import { describeDuration } from '../../runtime/wording.ts';

/** A worker that has said nothing for a while, without having ended in order. */
export function describeSilence({ host, pid, seenMsAgo }: WorkerPresence): string {
  return `worker ${host}:${pid} was last seen ${describeDuration(seenMsAgo)} ago`;
}

/** Queues that somebody has paused on Bull Board. @returns undefined where none is paused. */
export function describePausedQueues(queues: readonly QueueName[]): string | undefined {
  if (queues.length === 0) return undefined;
  const subject = queues.length === 1 ? `queue ${queues[0]} is` : `queues ${queues.join(', ')} are`;
  return `${subject} paused on Bull Board, for all campaigns: resume there (campaigns serve)`;
}
