/** `campaigns journal`: where the send journal stands, and going on after Redis has lost entries of it. */
import type { Command } from 'commander';
import { acceptJournal, readJournal } from '../../campaigns/journal.ts';
import type { JournalMark } from '../../ledger/journal-position.ts';
import { configOption, jsonOption } from '../flags/common.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .option('--accept', 'go on with the journal as it is, and with the campaigns that were held for it')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Every post and every generation is written to the send journal before it is sent. When Redis has lost entries (the end of
its append-only file, a FLUSHALL, an older backup, a replica that took over too early), campaigns are paused with the
code journal_behind: what was sent in that time could be sent again. Look in the service what is there, settle or
cancel those rows, then accept the journal.

Example:
  campaigns journal
  campaigns journal --accept`,
    )
    .action(journal);
}

async function journal({
  accept = false,
  ...flags
}: CommonOptions & { readonly accept?: boolean }): Promise<void> {
  await using session = await openSession(flags);
  const { runtime, output } = session;
  const { found, seen, behind, held } = await readJournal(runtime);
  if (accept) await acceptJournal(runtime, held);
  output.document('journal', { found, seen, behind, held, accepted: accept });
  output.print(`In Redis: ${describe(found)}. Seen from here: ${describe(seen)}.`);
  if (!behind) {
    output.print('No entry is missed.');
    return;
  }
  output.print(
    `Redis has lost entries: calls that were sent could be sent again. Held for it: ${held.join(', ') || 'no campaign'}.`,
  );
  output.print(
    accept
      ? 'The journal is accepted as it is. Workers go on by themselves; without any: campaigns run'
      : 'Look in the service what is there, then: campaigns journal --accept',
  );
}

function describe({ position, at }: JournalMark): string {
  return at === 0 ? 'no entry' : `entry ${position}, of ${new Date(at).toISOString()}`;
}
