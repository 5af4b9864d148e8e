/**
 * Delayed jobs that a wrong clock put off. Where Redis runs on the same machine, its clock is wrong with that of the workers, and nothing
 * else tells the time: what they delay while it is ahead would sleep for as long after it was put back.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { campaignQueue, showcaseQueue } from '../../queues/campaign-jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import { pollQueue } from '../../queues/row-jobs.ts';
import { toleratedMs } from '../../redis/clock.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { stepQueues } from './failed-jobs.ts';

/** More at once would make the keeper slow. The next run goes on. */
const jobsAtOnce = 1000;

/** Wakes jobs that would sleep for longer than any pause, retry or poll of ours. */
export async function wakeOverslept(
  context: ProcessorContext,
  campaigns: readonly Campaign[],
): Promise<void> {
  const { settings, now, queues, log } = context;
  const longestMs = Math.max(settings.retry.cap, settings.generation.poll.max);
  const after = now() + longestMs + 2 * toleratedMs;
  const asleep = campaigns.reduce((sum, campaign) => sum + campaign.asleep, 0);
  for (const queue of [campaignQueue, showcaseQueue, ...stepQueues] satisfies readonly QueueName[]) {
    // Generations that wait for `ai_exec_at` sleep for long with reason. If they are woken with the others, they go back to sleep.
    const woken = await queues.wakeAfter(queue, after, jobsAtOnce, queue === pollQueue ? asleep : 0);
    if (woken > 0) log.warn({ queue, jobs: woken }, 'keeper: delayed jobs woken that a wrong clock put off');
  }
}
