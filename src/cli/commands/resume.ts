/** `campaigns resume ID`: lets a paused campaign go on. */
import { Command } from 'commander';
import type { CommonOptions } from '../ledger-session.ts';
import { configOption, jsonOption } from '../options.ts';

export function resumeCommand(): Command {
  return new Command('resume')
    .description('let a paused campaign go on')
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns resume c1 && campaigns run')
    .action(resume);
}

async function resume(id: string, options: CommonOptions): Promise<void> {
  const { findCampaign, openLedger } = await import('../ledger-session.ts');
  await using session = await openLedger(options);
  const { ledger, queues, output } = session;
  const before = await findCampaign(session, id);
  const state = await ledger.campaigns.resume(id);
  if (state === 'running') await queues.wakeAdmission(id);
  output.document({ id, state, was: before.state });
  if (before.state !== 'paused') output.print(`${id} was not paused: it is ${before.state}.`);
  else output.print(`${id} goes on. Workers take it up by themselves; without any: campaigns run`);
}
