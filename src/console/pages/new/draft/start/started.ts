/** Answers for a draft that was started: each of its addresses and buttons leads to the campaign. */
import { findCampaign } from '../../../../../campaigns/find.ts';
import type { Campaign } from '../../../../../ledger/campaigns/campaigns.ts';
import { UseCaseError } from '../../../../../runtime/use-case-error.ts';
import type { Answer, PageRequest } from '../../../../request.ts';

/** @param campaign id of the campaign. */
export async function showStarted({ runtime }: PageRequest, campaign: string): Promise<Answer> {
  try {
    const text = startedBefore(await findCampaign(runtime, campaign));
    return { kind: 'redirect', to: `/campaigns/${campaign}`, notice: { state: 'done', text } };
  } catch (error) {
    if (!(error instanceof UseCaseError) || error.code !== 'campaign_not_found') throw error;
    const text = `This draft was started as campaign ${campaign}, which has been deleted since.`;
    return { kind: 'redirect', to: '/campaigns', notice: { state: 'warning', text } };
  }
}

export function startedBefore({ name }: Pick<Campaign, 'name'>): string {
  return `This is the campaign that was started from the draft: ${name}. Nothing was started a second time.`;
}
