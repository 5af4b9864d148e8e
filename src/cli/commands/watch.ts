/** `campaigns watch ID`: follows a campaign that is worked off elsewhere. */
import { Command } from 'commander';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { ProgressReader } from '../../operating/progress.ts';
import type { CommonOptions, LedgerSession } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

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
  const [{ findCampaign, openLedger }, { openProgressReader }] = await Promise.all([
    import('../ledger-session.ts'),
    import('../follow.ts'),
  ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const reader = openProgressReader(session);
  process.exitCode = options.once
    ? await lookOnce(session, reader, campaign)
    : await follow(session, reader, campaign);
}

async function lookOnce(session: LedgerSession, reader: ProgressReader, campaign: Campaign): Promise<number> {
  const [{ campaignDocument, exitCodeOf }, { progressDocument }, { progressLines }, { exitCodes }] =
    await Promise.all([
      import('../describe.ts'),
      import('../progress-document.ts'),
      import('../progress-lines.ts'),
      import('../exit.ts'),
    ]);
  const { output } = session;
  const progress = await reader.read(campaign);
  output.document({ ...campaignDocument(campaign), progress: progressDocument(progress) });
  for (const line of progressLines(output, progress, process.stdout.columns ?? widest)) output.print(line);
  return campaign.state === 'running' ? exitCodes.ok : exitCodeOf(campaign);
}

async function follow(session: LedgerSession, reader: ProgressReader, campaign: Campaign): Promise<number> {
  const [{ campaignDocument, exitCodeOf, printSummary }, { progressDocument }, { causesOf }, { exitCodes }] =
    await Promise.all([
      import('../describe.ts'),
      import('../progress-document.ts'),
      import('../../operating/causes.ts'),
      import('../exit.ts'),
    ]);
  const [{ followCampaigns }, { listenForInterrupt }] = await Promise.all([
    import('../follow.ts'),
    import('../work-off.ts'),
  ]);
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
