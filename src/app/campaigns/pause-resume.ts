/** Pauses and resumes a campaign. */

import { z } from 'zod';
import type { Document } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { campaignState } from './documents/campaign.ts';
import { type CampaignRef, findCampaign } from './find.ts';

/** The state of a campaign, and the state before. */
export const heldSchema = z.strictObject({ id: z.string(), state: campaignState, was: campaignState });

/** The state of a campaign after `pauseCampaign` or `resumeCampaign`, and what it `was`. */
export type HoldResult = Omit<Document<typeof heldSchema>, 'id'>;

/** Calls under way finish. @param by name of the person, as pages show it. @throws {UseCaseError} `campaign_not_found`. */
export async function pauseCampaign(
  runtime: Pick<Runtime, 'ledger'>,
  campaign: CampaignRef,
  by?: string,
): Promise<HoldResult> {
  const { id, state: was } = await findCampaign(runtime, campaign);
  const reason = { code: 'paused', message: 'Paused by a person.' };
  return { state: (await runtime.ledger.campaigns.pause(id, reason, by)) ?? was, was };
}

/** @param by name of the person. @returns `paused` if the canary paused it again. @throws {UseCaseError} `campaign_not_found`. */
export async function resumeCampaign(
  runtime: Pick<Runtime, 'ledger' | 'queues'>,
  campaign: CampaignRef,
  by?: string,
): Promise<HoldResult> {
  const { id, state: was } = await findCampaign(runtime, campaign);
  const state = await runtime.ledger.campaigns.resume(id, by);
  if (state === 'running') await runtime.queues.wakeAdmission(id);
  return { state: state ?? was, was };
}
