/** `campaigns delete ID`: removes a campaign and everything known about its rows. */
import type { Command } from 'commander';
import { cancelCampaign } from '../../campaigns/cancel.ts';
import { deleteCampaign, requireDeletable } from '../../campaigns/delete.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { writeResults } from '../../campaigns/results/write.ts';
import { confirm } from '../confirm.ts';
import { yesOption } from '../flags/common.ts';
import { checkResultsFlags, targetOf } from '../flags/results.ts';
import { describeCounts } from '../print/campaign.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface DeleteFlags extends CommonOptions {
  readonly export?: string;
  readonly cancel?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .option('--export <file>', 'first write the results: .csv, .json, .jsonl or .xlsx')
    .option('--cancel', 'first cancel it, if it has not ended')
    .option('--force', 'delete even if rows are in review, and lose what is known')
    .addOption(yesOption())
    .addHelpText(
      'after',
      `
Posts that the service has accepted stay there. Uploaded files and showcase products stay known: they are not sent
again. If rows of its manifest were posted, \`campaigns run\` takes that manifest again only with --again.

Example:
  campaigns delete c1 --export c1.results.csv`,
    )
    .action(remove);
}

async function remove(id: string, flags: DeleteFlags): Promise<void> {
  checkResultsFlags({ out: flags.export }, false);
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const found = await findCampaign(runtime, id);
  await confirm(`Delete ${id} (${found.name}: ${describeCounts(found)})?`, flags);
  if (flags.cancel) await cancelCampaign(runtime, id);
  const campaign = await findCampaign(runtime, id);
  const { force = false } = flags;
  requireDeletable(campaign, { force });
  const exported =
    flags.export && (await writeResults(runtime, campaign, targetOf(flags.export, undefined))).path;
  await deleteCampaign(runtime, id, { force });
  await session.record(`Deleted ${id} (${found.name}).`);
  output.document('delete', { id, deleted: true, exported: exported ?? null });
  if (exported) output.print(`Results: ${exported}`);
  output.print(`${id} was deleted.`);
}
