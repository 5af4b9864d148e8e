/** Queues that somebody has paused on Bull Board, in words. */
import type { QueueName } from '../../queues/queues.ts';

/** @returns undefined where none is paused. */
export function describePausedQueues(queues: readonly QueueName[]): string | undefined {
  if (queues.length === 0) return undefined;
  const subject = queues.length === 1 ? `queue ${queues[0]} is` : `queues ${queues.join(', ')} are`;
  return `${subject} paused on Bull Board, for all campaigns: resume there (campaigns serve)`;
}
