/** Watches one campaign until it has ended or is paused, and says what became of it. It stops nothing. */

import { followCampaigns } from '../campaigns/progress/follow.ts';
import type { ProgressReader } from '../campaigns/progress/reader.ts';
import { causesOf } from '../campaigns/repair/causes.ts';
import type { Campaign } from '../ledger/campaigns.ts';
import type { LedgerSession } from '../runtime/runtime.ts';
import { exitCodes } from './exit.ts';
import { campaignDocument, exitCodeOf, printSummary } from './print/campaign.ts';
import { progressDocument } from './print/progress-document.ts';
import { listenForInterrupt } from './work-off.ts';

/** @returns the exit code: that of a run of the campaign, or 130 for who stopped watching. */
export async function watchCampaign(
  session: LedgerSession,
  reader: ProgressReader,
  campaign: Campaign,
): Promise<number> {
  const { output } = session;
  using interrupt = listenForInterrupt(session);
  const [followed] = (await followCampaigns(session, reader, [campaign.id], interrupt.signal)) ?? [];
  if (!followed) {
    output.document({ id: campaign.id, interrupted: true });
    output.say(`${campaign.id} is not watched any more; whatever works on it goes on.`);
    return exitCodes.interrupted;
  }
  const causes = await causesOf(session.ledger, followed);
  const progress = progressDocument(await reader.read(followed));
  output.document({ ...campaignDocument(followed), causes, progress });
  output.print();
  printSummary(output, followed, causes);
  return exitCodeOf(followed);
}
