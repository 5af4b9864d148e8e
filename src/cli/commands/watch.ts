/** `campaigns watch ID`: follows a campaign that other processes work off. */
import type { Command } from 'commander';
import { campaignDocument } from '../../campaigns/documents/campaign.ts';
import { progressDocument } from '../../campaigns/documents/progress.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { ProgressReader } from '../../campaigns/progress/reader.ts';
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { exitCodeOf, exitCodes } from '../exit.ts';
import { printPause } from '../print/campaign.ts';
import { progressLines } from '../print/progress-lines.ts';
import { columnsOf } from '../print/terminal.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';
import { watchCampaign } from '../watch.ts';

interface WatchFlags extends CommonOptions {
  readonly once?: boolean;
}

/** Columns without a terminal. */
const widest = 200;

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .option('--once', 'show the progress once, then end')
    .addHelpText(
      'after',
      `
It shows steps, pace, and what holds the campaign back. It needs no API key. Ctrl-C ends only the watching.

Exit codes: 0 all posted (with --once also while it runs), 3 ended and not all posted, 4 paused, 130 Ctrl-C.

Example:
  campaigns watch c1`,
    )
    .action(watch);
}

async function watch(id: string, flags: WatchFlags): Promise<void> {
  await using session = await openSession(flags);
  const campaign = await findCampaign(session.runtime, id);
  process.exitCode = flags.once
    ? await lookOnce(session, campaign)
    : await watchCampaign(session, 'watch', campaign);
}

async function lookOnce({ runtime, output }: Session, campaign: Campaign): Promise<number> {
  const progress = await new ProgressReader(runtime).read(campaign);
  output.document('watch', { ...campaignDocument(campaign), progress: progressDocument(progress) });
  for (const line of progressLines(output, progress, columnsOf('stdout') ?? widest)) output.print(line);
  printPause(output, campaign);
  return progress.isUnderWay ? exitCodes.ok : exitCodeOf(campaign);
}
