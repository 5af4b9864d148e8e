/**
 * The rescuer: the periodic job that repairs differences between ledger and queues after a crash or manual changes. It makes
 * sure that every running row has live jobs (or else goes on in its next revision) and every waiting or due row an admission, and finishes
 * commands that were killed half-way: cancellations and deletions may be carried out several times, also at once.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Remains } from '../../ledger/campaigns/deletion.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowRef } from '../../manifest/row-ref.ts';
import type { Queues } from '../../queues/queues.ts';
import { keepOutbox } from '../notify/deliver.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { pausingDamaged } from '../runner/job.ts';
import { isolated, queueAgain, rescueRows, rowsOfFailedJobs, trimFailed } from './lost-jobs.ts';

export async function rescue(context: ProcessorContext): Promise<void> {
  const failed = await rowsOfFailedJobs(context);
  const { campaigns, unreadable } = await context.ledger.campaigns.survey();
  for (const { id, key } of unreadable)
    context.log.error({ campaign: id, key }, 'rescuer: campaign cannot be read, its rows are left alone');
  for (const campaign of campaigns) {
    await isolated(context, campaign.id, () =>
      pausingDamaged(context, campaign.id, async () => {
        if (campaign.state === 'running')
          await rescueCampaign(context, campaign, failed.get(campaign.id) ?? []);
        if (campaign.state === 'cancelling') await cancelRows(context, campaign);
      }),
    );
  }
  await deleteOld(context);
  for (const remains of await context.ledger.deletion.remains()) {
    await isolated(context, remains.id, () => removeRemains(context, remains));
  }
  await isolated(context, 'scrape', () => keepScrape(context));
  await isolated(context, 'failed jobs', () => trimFailed(context));
  await isolated(context, 'outbox', () => keepOutbox(context));
}

/** @param failed rows of the campaign that have failed jobs. */
async function rescueCampaign(
  context: ProcessorContext,
  campaign: Campaign,
  failed: readonly RowRef[],
): Promise<void> {
  const { id } = campaign;
  const view = await context.views.open(id, campaign.sheetVersion);
  if (!view) return;
  const readyAt = campaign.counts.ready > 0 ? await context.ledger.admission.readyAt(id) : undefined;
  const isDue = readyAt !== undefined && readyAt <= context.now();
  if (campaign.counts.waiting > 0 || isDue) await context.queues.ensureAdmission(id);
  await queueAgain(context, view);
  await rescueRows(context, campaign, failed);
}

/** Deletes campaigns that ended longer ago than the setting keeps them, except those with rows that need a decision. */
async function deleteOld({ ledger, settings, now, log }: ProcessorContext): Promise<void> {
  if (settings.keepEnded === null) return;
  const endedBefore = now() - settings.keepEnded;
  for (const { id, state, endedAt } of await ledger.campaigns.list()) {
    if (state !== 'ended' || endedAt === undefined || endedAt >= endedBefore) continue;
    if ((await ledger.deletion.tombstone(id, { endedBefore })) === undefined) {
      log.info({ campaign: id }, 'rescuer: deleted, because it ended long ago');
    }
  }
}

/** A scrape goes on even if somebody removes its job, and the next night comes even if a wrong clock put it off. */
async function keepScrape({ ledger, queues, now, log }: ProcessorContext): Promise<void> {
  if (await queues.scrapes.repairSchedule(now())) log.warn('rescuer: next scrape scheduled anew');
  const scrape = await ledger.videos.scrapes.running();
  if (scrape) await queues.scrapes.ensure(scrape.run);
}

export interface CancellationTools {
  readonly ledger: Ledger;
  readonly queues: Queues;
}

export interface Cancellation {
  /** Number of rows. */
  readonly cancelled: number;
  /** Number of rows whose call was under way or of unknown outcome. */
  readonly review: number;
}

/** Rows of one script: blocks Redis for about ten milliseconds if all of them are running. */
const rowsAtOnce = 2000;

/** Cancels the rows of a cancelled campaign and removes their jobs. Running jobs find their rows ended. */
export async function cancelRows(
  { ledger, queues }: CancellationTools,
  { id, rows }: Pick<Campaign, 'id' | 'rows'>,
): Promise<Cancellation> {
  let cancelled = 0;
  let review = 0;
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const part = await ledger.cancellation.cancelRows(id, first, rowsAtOnce);
    cancelled += part.cancelled;
    review += part.review;
    for (const { row, revision } of part.ran) await queues.removeFlow({ campaign: id, row, revision });
  }
  await dropDecisions({ ledger, queues }, id);
  return { cancelled, review };
}

/** Drops decisions of the admission about rows that run no more: all that ran were cancelled, or went to review. */
export async function dropDecisions({ ledger, queues }: CancellationTools, id: string): Promise<void> {
  const { admission } = ledger;
  for (const group of (await admission.groups(id)).keys()) {
    await queues.removeShowcaseJob({ campaign: id, group });
    await admission.dropGroup(id, group);
  }
  const adding = await admission.rowsToAdd(id);
  await admission.flowsAdded(
    id,
    adding.map(({ row }) => row),
  );
}

/** Removes the jobs and all keys of a deleted campaign. */
export async function removeRemains({ ledger, queues }: CancellationTools, remains: Remains): Promise<void> {
  const { id } = remains;
  for await (const rows of ledger.deletion.unposted(remains)) {
    for (const { row, revision } of rows) await queues.removeFlow({ campaign: id, row, revision });
  }
  for (const group of (await ledger.admission.groups(id)).keys())
    await queues.removeShowcaseJob({ campaign: id, group });
  await queues.removeJobs(id);
  await queues.removeAdmission(id);
  await ledger.deletion.remove(remains);
}
