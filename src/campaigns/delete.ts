/** Deletes a campaign with all that the ledger and the queues have of it. Posts at the service are not touched. */
import type { Refusal } from '../ledger/deletion.ts';
import type { CancellationTools } from '../processors/upkeep/cancellation.ts';
import { removeRemains } from '../processors/upkeep/removal.ts';

/**
 * @param options `force`: although rows are in review, whose doubt is lost.
 * @returns undefined when it is done, else why not. A crash in between is made good by the keeper.
 */
export async function deleteCampaign(
  tools: CancellationTools,
  id: string,
  options: { readonly force: boolean },
): Promise<Refusal | undefined> {
  const { deletion } = tools.ledger;
  const refusal = await deletion.bury(id, options);
  if (refusal !== undefined) return refusal;
  const remains = (await deletion.remains()).find((each) => each.id === id);
  if (remains) await removeRemains(tools, remains);
  return undefined;
}
