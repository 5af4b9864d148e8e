/** `campaigns watch ID`: follows a campaign that is worked off elsewhere. */
import { Command } from 'commander';
import type { ProgressReader } from '../../campaigns/progress/reader.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

interface WatchOptions extends CommonOptions {
  readonly once?: boolean;
}

/** Columns where there is no terminal. */
const widest = 200;

export function watchCommand(): Command {
  return new Command('watch')
    .description('follow a campaign until it ends or is paused: steps, pace, and what holds it back')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .option('--once', 'look once, and end')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It only looks: it needs no API key, and Ctrl-C ends the watching and nothing else.

Exit codes: 0 all posted (with --once also while it runs), 3 ended and not all posted, 4 paused, 130 Ctrl-C.

Example:
  campaigns watch c1`,
    )
    .action(watch);
}

async function watch(id: string, options: WatchOptions): Promise<void> {
  const [{ findCampaign, openLedger }, { openProgressReader }, { watchCampaign }] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../../campaigns/progress/follow.ts'),
    import('../watch-campaign.ts'),
  ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const reader = openProgressReader(session);
  process.exitCode = options.once
    ? await lookOnce(session, reader, campaign)
    : await watchCampaign(session, reader, campaign);
}

async function lookOnce(session: LedgerSession, reader: ProgressReader, campaign: Campaign): Promise<number> {
  const [
    { campaignDocument, exitCodeOf },
    { progressDocument },
    { progressLines },
    { exitCodes },
    { isUnderWay },
  ] = await Promise.all([
    import('../print/campaign.ts'),
    import('../print/progress-document.ts'),
    import('../print/progress-lines.ts'),
    import('../exit.ts'),
    import('../../ledger/campaigns.ts'),
  ]);
  const { output } = session;
  const progress = await reader.read(campaign);
  output.document({ ...campaignDocument(campaign), progress: progressDocument(progress) });
  for (const line of progressLines(output, progress, process.stdout.columns ?? widest)) output.print(line);
  return isUnderWay(campaign) ? exitCodes.ok : exitCodeOf(campaign);
}
