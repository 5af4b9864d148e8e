/** Holds a campaign, and lets it go on. */
import type { CampaignState } from '../ledger/campaigns.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { findCampaign } from './find.ts';

export interface HoldResult {
  readonly state: CampaignState;
  /** The state before. */
  readonly was: CampaignState;
}

/** Calls that are under way finish, nothing further is sent. @throws {UseCaseError} `campaign_not_found`. */
export async function pauseCampaign(runtime: Pick<Runtime, 'ledger'>, id: string): Promise<HoldResult> {
  const { state: was } = await findCampaign(runtime, id);
  const reason = { code: 'paused', message: 'It was paused by hand.' };
  return { state: (await runtime.ledger.campaigns.pause(id, reason)) ?? was, was };
}

/**
 * @returns `state` `paused` for a canary whose first rows ended after it was read: it holds once more.
 * @throws {UseCaseError} `campaign_not_found`.
 */
export async function resumeCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  id: string,
): Promise<HoldResult> {
  const { state: was } = await findCampaign(runtime, id);
  const state = await runtime.ledger.campaigns.resume(id);
  if (state === 'running') await runtime.queues.wakeAdmission(id);
  return { state: state ?? was, was };
}
