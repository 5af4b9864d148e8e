/**
 * The rescuer: the scheduled job that repairs differences between ledger and queues after a crash or manual changes. It makes
 * sure that every running row has live jobs (or else goes on in its next revision) and every waiting row an admission, and finishes
 * commands that were killed half-way.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { steps } from '../../manifest/steps.ts';
import { campaignQueue } from '../../queues/campaign-jobs.ts';
import type { RowPayload } from '../../queues/row-jobs.ts';
import { toleratedMs } from '../../redis/clock.ts';
import { keepOutbox } from '../notify/deliver.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { mendingCampaign } from '../runner/job.ts';
import { cancelRows, removeRemains } from './cancellation.ts';
import { isolated, queueAgain, rescueRows, rowsOfFailedJobs, trimFailed } from './lost-jobs.ts';

/** Delayed jobs that are woken at once: more would make a run slow. The next run goes on. */
const jobsAtOnce = 1000;

/** One run over all campaigns. */
export async function rescue(context: ProcessorContext): Promise<void> {
  const failed = await rowsOfFailedJobs(context);
  const campaigns = await context.ledger.campaigns.list();
  for (const campaign of campaigns) {
    await isolated(context, campaign.id, () =>
      mendingCampaign(context, campaign.id, async () => {
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
  await isolated(context, 'delayed jobs', () => wakeOverslept(context, campaigns));
  await isolated(context, 'failed jobs', () => trimFailed(context));
  await isolated(context, 'outbox', () => keepOutbox(context));
}

/** @param failed rows of the campaign that have failed jobs. */
async function rescueCampaign(
  context: ProcessorContext,
  campaign: Campaign,
  failed: readonly RowPayload[],
): Promise<void> {
  const { id, account } = campaign;
  if (!context.accounts.find(account)) {
    context.log.error({ campaign: id, account }, 'account not configured here: jobs of this campaign wait');
  }
  const view = await context.views.open(id, campaign.sheetVersion);
  if (!view) return;
  if (campaign.counts.waiting > 0) await context.queues.ensureAdmission(id);
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

/**
 * Wakes jobs that would sleep for longer than any pause, retry or poll of ours. Where Redis runs on the same machine, its clock is wrong
 * with that of the workers, and nothing else tells the time: what they delay while it is ahead would sleep for as long after it was put
 * back.
 */
export async function wakeOverslept(
  context: ProcessorContext,
  campaigns: readonly Campaign[],
): Promise<void> {
  const { settings, now, queues, log } = context;
  const longestMs = Math.max(settings.retry.cap, settings.generation.poll.max);
  const after = now() + longestMs + 2 * toleratedMs;
  const asleep = campaigns.reduce((sum, campaign) => sum + campaign.asleep, 0);
  for (const queue of [campaignQueue, ...steps] as const) {
    // Generations that wait for `ai_exec_at` sleep for long with reason. If they are woken with the others, they go back to sleep.
    const woken = await queues.wakeAfter(queue, after, jobsAtOnce, queue === 'poll' ? asleep : 0);
    if (woken > 0) log.warn({ queue, jobs: woken }, 'rescuer: delayed jobs woken that a wrong clock put off');
  }
}
