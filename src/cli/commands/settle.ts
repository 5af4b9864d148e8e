/** `campaigns settle ID ROW`: a person's decision about a row in review. */
import { type Command, InvalidArgumentError } from 'commander';
import { findCampaign } from '../../campaigns/find.ts';
import { decideRow, type Verdict } from '../../campaigns/repair/decide.ts';
import type { RowState } from '../../ledger/states.ts';
import { CommandError } from '../exit.ts';
import { takenUp } from '../print/workers.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface SettleFlags extends CommonOptions {
  readonly posted?: string;
  readonly notPosted?: boolean;
  readonly generated?: string;
  readonly notGenerated?: boolean;
}

export function define(command: Command): Command {
  return command
    .argument('<id>', 'campaign id, as `campaigns list` shows it')
    .argument('<row>', 'key of the row, as in the sheet')
    .option('--posted <post-id>', 'the post exists: mark the row posted, never send it again', readId)
    .option('--not-posted', 'the post does not exist: send it again')
    .option('--generated <schedule-id>', 'the generation exists: go on with it', readId)
    .option('--not-generated', 'it does not exist or never ends: create another one')
    .addHelpText(
      'after',
      `
Check in the service first whether the post exists. If you say --not-posted of a post that exists, it is posted twice.
A row whose scheduled time has passed is not sent again: it fails, so that you can give it a new time in the sheet.

Example:
  campaigns settle c1 42 --posted 7321948`,
    )
    .action(settle);
}

async function settle(id: string, row: string, flags: SettleFlags): Promise<void> {
  const verdict = readVerdict(flags);
  if (!verdict) {
    throw new CommandError('a decision needs --posted, --not-posted, --generated or --not-generated', {
      cure: 'Give exactly one of them.',
    });
  }
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const state = await decideRow(runtime, await findCampaign(runtime, id), row, verdict);
  output.document('settle', { id, row, state });
  output.print(`Row ${row} of ${id} ${sequels[state]}`);
}

/** @returns undefined unless there is exactly one decision. */
function readVerdict({ posted, notPosted, generated, notGenerated }: SettleFlags): Verdict | undefined {
  const verdicts: Verdict[] = [];
  if (posted !== undefined) verdicts.push({ kind: 'posted', postId: posted });
  if (notPosted) verdicts.push({ kind: 'not-posted' });
  if (generated !== undefined) verdicts.push({ kind: 'generated', scheduleId: generated });
  if (notGenerated) verdicts.push({ kind: 'not-generated' });
  return verdicts.length === 1 ? verdicts[0] : undefined;
}

function readId(text: string): string {
  if (/^\S{1,200}$/.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('An id has 1 to 200 characters and no spaces.');
}

const goesOn = `goes on. ${takenUp}`;
const sequels: Readonly<Record<RowState, string>> = {
  waiting: goesOn,
  running: goesOn,
  review: goesOn,
  posted: 'is posted. It is not sent again.',
  failed: 'has failed: its time has passed. Give it a new time in the sheet, as `campaigns show` says.',
  cancelled: 'is cancelled, like its campaign.',
};
