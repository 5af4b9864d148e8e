/**
 * Cancels a campaign: waiting and running rows are cancelled, rows in doubt go to review, ended rows stay as they are. Nothing of it is
 * sent again, whatever is decided about its rows in review.
 */
import { cancelRows } from '../processors/upkeep/cancellation.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandDocument } from './documents/commands.ts';
import { findCampaign } from './find.ts';

export type CancelResult = Omit<CommandDocument<'cancel'>, 'id'>;

/** If it crashes midway, the keeper or another call finishes it. @throws {UseCaseError} `campaign_not_found`. */
export async function cancelCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  id: string,
): Promise<CancelResult> {
  const { campaigns, cancellation } = runtime.ledger;
  const campaign = await findCampaign(runtime, id);
  const { state: was } = campaign;
  const began = await cancellation.begin(id);
  const rows = began === 'cancelling' ? await cancelRows(runtime, campaign) : { cancelled: 0, review: 0 };
  const after = await campaigns.find(id);
  const isBarred = was === 'ended' && campaign.cancelledAt === undefined && after?.cancelledAt !== undefined;
  return { ...rows, ...(isBarred && { review: after.counts.review }), was, state: after?.state ?? 'ended' };
}
