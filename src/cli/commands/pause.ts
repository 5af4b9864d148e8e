/** `campaigns pause ID`: holds a campaign. */
import { Command } from 'commander';
import type { CommonOptions } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function pauseCommand(): Command {
  return new Command('pause')
    .description(
      'hold a campaign: calls that are under way finish, nothing further is sent until it is resumed',
    )
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns pause c1')
    .action(pause);
}

async function pause(id: string, options: CommonOptions): Promise<void> {
  const { findCampaign, openLedger } = await import('../../runtime/runtime.ts');
  await using session = await openLedger(options);
  const { ledger, output } = session;
  const before = await findCampaign(session, id);
  const reason = { code: 'paused', message: 'It was paused by hand.' };
  const state = (await ledger.campaigns.pause(id, reason)) ?? before.state;
  output.document({ id, state, was: before.state });
  if (state !== 'paused') output.print(`${id} cannot be paused: it ${describe(state)}.`);
  else if (before.state === 'paused') output.print(`${id} was paused already.`);
  else output.print(`${id} is paused. Let it go on with: campaigns resume ${id}`);
}

function describe(state: 'running' | 'cancelling' | 'ended'): string {
  return state === 'ended' ? 'has ended' : `is ${state}`;
}
