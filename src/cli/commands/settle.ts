/** `campaigns settle ID ROW`: a person's decision about a row in review. */
import type { Command } from 'commander';
import { findCampaign } from '../../campaigns/find.ts';
import { decideRow, type Verdict } from '../../campaigns/repair/decide.ts';
import type { RowState } from '../../ledger/states.ts';
import { CommandError } from '../exit.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface SettleFlags extends CommonOptions {
  readonly posted?: string;
  readonly notPosted?: boolean;
  readonly generated?: string;
  readonly notGenerated?: boolean;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign, as `campaigns list` names it')
    .argument('<row>', 'key of the row, as the sheet has it')
    .option('--posted <post-id>', 'the service has the post: the row is posted, and never sent again')
    .option('--not-posted', 'the service does not have it: it is sent again')
    .option('--generated <schedule-id>', 'the service has the generation: the row goes on with it')
    .option('--not-generated', 'the service does not have it, or it will not come: another one is created')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Look in the service first: whoever says of a post that is there that it is not gets a second one. A row whose time has
passed is not sent again but fails, so that it can be given a new time in the sheet.

Example:
  campaigns settle c1 42 --posted 7321948`,
    )
    .action(settle);
}

async function settle(id: string, row: string, flags: SettleFlags): Promise<void> {
  const verdict = readVerdict(flags);
  if (!verdict) {
    throw new CommandError('a decision is one of --posted, --not-posted, --generated and --not-generated', {
      cure: 'Give exactly one of them; an id has no spaces.',
    });
  }
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const state = await decideRow(runtime, await findCampaign(runtime, id), row, verdict);
  output.document('settle', { id, row, state });
  output.print(`Row ${row} of ${id} ${sequels[state]}`);
}

/** @returns undefined unless it is exactly one. */
function readVerdict({ posted, notPosted, generated, notGenerated }: SettleFlags): Verdict | undefined {
  const verdicts: Verdict[] = [];
  if (posted !== undefined) verdicts.push({ kind: 'posted', postId: posted.trim() });
  if (notPosted) verdicts.push({ kind: 'not-posted' });
  if (generated !== undefined) verdicts.push({ kind: 'generated', scheduleId: generated.trim() });
  if (notGenerated) verdicts.push({ kind: 'not-generated' });
  const [verdict, ...others] = verdicts;
  const ids = [posted, generated].filter((given) => given !== undefined);
  return others.length === 0 && ids.every((given) => /^\S{1,200}$/.test(given.trim())) ? verdict : undefined;
}

const goesOn = 'goes on. Workers take it up by themselves; without any: campaigns run';
const sequels: Readonly<Record<RowState, string>> = {
  waiting: goesOn,
  running: goesOn,
  review: goesOn,
  posted: 'is posted; it is not sent again.',
  failed: 'has failed: its time has passed. Give it a new one in the sheet, as `campaigns show` says.',
  cancelled: 'is cancelled, like its campaign.',
};
