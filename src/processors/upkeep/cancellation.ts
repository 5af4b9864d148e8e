/** Carries out what calling a campaign off began. It may be done by several at once, and again after a crash: the keeper does. */
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Queues } from '../../queues/queues.ts';

export interface CancellationTools {
  readonly ledger: Ledger;
  readonly queues: Queues;
}

/** How many rows ended, and how. */
export interface Cancellation {
  readonly cancelled: number;
  /** Their call was under way or in doubt. */
  readonly review: number;
}

/** Were all of them running, Redis would be held for some ten milliseconds. */
const rowsAtOnce = 2000;

/** Cancels the rows of a campaign that has been called off, and removes their jobs. Jobs at work find their rows ended. */
export async function cancelRows(
  { ledger, queues }: CancellationTools,
  { id, rows }: Pick<Campaign, 'id' | 'rows'>,
): Promise<Cancellation> {
  let cancelled = 0;
  let review = 0;
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const part = await ledger.cancellation.cancelRows(id, first, rowsAtOnce);
    cancelled += part.cancelled;
    review += part.review;
    for (const { row, revision } of part.ran) await queues.removeFlow({ c: id, r: row, v: revision });
  }
  await dropDecisions({ ledger, queues }, id);
  return { cancelled, review };
}

/** What the admission had decided for rows that are cancelled now. */
async function dropDecisions({ ledger, queues }: CancellationTools, id: string): Promise<void> {
  const { admission } = ledger;
  for (const g of (await admission.groups(id)).keys()) {
    await queues.removeShowcaseJob({ c: id, g });
    await admission.dropGroup(id, g);
  }
  const adding = await admission.rowsToAdd(id);
  await admission.flowsAdded(
    id,
    adding.map(({ row }) => row),
  );
}
