/** `campaigns resume ID`: goes on with a paused campaign, or with a creator who has authorized again. */
import type { Command } from 'commander';
import { findCampaign } from '../../campaigns/find.ts';
import { resumeCampaign } from '../../campaigns/pause-resume.ts';
import { resumeCreator } from '../../campaigns/retry/retry.ts';
import { systemUser } from '../../runtime/system-user.ts';
import { plural } from '../../runtime/wording.ts';
import { takenUp, takenUpOf } from '../print/workers.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface ResumeFlags extends CommonOptions {
  readonly creator?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .option('--creator <name>', 'redo the failed rows of a creator who authorized again')
    .addHelpText('after', '\nExample:\n  campaigns resume c1 && campaigns run')
    .action(resume);
}

async function resume(id: string, { creator, ...flags }: ResumeFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  // Awaited: the session closes with this function.
  await (creator === undefined ? goOn(session, id) : takeUpCreator(session, id, creator));
}

async function goOn({ runtime, output, record }: Session, id: string): Promise<void> {
  const { state, was } = await resumeCampaign(runtime, id, systemUser());
  if (was === 'paused') await record(`Resumed ${id}.`);
  output.document('resume', { id, state, was });
  if (was !== 'paused') {
    output.print(`${id} was not paused: it ${was === 'ended' ? 'has ended' : `is ${was}`}.`);
  } else if (state === 'ended') output.print(`${id} has ended.`);
  else if (state === 'paused') {
    output.print(
      `${id} is paused again: its first rows have ended. Check them, then:\n  campaigns resume ${id}`,
    );
  } else output.print(`Campaign ${id} goes on. ${takenUp}`);
}

async function takeUpCreator(
  { runtime, output, record }: Session,
  id: string,
  creator: string,
): Promise<void> {
  const { wasOpen, rows, state } = await resumeCreator(runtime, await findCampaign(runtime, id), creator);
  await record(`Took ${creator} off hold in ${id}.`);
  output.document('resume', { id, creator, wasOpen, rows, state });
  output.print(
    `${creator} ${wasOpen ? 'is no longer on hold' : 'was not on hold'}. ${plural(rows, 'row')} will be done again.`,
  );
  if (rows > 0) output.print(takenUpOf({ id, state }));
}
