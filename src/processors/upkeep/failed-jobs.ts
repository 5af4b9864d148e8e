/** Failed jobs: those of running rows run again, and only so many are kept. */
import type { RowStatus } from '../../ledger/states.ts';
import { type RowPayload, rowOfJobId } from '../../queues/jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import { groupOfJobId, showcaseQueue } from '../../queues/showcase.ts';
import { countRows } from '../admission/unfinished.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { isolated } from './isolated.ts';

export const stepQueues = ['upload', 'generate', 'poll', 'post'] as const satisfies readonly QueueName[];

/** Retries failed jobs of running rows: these jobs stalled too often or Redis failed them, without an outcome of their own. */
export async function reviveFailed(context: ProcessorContext, queue: QueueName): Promise<void> {
  const failed = await context.queues.failedJobIds(queue, context.settings.keepFailedFlows + 1000);
  const jobs = failed.flatMap((jobId) => {
    const ref = rowOfJobId(jobId);
    return ref ? [{ jobId, ref }] : [];
  });
  for (const [campaign, some] of Map.groupBy(jobs, ({ ref }) => ref.c)) {
    await isolated(context, campaign, () => reviveOf(context, queue, campaign, some));
  }
}

interface FailedJob {
  readonly jobId: string;
  readonly ref: RowPayload;
}

/** As `reviveFailed`, of one campaign. Most failed jobs are of failed rows, so one look finds the few others. */
async function reviveOf(
  context: ProcessorContext,
  queue: QueueName,
  campaign: string,
  jobs: readonly FailedJob[],
): Promise<void> {
  const rows = jobs.map(({ ref }) => ref.r);
  const statuses = await context.ledger.rows.statusesOf(campaign, rows);
  for (const [index, { jobId, ref }] of jobs.entries()) {
    if (!isRunningAs(ref, statuses[index])) continue;
    await isolated(context, jobId, async () => {
      // It may have run again, and ended its row, since the look.
      if (!(await isRunning(context, ref))) return;
      const job = await context.queues.queue(queue).getJob(jobId);
      if (!job || !(await job.isFailed())) return;
      context.log.warn({ job: jobId }, 'keeper: job runs again');
      await job.retry('failed', { resetAttemptsMade: true });
    });
  }
}

async function isRunning(context: ProcessorContext, ref: RowPayload): Promise<boolean> {
  const [status] = await context.ledger.rows.statuses(ref.c, ref.r, 1);
  return isRunningAs(ref, status);
}

function isRunningAs({ v }: RowPayload, status: RowStatus | undefined): boolean {
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
      if (record && (await countRows(context, group.c, record)).running > 0) return;
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
