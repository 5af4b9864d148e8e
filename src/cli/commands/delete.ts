/** `campaigns delete ID`: removes a campaign and all that is known of it. */
import { Command } from 'commander';
import { checkResultsFlags, writeResults } from '../../campaigns/results/write.ts';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { Refusal } from '../../ledger/deletion.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption, yesOption } from '../flags/common.ts';

interface DeleteOptions extends CommonOptions {
  readonly export?: string;
  readonly cancel?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
}

export function deleteCommand(): Command {
  return new Command('delete')
    .description('remove a campaign that has ended, with all that is known of its rows')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .option('--export <file>', 'write its results sheet first: .csv, .json, .jsonl or .xlsx')
    .option('--cancel', 'call it off first, if it has not ended')
    .option('--force', 'although rows are in review: nobody will be able to tell of them any more')
    .addOption(yesOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Posts that the service has accepted stay there. Files and showcase products that the service has are still known, and
are not uploaded or added again. Its manifest, if rows of it were posted, is run once more only with --again.

Example:
  campaigns delete c1 --export c1.results.csv`,
    )
    .action(remove);
}

async function remove(id: string, options: DeleteOptions): Promise<void> {
  checkResultsFlags({ out: options.export });
  const [{ findCampaign, openLedger }, { deleteCampaign }, { confirm }, { describeCounts }] =
    await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../../campaigns/delete.ts'),
      import('../confirm.ts'),
      import('../print/campaign.ts'),
    ]);
  await using session = await openLedger(options);
  const found = await findCampaign(session, id);
  await confirm(`Delete ${id} (${found.name}: ${describeCounts(found.counts)})?`, options);
  if (options.cancel) await callOff(session, id);
  const campaign = await findCampaign(session, id);
  const { force = false } = options;
  await refuse(campaign, refusalOf(campaign, force));
  const exported = options.export && (await writeResults(session, campaign, { out: options.export })).path;
  await refuse(campaign, await deleteCampaign(session, id, { force }));
  session.output.document({ id, deleted: true, exported: exported ?? null });
  if (exported) session.output.print(`Results: ${exported}`);
  session.output.print(`${id} is deleted.`);
}

async function callOff(session: LedgerSession, id: string): Promise<void> {
  const { cancelCampaign } = await import('../../campaigns/cancel.ts');
  await cancelCampaign(session, id);
}

/** What the ledger will say: asked for before a sheet is written for nothing. */
function refusalOf({ state, counts }: Campaign, force: boolean): Refusal | undefined {
  if (counts.running > 0 || state === 'running' || state === 'cancelling') return 'unfinished';
  return counts.review > 0 && !force ? 'review' : undefined;
}

/** @throws {CommandError} where there is a reason to. */
async function refuse({ id, counts }: Campaign, refusal: Refusal | undefined): Promise<void> {
  if (refusal === undefined) return;
  const [{ CommandError }, { plural }] = await Promise.all([
    import('../exit.ts'),
    import('../print/output.ts'),
  ]);
  switch (refusal) {
    case 'gone':
      throw new CommandError(`there is no campaign ${id} any more`);
    case 'review':
      throw new CommandError(
        `${plural(counts.review, 'row')} of ${id} in review: nobody could tell any more whether they were posted`,
        { cure: `Settle them (campaigns show ${id}), or give --force.` },
      );
    case 'unfinished':
    case 'recent':
      throw new CommandError(`${id} has not ended`, {
        cure: `Call it off first with: campaigns cancel ${id}\nOr give --cancel, which does both.`,
      });
  }
}
