/** Follows campaigns until none of them runs. Changes nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import { unlessAborted } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type CampaignRef, readCampaigns } from '../find.ts';
import { type CampaignProgress, ProgressReader } from './reader.ts';

/** Looks are frequent at first, then rarer, because small campaigns end within a moment. */
const firstLookMs = 20;
const lookEveryMs = 250;
const growth = 1.5;

export interface FollowOptions {
  /** Ends only the following. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the first campaign under way, four times a second, and more often in the first second. */
  readonly onProgress?: ((progress: CampaignProgress) => void) | undefined;
  /** Measures the pace since its first look; a new one unless given. */
  readonly reader?: { read(campaign: Campaign): Promise<CampaignProgress> } | undefined;
}

/** Follows campaigns until none of them runs; changes nothing. @returns the campaigns once none of them runs; undefined when the signal came first. */
export async function followCampaigns(
  runtime: Runtime,
  campaigns: readonly CampaignRef[],
  {
    signal = new AbortController().signal,
    onProgress,
    reader = new ProgressReader(runtime),
  }: FollowOptions = {},
): Promise<readonly Campaign[] | undefined> {
  for (let waitMs = firstLookMs; !signal.aborted; waitMs = Math.min(lookEveryMs, waitMs * growth)) {
    const looking = look(runtime, campaigns, reader, onProgress);
    // Without Redis there is no answer, and an interrupt must not wait for one.
    looking.catch(() => undefined);
    const ended = await unlessAborted(looking, signal);
    if (ended) return ended;
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function look(
  runtime: Runtime,
  refs: readonly CampaignRef[],
  reader: NonNullable<FollowOptions['reader']>,
  onProgress: FollowOptions['onProgress'],
): Promise<readonly Campaign[] | undefined> {
  const campaigns = await readCampaigns(runtime, refs);
  const current = campaigns.find(isUnderWay) ?? campaigns.at(-1);
  if (current && onProgress) onProgress(await reader.read(current));
  return campaigns.some(isUnderWay) ? undefined : campaigns;
}
