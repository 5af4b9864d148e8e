/**
 * The keeper: the scheduled job that repairs differences between ledger and queues after a crash or manual changes. It makes sure
 * that every running row has live jobs (or else goes on in its next revision) and every waiting row an admission, and finishes
 * commands that were killed half-way.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { parts } from '../../ledger/parts.ts';
import type { RowVersion } from '../../ledger/transitions/steps.ts';
import { postJobId, postQueue, type RowPayload } from '../../queues/row-jobs.ts';
import { sendAgain } from '../admission/send-again.ts';
import { queueAgain } from '../admission/unfinished.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { mendingCampaign } from '../frame/mending.ts';
import { keepOutbox } from '../notify/hand-out.ts';
import { cancelRows } from './cancellation.ts';
import { rowsOfFailedJobs, trimFailed } from './failed-jobs.ts';
import { isolated } from './isolated.ts';
import { wakeOverslept } from './overslept.ts';
import { removeRemains } from './removal.ts';

const rowsAtOnce = 20_000;
const askedAtOnce = 100;

export async function keep(context: ProcessorContext): Promise<void> {
  const failed = await rowsOfFailedJobs(context);
  const campaigns = await context.ledger.campaigns.list();
  for (const campaign of campaigns) {
    if (campaign.state === 'running') {
      if (!context.accounts.find(campaign.account)) {
        const facts = { campaign: campaign.id, account: campaign.account };
        context.log.error(facts, 'account not configured here: jobs of this campaign wait');
      }
      await isolated(context, campaign.id, () =>
        mendingCampaign(context, campaign.id, () =>
          keepCampaign(context, campaign, failed.get(campaign.id) ?? []),
        ),
      );
    }
    if (campaign.state === 'cancelling')
      await isolated(
        context,
        campaign.id,
        async () => void (await mendingCampaign(context, campaign.id, () => cancelRows(context, campaign))),
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

/** A scrape goes on even if somebody removes its job, and the next night comes even if a wrong clock put it off. */
async function keepScrape({ ledger, queues, now, log }: ProcessorContext): Promise<void> {
  if (await queues.scrapes.repairSchedule(now())) log.warn('keeper: next scrape scheduled anew');
  const scrape = await ledger.videos.scrapes.running();
  if (scrape) await queues.scrapes.ensure(scrape.run);
}

/** @param failed rows of the campaign that have failed jobs. */
async function keepCampaign(
  context: ProcessorContext,
  campaign: Campaign,
  failed: readonly RowPayload[],
): Promise<void> {
  const view = await context.views.open(campaign.id, campaign.sheetVersion);
  if (!view) return;
  if (campaign.counts.waiting > 0) await context.queues.ensureAdmission(campaign.id);
  await queueAgain(context, view);
  let stranded = 0;
  for (let first = 0; first < campaign.rows; first += rowsAtOnce) {
    const statuses = await context.ledger.rows.statuses(campaign.id, first, rowsAtOnce);
    const running = statuses.flatMap(({ state, revision }, index) =>
      state === 'running' ? [{ row: first + index, revision }] : [],
    );
    const lost = await withoutJobs(context, campaign.id, running, failed);
    stranded += lost.length;
    await sendAgain(context, campaign.id, lost);
    for (const ref of failed) {
      const status = statuses[ref.r - first];
      // What a job of an older revision left behind: its row has its jobs in a later one.
      if (status && status.revision !== ref.v) await context.queues.removeFlow(ref);
    }
  }
  await context.ledger.stranded.note(campaign.id, stranded);
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

/** Running rows whose jobs are gone or failed without an outcome: they stalled too often, or somebody removed them. */
async function withoutJobs(
  context: ProcessorContext,
  campaign: string,
  running: readonly RowVersion[],
  failed: readonly RowPayload[],
): Promise<readonly RowVersion[]> {
  const versions = new Set(failed.map(({ r, v }) => `${r} ${v}`));
  const hasFailed = ({ row, revision }: RowVersion) => versions.has(`${row} ${revision}`);
  const missing = await withoutPost(
    context,
    campaign,
    running.filter((row) => !hasFailed(row)),
  );
  const lost = running.filter(hasFailed);
  if (missing.length === 0) return lost;
  // A row and its record are written together, and its flow is added before the record is dropped. So the post is looked for again.
  const recorded = await recordedRows(context, campaign);
  const unrecorded = missing.filter(({ row, revision }) => recorded.get(row) !== revision);
  return [...lost, ...(await withoutPost(context, campaign, unrecorded))];
}

/** Rows whose jobs may not have been added yet, with their revision then. */
async function recordedRows(
  { ledger: { admission } }: ProcessorContext,
  campaign: string,
): Promise<ReadonlyMap<number, number>> {
  const [groups, adding] = await Promise.all([admission.groups(campaign), admission.rowsToAdd(campaign)]);
  const grouped = [...groups.values()].flatMap(({ rows }) => rows);
  return new Map([...grouped, ...adding].map(({ row, revision }) => [row, revision]));
}

async function withoutPost(
  context: ProcessorContext,
  campaign: string,
  rows: readonly RowVersion[],
): Promise<readonly RowVersion[]> {
  const missing: RowVersion[] = [];
  const queue = context.queues.queue(postQueue);
  for (const some of parts(rows, askedAtOnce)) {
    const jobIds = some.map(({ row, revision }) => postJobId({ c: campaign, r: row, v: revision }));
    const states = await Promise.all(jobIds.map((jobId) => queue.getJobState(jobId)));
    // The completed post job of a running row did nothing.
    missing.push(...some.filter((_row, index) => hasEnded(states[index])));
  }
  return missing;
}

function hasEnded(state: string | undefined): boolean {
  return state === 'unknown' || state === 'completed' || state === 'failed';
}
