/**
 * Cancels a campaign: waiting and running rows are cancelled, rows of unknown outcome go to review, ended rows stay as they are. Nothing of it is
 * sent again, whatever is decided about its rows in review. If Redis has lost records of what was sent, rows that may have been sent
 * since go to review as well: nobody should post them again elsewhere.
 */
import { defaultAccount } from '../../config/access.ts';
import type { Campaign } from '../ledger/campaigns/campaign.ts';
import { foldHeader } from '../manifest/columns.ts';
import { type CurePart, hint } from '../manifest/problems/hint.ts';
import { cancelRows } from '../processors/rescue/cancellation.ts';
import type { CommandDocument } from './documents/commands.ts';
import { type CampaignRef, findCampaign } from './find.ts';
import { isPausedForLoss, type LostRowsRuntime, markFailedUnknown, markUnknown } from './lost-rows.ts';

/**
 * What a cancellation did: rows that are cancelled, rows that went to review, and the state of the campaign before and after.
 */
export type CancelResult = Omit<CommandDocument<'cancel'>, 'id'>;

/** If it crashes midway, the rescuer or another call finishes it. @throws {UseCaseError} `campaign_not_found`. */
export async function cancelCampaign(runtime: LostRowsRuntime, ref: CampaignRef): Promise<CancelResult> {
  const { campaigns, cancellation, journal } = runtime.ledger;
  const campaign = await findCampaign(runtime, ref);
  const { id, state: was } = campaign;
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
  return { ...rows, review, was, state: after?.state ?? 'ended' };
}

/**
 * How to post the rows of a cancelled campaign that were not posted.
 * @returns undefined if there are none.
 */
export function rowsAnew(campaign: Campaign): readonly CurePart[] | undefined {
  const { id, counts, account, mediaRoot, timezone, map, header } = campaign;
  const states = (['cancelled', 'failed'] as const).filter((state) => counts[state] > 0);
  if (states.length === 0) return undefined;
  const mend = counts.failed > 0 ? ', fix what failed' : '';
  const headers = new Set(header.map(foldHeader));
  return [
    `Its ${states.join(' and ')} rows can be posted as a campaign of their own. ` +
      `Write them to a sheet, remove its column \`campaign\`${mend}, and import it.`,
    hint('rowsAnew', {
      campaign: id,
      states,
      account: account === defaultAccount ? null : account,
      mediaRoot,
      timezone,
      // The sheet may be in another folder than the manifest, and has its headers.
      map: Object.fromEntries([...map].filter(([name]) => headers.has(foldHeader(name)))),
    }),
  ];
}
