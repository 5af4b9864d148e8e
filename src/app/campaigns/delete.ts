/** Deletes a campaign from the ledger and the queues. Posts at the service are not touched. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Refusal } from '../../ledger/campaigns/deletion.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { removeRemains } from '../../processors/rescue/cancellation.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type CampaignRef, findCampaign } from './find.ts';
import { removeOwnSheet } from './results/own-sheet.ts';
import { removePicturesOf } from './rows/pictures.ts';

export const deletedSchema = z.strictObject({
  id: z.string(),
  deleted: z.literal(true),
  exported: z.string().nullable(),
});

export interface DeleteOptions {
  /** Deletes even a campaign with rows in review: nobody can tell afterwards whether they were posted. */
  readonly force?: boolean | undefined;
}

/** Before a results sheet is written for nothing. @throws {UseCaseError} `campaign_unfinished`, `campaign_in_review`. */
export function requireDeletable(campaign: Campaign, { force = false }: DeleteOptions): void {
  const { state, counts } = campaign;
  if (counts.running > 0 || state === 'running' || state === 'cancelling')
    throw refused(campaign, 'unfinished');
  if (counts.review > 0 && !force) throw refused(campaign, 'review');
}

/** If it crashes, the rescuer finishes it. @throws {UseCaseError} `campaign_not_found`, `campaign_unfinished`, `campaign_in_review`. */
export async function deleteCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues' | 'environment'>,
  ref: CampaignRef,
  { force = false }: DeleteOptions = {},
): Promise<void> {
  const { deletion } = runtime.ledger;
  const campaign = await findCampaign(runtime, ref);
  const { id } = campaign;
  const refusal = await deletion.tombstone(id, { force });
  if (refusal !== undefined) throw refused(campaign, refusal);
  const remains = (await deletion.remains()).find((each) => each.id === id);
  if (remains) await removeRemains(runtime, remains);
  await removePicturesOf(runtime, campaign);
  await removeOwnSheet(runtime, campaign);
}

function refused({ id, counts }: Campaign, refusal: Refusal): UseCaseError {
  switch (refusal) {
    case 'gone':
      return new UseCaseError('campaign_not_found', `campaign ${id} no longer exists`);
    case 'review':
      return new UseCaseError(
        'campaign_in_review',
        `${id} has ${plural(counts.review, 'row')} in review: after deletion, their outcome stays unknown`,
        {
          cure: [
            'See the rows and decide about them first.',
            hint('show', { campaign: id }),
            hint('deleteAnyway'),
          ],
        },
      );
    case 'unfinished':
    case 'recent':
      return new UseCaseError('campaign_unfinished', `${id} has not ended`, {
        cure: ['Cancel it first.', hint('cancelFirst', { campaign: id })],
      });
  }
}
