/** `campaigns list`: all campaigns, newest first. */
import { Command } from 'commander';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

export function listCommand(): Command {
  return new Command('list')
    .description('list all campaigns, newest first')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns list --json')
    .action(list);
}

async function list(options: CommonOptions): Promise<void> {
  const [{ openLedger }, { campaignDocument, describeCounts, stateName }, { table }] = await Promise.all([
    import('../ledger-session.ts'),
    import('../describe.ts'),
    import('../output.ts'),
  ]);
  await using session = await openLedger(options);
  const { output } = session;
  const campaigns = await session.ledger.campaigns.list();
  output.document({ campaigns: campaigns.map(campaignDocument) });
  if (campaigns.length === 0) output.print('No campaigns yet. Start one with: campaigns run FILE');
  else {
    const rows = campaigns.map((campaign) => [
      campaign.id,
      campaign.name,
      stateName(campaign),
      String(campaign.rows),
      describeCounts(campaign.counts),
    ]);
    for (const line of table(['ID', 'NAME', 'STATE', 'ROWS', 'OF THEM'], rows)) output.print(line);
  }
}
