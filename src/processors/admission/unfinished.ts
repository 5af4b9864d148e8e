/**
 * Queues flows and showcase jobs that were decided but may be missing after a crash. Adding a job twice is harmless, because its
 * id is derived from its work.
 */

import type { RowStatus } from '../../ledger/states.ts';
import type { ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { RowVersion } from '../../ledger/transitions/steps.ts';
import { showcaseJobId, showcaseQueue } from '../../queues/campaign-jobs.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { queueRows } from './rows-to-queue.ts';
import { sendAgain } from './send-again.ts';

export async function queueAgain(context: ProcessorContext, view: CampaignView): Promise<void> {
  await queueFlows(context, view);
  await queueGroups(context, view);
}

async function queueFlows(context: ProcessorContext, view: CampaignView): Promise<void> {
  const { id } = view.campaign;
  const { admission, rows } = context.ledger;
  const adding = await admission.rowsToAdd(id);
  const numbers = adding.map(({ row }) => row);
  const statuses = await rows.statusesOf(id, numbers);
  const running = adding.filter(({ revision }, index) => isIn('running', statuses[index], revision));
  await queueRows(context, view, running);
  await admission.flowsAdded(id, numbers);
}

/**
 * Adds the job of a group with running rows if it is missing, and keeps the group's record while a retry of its failed job could send
 * rows again. If the job ended without an outcome, its rows run again.
 */
async function queueGroups(context: ProcessorContext, view: CampaignView): Promise<void> {
  const { id } = view.campaign;
  const { ledger, queues } = context;
  for (const [g, group] of await ledger.admission.groups(id)) {
    const { running, failed } = await findRows(context, id, group);
    if (running.length === 0 && failed.length > 0) continue;
    const state = await queues.queue(showcaseQueue).getJobState(showcaseJobId({ c: id, g }));
    if (running.length > 0 && state === 'unknown') await queues.addShowcaseJobs([{ c: id, g }]);
    const hasEnded = state === 'failed' || state === 'completed';
    if (running.length > 0 && !hasEnded) continue;
    // Read again: its job may have queued the rows in between, and reduced the group to others.
    const left = await ledger.admission.group(id, g);
    await sendAgain(context, id, left ? (await findRows(context, id, left)).running : []);
    await ledger.admission.dropGroup(id, g);
    await queues.removeShowcaseJob({ c: id, g });
  }
}

/** Rows of a group that run, and those that a retry of its job could send again. */
export async function findRows(
  context: ProcessorContext,
  id: string,
  { rows }: ShowcaseGroup,
): Promise<Readonly<Record<'running' | 'failed', readonly RowVersion[]>>> {
  const statuses = await context.ledger.rows.statusesOf(
    id,
    rows.map(({ row }) => row),
  );
  const among = (state: 'running' | 'failed') =>
    rows.filter(({ revision }, index) => isIn(state, statuses[index], revision));
  return { running: among('running'), failed: among('failed') };
}

function isIn(state: 'running' | 'failed', status: RowStatus | undefined, revision: number): boolean {
  return status?.state === state && status.revision === revision;
}
