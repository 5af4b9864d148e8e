/**
 * Cancels a campaign: waiting and running rows are cancelled, rows of unknown outcome go to review, ended rows stay as they are. Nothing of it is
 * sent again, whatever is decided about its rows in review. If Redis has lost records of what was sent, rows that may have been sent
 * since go to review as well: nobody should post them again elsewhere.
 */

import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { type CurePart, hint } from '../../manifest/problems/hint.ts';
import { cancelRows } from '../../processors/rescue/cancellation.ts';
import type { Document } from '../runtime/documents.ts';
import { campaignState } from './documents/campaign.ts';
import { type CampaignRef, findCampaign } from './find.ts';
import { isPausedForLoss, type LostRowsRuntime, markFailedUnknown, markUnknown } from './lost-rows.ts';
import { countUnusedOutputs } from './paid-outputs.ts';

export const cancelledSchema = z.strictObject({
  id: z.string(),
  cancelled: z.int(),
  /** Rows that went to review, because their call was under way; of an ended campaign, its rows in review, which are not sent again. */
  review: z.int(),
  /** AI outputs that are paid for, made or being made, and that no post of the campaign will use. */
  unusedAiOutputs: z.int(),
  /** The state before. If it was `ended`, and no row in review, there was nothing to cancel. */
  was: campaignState,
  state: campaignState,
  /** Nothing was changed: the counts say what would be cancelled. */
  dryRun: z.boolean(),
});

export type CancelResult = Omit<Document<typeof cancelledSchema>, 'id'>;

/** What a cancellation would do, as things stand. A row whose call is under way may still go to review. @throws {UseCaseError} `campaign_not_found`. */
export async function planCancellation(runtime: LostRowsRuntime, ref: CampaignRef): Promise<CancelResult> {
  const campaign = await findCampaign(runtime, ref);
  const { state, counts, cancelledAt } = campaign;
  const isBarred = state === 'ended' && cancelledAt === undefined;
  return {
    cancelled: state === 'ended' ? 0 : counts.waiting + counts.running,
    review: isBarred ? counts.review : 0,
    unusedAiOutputs: await countUnusedOutputs(runtime, campaign),
    was: state,
    state,
    dryRun: true,
  };
}

/** If it crashes midway, the rescuer or another call finishes it. @throws {UseCaseError} `campaign_not_found`. */
export async function cancelCampaign(runtime: LostRowsRuntime, ref: CampaignRef): Promise<CancelResult> {
  const { campaigns, cancellation, journal } = runtime.ledger;
  const campaign = await findCampaign(runtime, ref);
  const { id, state: was } = campaign;
  const unusedAiOutputs = await countUnusedOutputs(runtime, campaign);
  let toReview = 0;
  if (isPausedForLoss(campaign)) {
    const look = await journal.check();
    const loss = (await journal.loss()) ?? (await journal.unnoticed(look));
    toReview += await markUnknown(runtime, campaign, loss);
  }
  if (was !== 'ended') toReview += await markFailedUnknown(runtime, campaign);
  const began = await cancellation.begin(id);
  const rows = began === 'cancelling' ? await cancelRows(runtime, campaign) : { cancelled: 0, review: 0 };
  const after = await campaigns.find(id);
  const isBarred = was === 'ended' && campaign.cancelledAt === undefined && after?.cancelledAt !== undefined;
  const review = isBarred ? after.counts.review : rows.review + toReview;
  return { ...rows, review, unusedAiOutputs, was, state: after?.state ?? 'ended', dryRun: false };
}

/** How to post rows of a cancelled campaign. @returns undefined if there are none. */
export function rowsAnew(campaign: Campaign): readonly CurePart[] | undefined {
  const { id, counts, mediaRoot, timezone, map, header } = campaign;
  const states = (['cancelled', 'failed'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return undefined;
  const edit = counts.failed > 0 ? ', fix what failed' : '';
  const headers = new Set(header.map(foldHeader));
  return [
    `Its ${states.join(' and ')} rows can be posted as a campaign of their own. ` +
      `Write them to a sheet, remove its column \`campaign\`${edit}, and import it.`,
    hint('rowsAnew', {
      campaign: id,
      states,
      mediaRoot,
      timezone,
      // The sheet may be in another folder than the manifest, and has its headers.
      map: Object.fromEntries([...map].filter(([name]) => headers.has(foldHeader(name)))),
    }),
  ];
}
