/** Watches one campaign until it has ended or is paused, then prints a summary. It stops nothing. */

import { causesOf } from '../campaigns/causes/causes.ts';
import { campaignDocument } from '../campaigns/documents/campaign.ts';
import { progressDocument } from '../campaigns/documents/progress.ts';
import { followCampaigns } from '../campaigns/progress/follow.ts';
import { ProgressReader } from '../campaigns/progress/reader.ts';
import type { Campaign } from '../ledger/campaigns/campaigns.ts';
import { exitCodeOf, exitCodes } from './exit.ts';
import { listenForInterrupt } from './interrupt.ts';
import { printSummary } from './print/campaign.ts';
import { createProgressDisplay } from './print/progress.ts';
import type { Session } from './session.ts';

/** @returns the exit code that a run of the campaign would have; 130 if interrupted. */
export async function watchCampaign(
  { runtime, output }: Session,
  command: 'watch' | 'import',
  campaign: Campaign,
): Promise<number> {
  using interrupt = listenForInterrupt(runtime);
  const reader = new ProgressReader(runtime);
  const display = createProgressDisplay(output);
  const [followed] =
    (await followCampaigns(runtime, [campaign.id], {
      signal: interrupt.signal,
      onProgress: (progress) => display.show(progress),
      reader,
    })) ?? [];
  if (!followed) {
    output.document(command, { id: campaign.id, interrupted: true });
    output.say(`Stopped watching ${campaign.id}. Work on it goes on.`);
    return exitCodes.interrupted;
  }
  const causes = await causesOf(runtime.ledger, followed);
  const progress = progressDocument(await reader.read(followed));
  output.document(command, { ...campaignDocument(followed), causes, progress });
  output.print();
  printSummary(output, followed, causes);
  return exitCodeOf(followed);
}
