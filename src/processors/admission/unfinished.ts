/**
 * Queues flows and showcase jobs that were decided but may be missing after a crash. Adding a job twice is harmless, because its
 * id is derived from its work.
 */

import type { RowStatus } from '../../ledger/states.ts';
import type { ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { queueRows } from './rows-to-queue.ts';

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

/** Queues a group while it has running rows, and keeps its record while a retry of its failed job could revive rows. */
async function queueGroups(context: ProcessorContext, view: CampaignView): Promise<void> {
  const { id } = view.campaign;
  const { admission } = context.ledger;
  for (const [g, group] of await admission.groups(id)) {
    const { running, failed } = await countRows(context, id, group);
    if (running > 0) await context.queues.reviveShowcaseJob({ c: id, g });
    else if (failed === 0) {
      await admission.dropGroup(id, g);
      await context.queues.removeShowcaseJob({ c: id, g });
    }
  }
}

/** Counts the rows of a group that run, and those that a retry of its job could revive. */
export async function countRows(
  context: ProcessorContext,
  id: string,
  { rows }: ShowcaseGroup,
): Promise<{ readonly running: number; readonly failed: number }> {
  const statuses = await context.ledger.rows.statusesOf(
    id,
    rows.map(({ row }) => row),
  );
  const count = (state: 'running' | 'failed') =>
    rows.filter(({ revision }, index) => isIn(state, statuses[index], revision)).length;
  return { running: count('running'), failed: count('failed') };
}

function isIn(state: 'running' | 'failed', status: RowStatus | undefined, revision: number): boolean {
  return status?.state === state && status.revision === revision;
}
