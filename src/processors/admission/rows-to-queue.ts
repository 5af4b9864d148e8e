/** Makes flows of rows that run: what the admission, a showcase job and the keeper all do. */

import { emptyWork, type Work } from '../../ledger/work.ts';
import type { RowToQueue } from '../../queues/queues.ts';
import { type CampaignView, UnreadableRowError } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
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
  const current = (await context.views.openFor(view.campaign.id, rows)) ?? view;
  const unknown = rows.filter(({ work }) => work === undefined).map(({ row }) => row);
  const works = await context.ledger.rows.works(view.campaign.id, unknown);
  const workOf = new Map(unknown.map((row, index) => [row, works[index]]));
  const flows = rows.map(({ row, revision, work }) =>
    rowToQueue(current, { row, revision, work: work ?? workOf.get(row) ?? emptyWork }),
  );
  await context.queues.addFlows(await Promise.all(flows));
}

async function rowToQueue(
  view: CampaignView,
  { row, revision, work }: Required<RunningRow> & { readonly work: Work },
): Promise<RowToQueue> {
  const payload = { c: view.campaign.id, r: row, v: revision };
  try {
    return { ...payload, plan: planFlow(await view.row(row), work) };
  } catch (error) {
    if (!(error instanceof UnreadableRowError)) throw error;
    // Its post job alone: it finds the row unreadable and says so on the row.
    return { ...payload, plan: { uploads: [], generation: undefined } };
  }
}
