/** `campaigns resume ID`: lets a paused campaign go on. */
import type { Command } from 'commander';
import { findCampaign } from '../../campaigns/find.ts';
import { resumeCampaign } from '../../campaigns/hold.ts';
import { resumeCreator } from '../../campaigns/repair/resume-creator.ts';
import { plural } from '../../runtime/wording.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface ResumeFlags extends CommonOptions {
  readonly creator?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .option('--creator <name>', 'close the breaker of this creator, and do the rows again that it failed')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns resume c1 && campaigns run')
    .action(resume);
}

async function resume(id: string, { creator, ...flags }: ResumeFlags): Promise<void> {
  await using session = await openSession(flags);
  // Awaited: the session closes with this function.
  await (creator === undefined ? goOn(session, id) : takeUpCreator(session, id, creator));
}

async function goOn({ runtime, output }: Session, id: string): Promise<void> {
  const { state, was } = await resumeCampaign(runtime, id);
  output.document('resume', { id, state, was });
  if (was !== 'paused') {
    output.print(`${id} was not paused: it ${was === 'ended' ? 'has ended' : `is ${was}`}.`);
  } else if (state === 'ended') output.print(`${id} has ended meanwhile.`);
  else if (state === 'paused') {
    output.print(`${id} holds once more: its first rows have ended. Look at them, then resume it again.`);
  } else output.print(`${id} may go on. Workers take it up by themselves; without any: campaigns run`);
}

async function takeUpCreator({ runtime, output }: Session, id: string, creator: string): Promise<void> {
  const { wasOpen, rows } = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
  output.document('resume', { id, creator, wasOpen, rows });
  output.print(
    `${creator}: ${wasOpen ? 'the breaker is closed' : 'the breaker was not open'}; ` +
      `${plural(rows, 'row')} will be done again.`,
  );
  if (rows > 0) output.print('Workers take them up by themselves; without any: campaigns run');
}
