/** `campaigns pause ID`: pauses a campaign. */
import type { Command } from 'commander';
import { pauseCampaign } from '../../campaigns/pause-resume.ts';
import { systemUser } from '../../runtime/system-user.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .addHelpText(
      'after',
      '\nCalls under way finish. Nothing more is sent until the campaign is resumed.\n\nExample:\n  campaigns pause c1',
    )
    .action(pause);
}

async function pause(id: string, flags: CommonOptions): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const { runtime, output } = session;
  const { state, was } = await pauseCampaign(runtime, id, systemUser());
  if (state === 'paused' && was !== 'paused') await session.record(`Paused ${id}.`);
  output.document('pause', { id, state, was });
  if (state !== 'paused') output.print(`${id} cannot be paused: it ${describe(state)}.`);
  else if (was === 'paused') output.print(`${id} was already paused.`);
  else output.print(`${id} is paused. Go on:\n  campaigns resume ${id}`);
}

function describe(state: 'running' | 'cancelling' | 'ended'): string {
  return state === 'ended' ? 'has ended' : `is ${state}`;
}
