/**
 * The rescuer: the periodic job that repairs differences between ledger and queues after a crash or manual changes. It makes
 * sure that every running row has live jobs (or else goes on in its next revision) and every waiting or due row an admission, and finishes
 * commands that were killed half-way: cancellations and deletions may be carried out several times, also at once.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { RowRef } from '../../manifest/row.ts';
import { keepOutbox } from '../notify/deliver.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { pauseIfDamaged } from '../runner/job.ts';
import { cancelRows, removeRemains } from './leftovers.ts';
import { isolated, queueAgain, rescueRows, rowsOfFailedJobs, trimFailed } from './lost-jobs.ts';

export async function rescue(context: ProcessorContext): Promise<void> {
  const failed = await rowsOfFailedJobs(context);
  const { campaigns, unreadable } = await context.ledger.campaigns.survey();
  for (const { id, key } of unreadable)
    context.log.error({ campaign: id, key }, 'rescuer: campaign cannot be read, its rows are left alone');
  for (const campaign of campaigns) {
    await isolated(context, campaign.id, () =>
      pauseIfDamaged(context, campaign.id, async () => {
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
  if (await (await queues.scrapes()).repairSchedule(now())) log.warn('rescuer: next scrape scheduled anew');
  const scrape = await ledger.videos.scrapes.running();
  if (scrape) await (await queues.scrapes()).ensure(scrape.run);
}
