/**
 * The keeper: the one scheduled job that repairs what a crash or a hand left between ledger and queues. It changes no row's
 * state; it only sees to it that every running row has jobs, and every waiting one an admission.
 */
import type { Campaign } from '../ledger/campaigns.ts';
import type { RowPayload } from '../queues/jobs.ts';
import { rowOfJobId } from '../queues/jobs.ts';
import { postJobId, postQueue } from '../queues/post.ts';
import type { QueueName } from '../queues/queues.ts';
import type { CampaignView } from './campaign-view.ts';
import type { ProcessorContext } from './context.ts';
import { queueAgain } from './queue-again.ts';
import { queueRows, type RunningRow } from './rows-to-queue.ts';

const rowsAtOnce = 20_000;
const askedAtOnce = 100;
const stepQueues = ['upload', 'generate', 'poll', 'post'] as const satisfies readonly QueueName[];

export async function keep(context: ProcessorContext): Promise<void> {
  for (const campaign of await context.ledger.campaigns.list()) {
    if (campaign.state !== 'running') continue;
    const view = await context.views.open(campaign.id);
    if (!view) continue;
    if (campaign.counts.waiting > 0) await context.queues.ensureAdmission(campaign.id);
    await queueAgain(context, view);
    await queueMissing(context, view, campaign);
  }
  for (const queue of stepQueues) await reviveFailed(context, queue);
  await trimFailed(context);
}

/** Running rows without a post job: their flow is made anew from the ledger. */
async function queueMissing(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
): Promise<void> {
  const grouped = new Set<number>();
  for (const group of (await context.ledger.admission.groups(campaign.id)).values()) {
    for (const { row } of group.rows) grouped.add(row);
  }
  for (let first = 0; first < campaign.cursor; first += rowsAtOnce) {
    const statuses = await context.ledger.rows.statuses(campaign.id, first, rowsAtOnce);
    const running: RunningRow[] = [];
    statuses.forEach(({ state, revision }, index) => {
      const row = first + index;
      if (state === 'running' && !grouped.has(row)) running.push({ row, revision });
    });
    const missing = await withoutPost(context, campaign.id, running);
    if (missing.length === 0) continue;
    context.log.warn({ campaign: campaign.id, rows: missing.length }, 'keeper: flows made anew');
    await queueRows(context, view, missing);
  }
}

async function withoutPost(
  context: ProcessorContext,
  campaign: string,
  rows: readonly RunningRow[],
): Promise<readonly RunningRow[]> {
  const missing: RunningRow[] = [];
  const queue = context.queues.queue(postQueue);
  for (let start = 0; start < rows.length; start += askedAtOnce) {
    const some = rows.slice(start, start + askedAtOnce);
    const jobIds = some.map(({ row, revision }) => postJobId({ c: campaign, r: row, v: revision }));
    const states = await Promise.all(jobIds.map((jobId) => queue.getJobState(jobId)));
    for (const [index, state] of states.entries()) {
      // A completed post of a row that still runs did nothing: it stands in the way of a new one.
      if (state === 'completed') await queue.remove(jobIds[index] ?? '');
      const row = some[index];
      if (row && (state === 'completed' || state === 'unknown')) missing.push(row);
    }
  }
  return missing;
}

/** Failed jobs of rows that run: the job failed by stalling or for Redis, without an outcome of its own. They run again. */
async function reviveFailed(context: ProcessorContext, queue: QueueName): Promise<void> {
  for (const jobId of await context.queues.failedJobIds(queue, context.settings.keepFailedFlows + 1000)) {
    const ref = rowOfJobId(jobId);
    if (!ref || !(await isRunning(context, ref))) continue;
    const job = await context.queues.queue(queue).getJob(jobId);
    if (!job || !(await job.isFailed())) continue;
    context.log.warn({ job: jobId }, 'keeper: job runs again');
    await job.retry('failed', { resetAttemptsMade: true });
  }
}

async function isRunning(context: ProcessorContext, ref: RowPayload): Promise<boolean> {
  const [status] = await context.ledger.rows.statuses(ref.c, ref.r, 1);
  return status?.state === 'running' && status.revision === ref.v;
}

/** Keeps at most a set number of failed flows in the queues; a retry makes the others anew from the ledger. */
async function trimFailed(context: ProcessorContext): Promise<void> {
  const { keepFailedFlows } = context.settings;
  for (const queue of stepQueues) {
    const ids = await context.queues.failedJobIds(queue, keepFailedFlows + 1000);
    for (const jobId of ids.slice(0, Math.max(0, ids.length - keepFailedFlows))) {
      const ref = rowOfJobId(jobId);
      if (ref && !(await isRunning(context, ref))) await context.queues.removeFlow(ref);
    }
  }
}
