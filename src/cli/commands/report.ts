/** `campaigns report ID --out FILE`: the manifest's rows with what became of each. */
import { Command } from 'commander';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('write the results sheet of a campaign: its own columns, then what became of each row')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .requiredOption('--out <file>', 'where to write it (CSV)')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns report c1 --out c1.results.csv')
    .action(report);
}

async function report(id: string, options: CommonOptions & { readonly out: string }): Promise<void> {
  const [{ findCampaign, openLedger }, { writeResults }, { plural }] = await Promise.all([
    import('../ledger-session.ts'),
    import('../results.ts'),
    import('../output.ts'),
  ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const path = await writeResults(session, campaign, options.out);
  session.output.document({ id, rows: campaign.rows, path });
  session.output.print(`${plural(campaign.rows, 'row')} of ${id} written to ${path}`);
}
