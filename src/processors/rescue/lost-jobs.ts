/**
 * Gives rows jobs again that a crash, a killed worker or a person took from them, and removes failed jobs that nobody needs.
 *
 * A job that was decided but not queued is added: its id is derived from its work, so adding it twice is harmless. A running row whose
 * job has ended without an outcome, or is gone, goes on in its next revision, as by a retry.
 */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowRef, RowVersion } from '../../manifest/row.ts';
import { stepFacts, steps } from '../../manifest/steps.ts';
import { refusalCode } from '../../platform/redis/refusal.ts';
import { groupOfJobId, showcaseJobId } from '../../queues/campaign-jobs.ts';
import type { QueueName } from '../../queues/queues.ts';
import { postJobId, rowOfJobId } from '../../queues/row-jobs.ts';
import { queueRows } from '../admission/flow-plan.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';

const rowQueues = steps.filter((step) => stepFacts[step].worksFor === 'row');

const rowsAtOnce = 20_000;
const askedAtOnce = 100;

/** An error with one repair must not stop the others. */
export async function isolated(
  context: ProcessorContext,
  subject: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // All other repairs would be refused as well.
    if (refusalCode(error) !== undefined) throw error;
    context.log.error({ subject, error: String(error) }, 'rescuer: not repaired');
  }
}

/** Queues flows and showcase jobs that were decided but may be missing after a crash. */
export async function queueAgain(context: ProcessorContext, view: CampaignView): Promise<void> {
  const { id } = view.campaign;
  const { admission } = context.ledger;
  const adding = await admission.rowsToAdd(id);
  await queueRows(context, view, (await findRows(context, id, adding)).running);
  await admission.flowsAdded(id, adding);
  await queueGroups(context, id);
}

/**
 * Adds the job of a group with running rows if it is missing, and keeps the group's record while a retry of its failed job could send
 * rows again. If the job ended without an outcome, its rows run again.
 */
async function queueGroups(context: ProcessorContext, id: string): Promise<void> {
  const { ledger, queues } = context;
  for (const [group, { rows }] of await ledger.admission.groups(id)) {
    const { running, failed } = await findRows(context, id, rows);
    if (running.length === 0 && failed.length > 0) continue;
    const state = await (await queues.queue('showcase')).getJobState(showcaseJobId({ campaign: id, group }));
    if (running.length > 0 && state === 'unknown') await queues.addShowcaseJobs([{ campaign: id, group }]);
    const hasEnded = state === 'failed' || state === 'completed';
    if (running.length > 0 && !hasEnded) continue;
    // Read again: its job may have queued the rows in between, and reduced the group to others.
    const left = await ledger.admission.group(id, group);
    await runAgain(context, id, (await findRows(context, id, left?.rows ?? [])).running);
    await ledger.admission.dropGroup(id, group);
    await queues.removeShowcaseJob({ campaign: id, group });
  }
}

/** Splits off the rows that run in their revision, and those that failed in it. */
async function findRows(
  { ledger }: ProcessorContext,
  campaign: string,
  rows: readonly RowVersion[],
): Promise<Readonly<Record<'running' | 'failed', readonly RowVersion[]>>> {
  const numbers = rows.map(({ row }) => row);
  const statuses = await ledger.rows.statusesOf(campaign, numbers);
  const among = (state: 'running' | 'failed') =>
    rows.filter(({ revision }, index) => {
      const status = statuses[index];
      return status?.state === state && status.revision === revision;
    });
  return { running: among('running'), failed: among('failed') };
}

/** Sends rows that still run in their revision back to waiting, and removes what is left of their flows. */
async function runAgain(
  { ledger, queues, log }: ProcessorContext,
  campaign: string,
  rows: readonly RowVersion[],
): Promise<void> {
  if (rows.length === 0) return;
  const sent = await ledger.rows.runAgain(campaign, rows);
  if (sent.length === 0) return;
  log.warn({ campaign, rows: sent.length }, 'rescuer: rows run again, because their jobs were lost');
  for (const row of sent) await queues.removeFlow({ campaign, ...row });
  await queues.wakeAdmission(campaign);
}

/**
 * Runs rows again whose jobs are gone, or failed without an outcome (stalled too often, or removed).
 * @param failed rows that have failed jobs.
 */
export async function rescueRows(
  context: ProcessorContext,
  { id, rows }: Campaign,
  failed: readonly RowRef[],
): Promise<void> {
  let stranded = 0;
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const statuses = await context.ledger.rows.statuses(id, first, rowsAtOnce);
    const running = statuses.flatMap(({ state, revision }, index) =>
      state === 'running' ? [{ row: first + index, revision }] : [],
    );
    const lost = await withoutJobs(context, id, running, failed);
    stranded += lost.length;
    await runAgain(context, id, lost);
    for (const ref of failed) {
      const status = statuses[ref.row - first];
      // What a job of an older revision left behind: its row has its jobs in a later one.
      if (status && status.revision !== ref.revision) await context.queues.removeFlow(ref);
    }
  }
  await context.ledger.stranded.record(id, stranded);
}

async function withoutJobs(
  context: ProcessorContext,
  campaign: string,
  running: readonly RowVersion[],
  failed: readonly RowRef[],
): Promise<readonly RowVersion[]> {
  const versions = new Set(failed.map(({ row, revision }) => `${row} ${revision}`));
  const hasFailed = ({ row, revision }: RowVersion) => versions.has(`${row} ${revision}`);
  const [lost, others] = [running.filter(hasFailed), running.filter((row) => !hasFailed(row))];
  const missing = await withoutPost(context, campaign, others);
  if (missing.length === 0) return lost;
  // A row and its record are written together, and its flow is added before the record is dropped. So the post is looked for again.
  const recorded = await recordedRows(context, campaign);
  const unrecorded = missing.filter(({ row, revision }) => recorded.get(row) !== revision);
  return [...lost, ...(await withoutPost(context, campaign, unrecorded))];
}

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
  const queue = await context.queues.queue('post');
  for (const batch of batches(rows, askedAtOnce)) {
    const jobIds = batch.map(({ row, revision }) => postJobId({ campaign, row, revision }));
    const states = await Promise.all(jobIds.map((jobId) => queue.getJobState(jobId)));
    // The completed post job of a running row did nothing.
    const isMissing = (state = 'unknown') => ['unknown', 'completed', 'failed'].includes(state);
    missing.push(...batch.filter((_row, index) => isMissing(states[index])));
  }
  return missing;
}

export async function rowsOfFailedJobs(
  context: ProcessorContext,
): Promise<ReadonlyMap<string, readonly RowRef[]>> {
  const { queues, settings } = context;
  const most = settings.keepFailedFlows + 1000;
  const ids = await Promise.all(rowQueues.map((queue) => queues.failedJobIds(queue, most)));
  const rows = ids.flat().flatMap((jobId) => rowOfJobId(jobId) ?? []);
  return Map.groupBy(rows, ({ campaign }) => campaign);
}

/** Limits the failed flows and showcase jobs in the queues to the setting. A retry recreates the others from the ledger. */
export async function trimFailed(context: ProcessorContext): Promise<void> {
  const { ledger, queues } = context;
  const isRunning = async (campaign: string, rows: readonly RowVersion[]) =>
    (await findRows(context, campaign, rows)).running.length > 0;
  for (const queue of rowQueues) {
    for (const jobId of await tooMany(context, queue)) {
      const ref = rowOfJobId(jobId);
      if (!ref || (await isRunning(ref.campaign, [ref]))) continue;
      await isolated(context, jobId, async () => {
        // If the post job was already gone, the failed job itself is left.
        if (await queues.removeFlow(ref)) await (await queues.queue(queue)).remove(jobId);
      });
    }
  }
  for (const jobId of await tooMany(context, 'showcase')) {
    const found = groupOfJobId(jobId);
    if (!found) continue;
    const { campaign, group } = found;
    await isolated(context, jobId, async () => {
      const record = await ledger.admission.group(campaign, group);
      if (record && (await isRunning(campaign, record.rows))) return;
      await ledger.admission.dropGroup(campaign, group);
      await queues.removeShowcaseJob(found);
    });
  }
}

/** Ids of the oldest failed jobs beyond the limit. */
async function tooMany(context: ProcessorContext, queue: QueueName): Promise<readonly string[]> {
  const { keepFailedFlows } = context.settings;
  const ids = await context.queues.failedJobIds(queue, keepFailedFlows + 1000);
  return ids.slice(0, Math.max(0, ids.length - keepFailedFlows));
}
