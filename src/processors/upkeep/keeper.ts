/**
 * The keeper: the scheduled job that repairs differences between ledger and queues after a crash or manual changes. It makes sure
 * that every running row has jobs and every waiting row an admission, and finishes commands that were killed half-way.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { parts } from '../../ledger/parts.ts';
import { postJobId, postQueue } from '../../queues/post.ts';
import { queueRows, type RunningRow } from '../admission/rows-to-queue.ts';
import { queueAgain } from '../admission/unfinished.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { keepOutbox } from '../notify/hand-out.ts';
import { cancelRows } from './cancellation.ts';
import { reviveFailed, stepQueues, trimFailed } from './failed-jobs.ts';
import { isolated } from './isolated.ts';
import { wakeOverslept } from './overslept.ts';
import { removeRemains } from './removal.ts';

const rowsAtOnce = 20_000;
const askedAtOnce = 100;

export async function keep(context: ProcessorContext): Promise<void> {
  const campaigns = await context.ledger.campaigns.list();
  for (const campaign of campaigns) {
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
  await isolated(context, 'scrape', () => keepScrape(context));
  await isolated(context, 'delayed jobs', () => wakeOverslept(context, campaigns));
  for (const queue of stepQueues) await isolated(context, queue, () => reviveFailed(context, queue));
  await isolated(context, 'failed jobs', () => trimFailed(context));
  await isolated(context, 'outbox', () => keepOutbox(context));
}

/** A scrape goes on even if somebody removes its job, and the next night comes even if a wrong clock put it off. */
async function keepScrape({ ledger, queues, now, log }: ProcessorContext): Promise<void> {
  if (await queues.scrapes.repairSchedule(now())) log.warn('keeper: next scrape scheduled anew');
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
