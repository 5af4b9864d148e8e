/** Adds the flows of running rows, for the admission, showcase jobs and the keeper. */
import { emptyRowProgress, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { RowVersion } from '../../ledger/transitions/steps.ts';
import type { RowToQueue } from '../../queues/queues.ts';
import { type CampaignView, UnreadableRowError } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { planFlow } from './flow-plan.ts';

export interface RunningRow extends RowVersion {
  /** Default: read from the ledger. */
  readonly progress?: RowProgress | undefined;
}

/** Adds the flows of running rows. Existing flows stay as they are. */
export async function queueRows(
  context: ProcessorContext,
  view: CampaignView,
  rows: readonly RunningRow[],
): Promise<void> {
  const current = (await context.views.openFor(view.campaign.id, rows)) ?? view;
  const unknown = rows.filter(({ progress }) => progress === undefined).map(({ row }) => row);
  const records = await context.ledger.rows.progressOf(view.campaign.id, unknown);
  const progressOf = new Map(unknown.map((row, index) => [row, records[index]]));
  const flows = rows.map(({ row, revision, progress }) =>
    rowToQueue(current, { row, revision, progress: progress ?? progressOf.get(row) ?? emptyRowProgress }),
  );
  await context.queues.addFlows(await Promise.all(flows));
}

async function rowToQueue(
  view: CampaignView,
  { row, revision, progress }: Required<RunningRow> & { readonly progress: RowProgress },
): Promise<RowToQueue> {
  const payload = { c: view.campaign.id, r: row, v: revision };
  try {
    return { ...payload, plan: planFlow(await view.row(row), progress) };
  } catch (error) {
    if (!(error instanceof UnreadableRowError)) throw error;
    // Queues only the post job, which reports on the row that it cannot be read.
    return { ...payload, plan: { uploads: [], generation: undefined } };
  }
}
