/** `campaigns pause ID`: holds a campaign. */
import type { Command } from 'commander';
import { pauseCampaign } from '../../campaigns/hold.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns pause c1')
    .action(pause);
}

async function pause(id: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { state, was } = await pauseCampaign(runtime, id);
  output.document('pause', { id, state, was });
  if (state !== 'paused') output.print(`${id} cannot be paused: it ${describe(state)}.`);
  else if (was === 'paused') output.print(`${id} was paused already.`);
  else output.print(`${id} is paused. Let it go on with: campaigns resume ${id}`);
}

function describe(state: 'running' | 'cancelling' | 'ended'): string {
  return state === 'ended' ? 'has ended' : `is ${state}`;
}
