/** `campaigns resume ID`: lets a paused campaign go on. */
import { Command } from 'commander';
import type { Campaign } from '../../ledger/campaigns.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function resumeCommand(): Command {
  return new Command('resume')
    .description('let a paused campaign go on, or take up a creator who has authorized anew')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .option('--creator <name>', 'close the breaker of this creator, and do the rows again that it failed')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns resume c1 && campaigns run')
    .action(resume);
}

async function resume(id: string, options: CommonOptions & { readonly creator?: string }): Promise<void> {
  const { findCampaign, openLedger } = await import('../../runtime/runtime.ts');
  await using session = await openLedger(options);
  const { ledger, queues, output } = session;
  const before = await findCampaign(session, id);
  if (options.creator !== undefined) {
    // Awaited: the session closes with this function.
    await resumeFor(session, before, options.creator);
    return;
  }
  const state = await ledger.campaigns.resume(id);
  if (state === 'running') await queues.wakeAdmission(id);
  output.document({ id, state, was: before.state });
  if (before.state !== 'paused')
    output.print(
      `${id} was not paused: it ${before.state === 'ended' ? 'has ended' : `is ${before.state}`}.`,
    );
  else if (state === 'ended') output.print(`${id} has ended meanwhile.`);
  else if (state === 'paused') {
    output.print(`${id} holds once more: its first rows have ended. Look at them, then resume it again.`);
  } else output.print(`${id} may go on. Workers take it up by themselves; without any: campaigns run`);
}

async function resumeFor(session: LedgerSession, campaign: Campaign, name: string): Promise<void> {
  const [{ resumeCreator }, { CampaignViews }, { CommandError }, { plural }] = await Promise.all([
    import('../../campaigns/repair/resume-creator.ts'),
    import('../../processors/frame/campaign-view.ts'),
    import('../exit.ts'),
    import('../print/output.ts'),
  ]);
  const { ledger, queues, output } = session;
  const tools = { ledger, queues, views: new CampaignViews(ledger) };
  const result = await resumeCreator(tools, campaign, name);
  if (!result) {
    throw new CommandError(`campaign ${campaign.id} has no creator ${name}`, {
      cure: 'Name the creator as the sheet does.',
    });
  }
  output.document({ id: campaign.id, creator: name, ...result });
  output.print(
    `${name}: ${result.wasOpen ? 'the breaker is closed' : 'the breaker was not open'}; ` +
      `${plural(result.rows, 'row')} will be done again.`,
  );
  if (result.rows > 0) output.print('Workers take them up by themselves; without any: campaigns run');
}
