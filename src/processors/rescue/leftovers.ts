/** What is left of cancelled and deleted campaigns: a command begins to remove it, and the rescuer finishes what was killed half-way. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Remains } from '../../ledger/campaigns/deletion.ts';
import type { ProcessorContext } from '../runner/context.ts';

type CancellationTools = Pick<ProcessorContext, 'ledger' | 'queues'>;

/** Rows of one script: blocks Redis for about ten milliseconds if all of them are running. */
const rowsAtOnce = 2000;

/**
 * Cancels the rows of a cancelled campaign and removes their jobs. Running jobs find their rows ended.
 * @returns `review`: number of rows whose call was under way or of unknown outcome.
 */
export async function cancelRows(
  { ledger, queues }: CancellationTools,
  { id, rows }: Pick<Campaign, 'id' | 'rows'>,
): Promise<Readonly<Record<'cancelled' | 'review', number>>> {
  let cancelled = 0;
  let review = 0;
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const part = await ledger.cancellation.cancelRows(id, first, rowsAtOnce);
    cancelled += part.cancelled;
    review += part.review;
    for (const row of part.ran) await queues.removeFlow({ campaign: id, ...row });
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
  await admission.flowsAdded(id, await admission.rowsToAdd(id));
}

/** Removes the jobs and all keys of a deleted campaign. */
export async function removeRemains({ ledger, queues }: CancellationTools, remains: Remains): Promise<void> {
  const { id } = remains;
  for await (const rows of ledger.deletion.unposted(remains)) {
    for (const row of rows) await queues.removeFlow({ campaign: id, ...row });
  }
  for (const group of (await ledger.admission.groups(id)).keys())
    await queues.removeShowcaseJob({ campaign: id, group });
  await queues.removeJobs(id);
  await queues.removeAdmission(id);
  await ledger.deletion.remove(remains);
}
