/** Campaigns as a list shows them: the outlook of running ones, and the causes of ended ones. */
import { type Campaign, isUnderWay } from '../ledger/campaigns/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Cause } from './documents/campaign.ts';
import type { Outlook, ProgressReader } from './progress/reader.ts';

export interface CampaignOverview {
  readonly campaign: Campaign;
  /** Number of creators of its sheet. */
  readonly creators: number;
  /** Undefined unless the campaign is under way. */
  readonly outlook: Outlook | undefined;
  /** The cause with the most rows first; empty for a running campaign. */
  readonly causes: readonly Cause[];
}

export async function describeCampaigns(
  { ledger }: Pick<Runtime, 'ledger'>,
  reader: ProgressReader,
  campaigns: readonly Campaign[],
): Promise<readonly CampaignOverview[]> {
  const creators = await ledger.campaigns.creatorCounts(campaigns.map(({ id }) => id));
  return Promise.all(
    campaigns.map(async (campaign, index) => ({
      campaign,
      creators: creators[index] ?? 0,
      outlook: isUnderWay(campaign) ? await reader.outlook(campaign) : undefined,
      causes: campaign.state === 'ended' ? await reader.causes.of(campaign) : [],
    })),
  );
}

/** Rows that stopped because their creator must authorize again. */
export interface StoppedCreators {
  readonly campaign: Campaign;
  /** The first few, as in the sheet. */
  readonly creators: readonly string[];
  readonly rows: number;
}

export interface Waiting {
  readonly inReview: readonly Campaign[];
  readonly stopped: readonly StoppedCreators[];
  /** Paused ones; those at their canary first. */
  readonly paused: readonly Campaign[];
}

/** Campaigns whose causes are read; those of older ones are not. */
const campaignsLookedAt = 100;

/** Finds everything that waits for a person, over all campaigns. @param campaigns newest first. */
export async function whatWaits(reader: ProgressReader, campaigns: readonly Campaign[]): Promise<Waiting> {
  const failed = campaigns.filter(
    ({ counts, cancelledAt }) => counts.failed > 0 && cancelledAt === undefined,
  );
  const stopped: StoppedCreators[] = [];
  for (const campaign of failed.slice(0, campaignsLookedAt)) {
    const causes = (await reader.causes.of(campaign)).filter(({ repair }) => repair === 'authorize');
    if (causes.length === 0) continue;
    const rows = causes.reduce((sum, cause) => sum + cause.rows, 0);
    stopped.push({ campaign, creators: causes.flatMap(({ subjects }) => subjects), rows });
  }
  const paused = campaigns.filter(({ state }) => state === 'paused');
  return {
    inReview: campaigns.filter(({ counts }) => counts.review > 0),
    stopped,
    paused: [...paused.filter(isAtCanary), ...paused.filter((campaign) => !isAtCanary(campaign))],
  };
}

/** Whether the campaign is paused because its first rows have ended and a person should look at them. */
export function isAtCanary({ state, pauseReason }: Pick<Campaign, 'state' | 'pauseReason'>): boolean {
  return state === 'paused' && pauseReason?.code === 'canary';
}
