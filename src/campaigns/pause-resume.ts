/** Pauses and resumes a campaign. */
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandDocument } from './documents/commands.ts';
import { type CampaignRef, findCampaign } from './find.ts';

/** The state of a campaign after `pauseCampaign` or `resumeCampaign`, and what it `was`. */
export type HoldResult = Omit<CommandDocument<'pause'>, 'id'>;

/**
 * Pauses a campaign: calls under way finish, and nothing more is sent.
 * @param by name of the person, as pages show it.
 * @throws {UseCaseError} `campaign_not_found`.
 */
export async function pauseCampaign(
  runtime: Pick<Runtime, 'ledger'>,
  campaign: CampaignRef,
  by?: string,
): Promise<HoldResult> {
  const { id, state: was } = await findCampaign(runtime, campaign);
  const reason = { code: 'paused', message: 'Paused by a person.' };
  return { state: (await runtime.ledger.campaigns.pause(id, reason, by)) ?? was, was };
}

/**
 * Lets a paused campaign go on.
 * @param by name of the person, as pages show it.
 * @returns `state` `paused` if the canary paused it again, because its first rows ended in the meantime.
 * @throws {UseCaseError} `campaign_not_found`.
 */
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
