/**
 * The keeper: the scheduled job that repairs differences between ledger and queues after a crash or manual changes. It makes sure
 * that every running row has jobs and every waiting row an admission, and finishes commands that were killed half-way.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { parts } from '../../ledger/parts.ts';
import { type RowPayload, rowOfJobId } from '../../queues/jobs.ts';
import { postJobId, postQueue } from '../../queues/post.ts';
import type { QueueName } from '../../queues/queues.ts';
import { groupOfJobId, showcaseQueue } from '../../queues/showcase.ts';
import { queueRows, type RunningRow } from '../admission/rows-to-queue.ts';
import { countRows, queueAgain } from '../admission/unfinished.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { keepOutbox } from '../notify/hand-out.ts';
import { cancelRows } from './cancellation.ts';
import { removeRemains } from './removal.ts';

const rowsAtOnce = 20_000;
const askedAtOnce = 100;
const stepQueues = ['upload', 'generate', 'poll', 'post'] as const satisfies readonly QueueName[];

export async function keep(context: ProcessorContext): Promise<void> {
  for (const campaign of await context.ledger.campaigns.list()) {
    if (campaign.state === 'running') {
      if (!context.accounts.find(campaign.account)) {
        const facts = { campaign: campaign.id, account: campaign.account };
        context.log.error(facts, 'account not configured here: jobs of this campaign wait');
      }
      await isolated(context, campaign.id, () => keepCampaign(context, campaign));
    }
    if (campaign.state === 'cancelling')
      await isolated(context, campaign.id, async () => void (await cancelRows(context, campaign)));
  }
  await deleteOld(context);
  for (const remains of await context.ledger.deletion.remains()) {
    await isolated(context, remains.id, () => removeRemains(context, remains));
  }
  await keepScrape(context);
  for (const queue of stepQueues) await reviveFailed(context, queue);
  await trimFailed(context);
  await isolated(context, 'outbox', () => keepOutbox(context));
}

/** A scrape goes on even if somebody removes its job. */
async function keepScrape({ ledger, queues }: ProcessorContext): Promise<void> {
  const scrape = await ledger.videos.scrapes.running();
  if (scrape) await queues.scrapes.ensure(scrape.run);
}

async function keepCampaign(context: ProcessorContext, campaign: Campaign): Promise<void> {
  const view = await context.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  if (campaign.counts.waiting > 0) await context.queues.ensureAdmission(campaign.id);
  await queueAgain(context, view);
  await queueMissing(context, view, campaign);
}

/** An error with one repair must not stop the others. */
async function isolated(
  context: ProcessorContext,
  subject: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error({ subject, error: String(error) }, 'keeper: not repaired');
  }
}

/** Deletes campaigns that ended longer ago than the setting keeps them, except those with rows that need a decision. */
async function deleteOld({ ledger, settings, now, log }: ProcessorContext): Promise<void> {
  if (settings.keepEnded === null) return;
  const endedBefore = now() - settings.keepEnded;
  for (const { id, state, endedAt } of await ledger.campaigns.list()) {
    if (state !== 'ended' || endedAt === undefined || endedAt >= endedBefore) continue;
    if ((await ledger.deletion.bury(id, { endedBefore })) === undefined) {
      log.info({ campaign: id }, 'keeper: deleted, because it ended long ago');
    }
  }
}

/** Recreates, from the ledger, the flow of running rows without a post job. */
async function queueMissing(
  context: ProcessorContext,
  view: CampaignView,
  campaign: Campaign,
): Promise<void> {
  for (let first = 0; first < campaign.rows; first += rowsAtOnce) {
    const statuses = await context.ledger.rows.statuses(campaign.id, first, rowsAtOnce);
    const running: RunningRow[] = [];
    statuses.forEach(({ state, revision }, index) => {
      if (state === 'running') running.push({ row: first + index, revision });
    });
    const missing = await withoutPost(context, campaign.id, running);
    if (missing.length === 0) continue;
    // Read last: a row and its group's record are written together, and the flow is added before the record is dropped.
    const grouped = await groupedRows(context, campaign.id);
    const lost = missing.filter(({ row, revision }) => grouped.get(row) !== revision);
    if (lost.length > 0) {
      context.log.warn({ campaign: campaign.id, rows: lost.length }, 'keeper: flows recreated');
      await queueRows(context, view, lost);
    }
  }
}

/** Rows that still have a group, with their revision there, which may be an older one. */
async function groupedRows(
  context: ProcessorContext,
  campaign: string,
): Promise<ReadonlyMap<number, number>> {
  const groups = await context.ledger.admission.groups(campaign);
  return new Map(
    [...groups.values()].flatMap(({ rows }) => rows.map(({ row, revision }) => [row, revision] as const)),
  );
}

async function withoutPost(
  context: ProcessorContext,
  campaign: string,
  rows: readonly RunningRow[],
): Promise<readonly RunningRow[]> {
  const missing: RunningRow[] = [];
  const queue = context.queues.queue(postQueue);
  for (const some of parts(rows, askedAtOnce)) {
    const jobIds = some.map(({ row, revision }) => postJobId({ c: campaign, r: row, v: revision }));
    const states = await Promise.all(jobIds.map((jobId) => queue.getJobState(jobId)));
    for (const [index, state] of states.entries()) {
      // A completed post job of a running row did nothing, and would block a new one with the same id.
      if (state === 'completed') await queue.remove(jobIds[index] ?? '');
      const row = some[index];
      if (row && (state === 'completed' || state === 'unknown')) missing.push(row);
    }
  }
  return missing;
}

/** Retries failed jobs of running rows: these jobs stalled too often or Redis failed them, without an outcome of their own. */
async function reviveFailed(context: ProcessorContext, queue: QueueName): Promise<void> {
  for (const jobId of await context.queues.failedJobIds(queue, context.settings.keepFailedFlows + 1000)) {
    const ref = rowOfJobId(jobId);
    if (!ref || !(await isRunning(context, ref))) continue;
    await isolated(context, jobId, async () => {
      const job = await context.queues.queue(queue).getJob(jobId);
      if (!job || !(await job.isFailed())) return;
      context.log.warn({ job: jobId }, 'keeper: job runs again');
      await job.retry('failed', { resetAttemptsMade: true });
    });
  }
}

async function isRunning(context: ProcessorContext, ref: RowPayload): Promise<boolean> {
  const [status] = await context.ledger.rows.statuses(ref.c, ref.r, 1);
  return status?.state === 'running' && status.revision === ref.v;
}

/** Limits the failed flows and showcase jobs in the queues to the setting. A retry recreates the others from the ledger. */
async function trimFailed(context: ProcessorContext): Promise<void> {
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
