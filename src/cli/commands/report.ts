/** `campaigns report ID --out FILE`: the manifest's rows with what became of each. */
import { Command } from 'commander';
import {
  checkResultsFlags,
  formatOption,
  onlyOption,
  type ResultsTarget,
  writeResults,
} from '../../campaigns/results/write.ts';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function reportCommand(): Command {
  return new Command('report')
    .description('write the results sheet of a campaign: its own columns, then what became of each row')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .requiredOption('--out <file>', 'where to write it: .csv, .json, .jsonl or .xlsx; - is standard output')
    .addOption(formatOption())
    .addOption(onlyOption())
    .option('--error <code>', 'only rows whose error has this code')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Example:
  campaigns report c1 --out c1.results.xlsx
  campaigns report c1 --only failed,review --out to-mend.csv
  campaigns report c1 --only failed --error http_400 --out c1.http_400.csv
  campaigns report c1 --out - --format jsonl | jq .post_id`,
    )
    .action(report);
}

async function report(id: string, options: CommonOptions & ResultsTarget): Promise<void> {
  checkResultsFlags(options);
  const [{ findCampaign, openLedger }, { plural }] = await Promise.all([
    import('../../runtime/runtime.ts'),
    import('../print/output.ts'),
  ]);
  await using session = await openLedger(options);
  const campaign = await findCampaign(session, id);
  const { path, rows } = await writeResults(session, campaign, options);
  session.output.document({ id, rows, path });
  session.output.print(`${plural(rows, 'row')} of ${id} written to ${path ?? 'standard output'}`);
}
