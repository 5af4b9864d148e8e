/** `campaigns watch ID`: follows a campaign that other processes work off, until it has ended or is paused. It stops nothing. */
import { causesOf } from '../../app/campaigns/causes.ts';
import { campaignDocument, findCampaign } from '../../app/campaigns/find.ts';
import { progressDocument } from '../../app/campaigns/progress/notes.ts';
import { ProgressReader } from '../../app/campaigns/progress/reader.ts';
import { followCampaigns } from '../../app/campaigns/run-until-done.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { exitCodeOf, exitCodes, listenForInterrupt } from '../exit.ts';
import { summarize } from '../finish.ts';
import { campaignId, type Define } from '../flags/common.ts';
import { printPause } from '../print/campaign.ts';
import { createProgressDisplay, progressLines } from '../print/progress.ts';
import { widthFor } from '../print/terminal.ts';
import { inSession, type Session } from '../session.ts';

export const watch: Define = (command) =>
  command
    .argument(...campaignId)
    .option('--once', 'show the progress once, then end')
    .notes(`
It shows steps, pace, and what the rows wait for. It needs no API key. Ctrl-C ends only this command.

Exit codes: 0 all posted (with --once also while it runs), 3 ended and not all posted, 4 paused, 130 Ctrl-C.

Example:
  campaigns watch c1`)
    .action(
      inSession({ lasts: true }, async (session, id: string, { once }: { readonly once?: boolean }) => {
        const campaign = await findCampaign(session.runtime, id);
        process.exitCode = await (once
          ? lookOnce(session, campaign)
          : watchCampaign(session, 'watch', campaign));
      }),
    );

async function lookOnce({ runtime, output }: Session, campaign: Campaign): Promise<number> {
  const progress = await new ProgressReader(runtime).read(campaign);
  output.document('watch', { ...campaignDocument(campaign), progress: progressDocument(progress) });
  for (const line of progressLines(output, progress, widthFor('stdout'))) output.print(line);
  printPause(output, campaign);
  return progress.isUnderWay ? exitCodes.ok : exitCodeOf(campaign);
}

/** @returns the exit code that a run of the campaign would have; 130 if interrupted. */
export async function watchCampaign(
  session: Session,
  command: 'watch' | 'import',
  campaign: Campaign,
): Promise<number> {
  const { runtime, output } = session;
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
    output.say(`Stopped watching ${campaign.id}. Workers continue.`);
    return exitCodes.interrupted;
  }
  const causes = await causesOf(runtime.ledger, followed);
  const progress = progressDocument(await reader.read(followed));
  output.document(command, { ...campaignDocument(followed), causes, progress });
  await summarize(session, followed, causes);
  return exitCodeOf(followed);
}
