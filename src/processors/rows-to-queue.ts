/** Makes flows of rows that run: what the admission, a showcase job and the keeper all do. */

import type { Work } from '../ledger/work.ts';
import type { RowToQueue } from '../queues/queues.ts';
import { type CampaignView, UnreadableRowError } from './campaign-view.ts';
import type { ProcessorContext } from './context.ts';
import { planFlow } from './flow-plan.ts';

export interface RunningRow {
  readonly row: number;
  readonly revision: number;
  /** What is known of it, where the caller has it at hand. */
  readonly work?: Work | undefined;
}

/** Adds the flows of running rows; flows that exist already stay as they are. */
export async function queueRows(
  context: ProcessorContext,
  view: CampaignView,
  rows: readonly RunningRow[],
): Promise<void> {
  const flows = await Promise.all(rows.map((row) => rowToQueue(context, view, row)));
  await context.queues.addFlows(flows);
}

async function rowToQueue(
  context: ProcessorContext,
  view: CampaignView,
  { row, revision, work }: RunningRow,
): Promise<RowToQueue> {
  const payload = { c: view.campaign.id, r: row, v: revision };
  try {
    const known = work ?? (await context.ledger.rows.work(view.campaign.id, row));
    return { ...payload, plan: planFlow(await view.row(row), known) };
  } catch (error) {
    if (!(error instanceof UnreadableRowError)) throw error;
    // Its post job alone: it finds the row unreadable and says so on the row.
    return { ...payload, plan: { uploads: [], generation: undefined } };
  }
}
