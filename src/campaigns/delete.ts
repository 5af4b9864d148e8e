/** Deletes a campaign with all that the ledger and the queues have of it. Posts at the service are not touched. */
import type { Campaign } from '../ledger/campaigns.ts';
import type { Refusal } from '../ledger/deletion.ts';
import { removeRemains } from '../processors/upkeep/removal.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { plural } from '../runtime/wording.ts';
import { findCampaign } from './find.ts';

export interface DeleteOptions {
  /** Although rows are in review, whose doubt is lost. */
  readonly force: boolean;
}

/**
 * Asks what the ledger will say, before a sheet is written for nothing.
 * @throws {UseCaseError} `campaign_unfinished`, `campaign_in_review`.
 */
export function requireDeletable(campaign: Campaign, { force }: DeleteOptions): void {
  const { state, counts } = campaign;
  if (counts.running > 0 || state === 'running' || state === 'cancelling')
    throw refused(campaign, 'unfinished');
  if (counts.review > 0 && !force) throw refused(campaign, 'review');
}

/**
 * After a crash in between the keeper finishes it.
 * @throws {UseCaseError} `campaign_not_found`, `campaign_unfinished`, `campaign_in_review`.
 */
export async function deleteCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  id: string,
  options: DeleteOptions,
): Promise<void> {
  const { deletion } = runtime.ledger;
  const campaign = await findCampaign(runtime, id);
  const refusal = await deletion.bury(id, options);
  if (refusal !== undefined) throw refused(campaign, refusal);
  const remains = (await deletion.remains()).find((each) => each.id === id);
  if (remains) await removeRemains(runtime, remains);
}

function refused({ id, counts }: Campaign, refusal: Refusal): UseCaseError {
  switch (refusal) {
    case 'gone':
      return new UseCaseError('campaign_not_found', `there is no campaign ${id} any more`);
    case 'review':
      return new UseCaseError(
        'campaign_in_review',
        `${plural(counts.review, 'row')} of ${id} in review: nobody could tell any more whether they were posted`,
        { cure: `Settle them (campaigns show ${id}), or give --force.` },
      );
    case 'unfinished':
    case 'recent':
      return new UseCaseError('campaign_unfinished', `${id} has not ended`, {
        cure: `Call it off first with: campaigns cancel ${id}\nOr give --cancel, which does both.`,
      });
  }
}
