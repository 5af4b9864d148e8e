/** Failed jobs: which rows they are of, and only so many are kept. */

import { groupOfJobId, showcaseQueue } from '../../queues/campaign-jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import { type RowPayload, rowOfJobId } from '../../queues/row-jobs.ts';
import { findRows } from '../admission/unfinished.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { isolated } from './isolated.ts';

export const stepQueues = ['upload', 'generate', 'poll', 'post'] as const satisfies readonly QueueName[];

/** Rows that have failed jobs, by campaign. */
export async function rowsOfFailedJobs({
  queues,
  settings,
}: ProcessorContext): Promise<ReadonlyMap<string, readonly RowPayload[]>> {
  const most = settings.keepFailedFlows + 1000;
  const ids = await Promise.all(stepQueues.map((queue) => queues.failedJobIds(queue, most)));
  const rows = ids.flat().map(rowOfJobId);
  return Map.groupBy(
    rows.filter((row) => row !== undefined),
    ({ c }) => c,
  );
}

async function isRunning(context: ProcessorContext, { c, r, v }: RowPayload): Promise<boolean> {
  const [status] = await context.ledger.rows.statuses(c, r, 1);
  return status?.state === 'running' && status.revision === v;
}

/** Limits the failed flows and showcase jobs in the queues to the setting. A retry recreates the others from the ledger. */
export async function trimFailed(context: ProcessorContext): Promise<void> {
  for (const queue of stepQueues) {
    for (const jobId of await tooMany(context, queue)) {
      const ref = rowOfJobId(jobId);
      if (!ref || (await isRunning(context, ref))) continue;
      await isolated(context, jobId, async () => {
        if (!(await context.queues.removeFlow(ref))) return;
        // If the post job was already gone, the failed job itself is left.
        await context.queues.queue(queue).remove(jobId);
      });
    }
  }
  for (const jobId of await tooMany(context, showcaseQueue)) {
    const group = groupOfJobId(jobId);
    if (!group) continue;
    await isolated(context, jobId, async () => {
      const record = await context.ledger.admission.group(group.c, group.g);
      if (record && (await findRows(context, group.c, record)).running.length > 0) return;
      await context.ledger.admission.dropGroup(group.c, group.g);
      await context.queues.removeShowcaseJob(group);
    });
  }
}

/** Ids of the oldest failed jobs beyond the limit. */
async function tooMany(context: ProcessorContext, queue: QueueName): Promise<readonly string[]> {
  const { keepFailedFlows } = context.settings;
  const ids = await context.queues.failedJobIds(queue, keepFailedFlows + 1000);
  return ids.slice(0, Math.max(0, ids.length - keepFailedFlows));
}
