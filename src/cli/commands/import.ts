/** `campaigns import FILE`: hands a manifest to workers that run elsewhere. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { addHandInOptions } from '../flags/hand-in.ts';
import type { HandInFlags } from '../hand-in.ts';

interface ImportFlags extends CommonOptions, HandInFlags {
  readonly watch?: boolean;
}

export function importCommand(): Command {
  return addHandInOptions(new Command('import'))
    .description('check a manifest and hand it to workers that run elsewhere (campaigns worker)')
    .argument('<file>', 'the manifest (CSV, JSON or XLSX); - for standard input')
    .option('--watch', 'follow it until it has ended or is paused')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The manifest is checked first; nothing is sent while it has problems. Workers take the campaign up at once.

Exit codes: 0 handed over, 1 problems, 2 usage or settings; with --watch also 3 not all posted, 4 paused.

Example:
  campaigns import posts.csv --watch
  campaigns import posts.results.csv --into c1 --dry-run`,
    )
    .action(importFile);
}

async function importFile(file: string, flags: ImportFlags): Promise<void> {
  const [{ openLedger }, { openAccounts }, { handIn }, { campaignDocument }, { matchesDocument }] =
    await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../../runtime/accounts.ts'),
      import('../hand-in.ts'),
      import('../print/campaign.ts'),
      import('../print/matches.ts'),
    ]);
  await using session = await openLedger(flags);
  await using accounts = openAccounts(session);
  const handed = await handIn(session, accounts, file, flags);
  if (handed === undefined) return;
  const { campaign, merged } = handed;
  const { output, queues } = session;
  if (campaign.state === 'running') await queues.wakeAdmission(campaign.id);
  if (flags.watch) {
    const [{ openProgressReader }, { watchCampaign }] = await Promise.all([
      import('../../campaigns/progress/follow.ts'),
      import('../watch-campaign.ts'),
    ]);
    process.exitCode = await watchCampaign(session, openProgressReader(session), campaign);
    return;
  }
  output.document({ ...campaignDocument(campaign), ...(merged && matchesDocument(merged.matches)) });
  if (campaign.state === 'paused') output.print(`It is paused; go on with: campaigns resume ${campaign.id}`);
  else output.print(`Follow it with: campaigns watch ${campaign.id}`);
}
