/** `campaigns journal`: shows whether Redis lost records of what was sent, and goes on after a loss. */
import type { Command } from 'commander';
import { acceptJournal, readJournal } from '../../campaigns/journal.ts';
import type { JournalMark } from '../../ledger/journal/journal-position.ts';
import { takenUp } from '../print/workers.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function define(command: Command): Command {
  return command
    .option('--accept', 'accept the loss, and resume the campaigns paused for it')
    .addHelpText(
      'after',
      `
The runner records every post and generation in Redis before it sends it. Redis can lose such records: by a cut
append-only file, a FLUSHALL, an old backup, or a replica that took over too early. The runner then pauses campaigns with
the code journal_behind, because it could send the same posts again. Check in the service which posts exist, decide
(campaigns settle) or cancel those rows, then accept.

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
  if (accept) {
    await acceptJournal(runtime, held);
    await session.record('Accepted the loss of journal records.');
  }
  output.document('journal', { found, seen, behind, held, accepted: accept });
  output.print(`Last record in Redis: ${describe(found)}. Last record seen here: ${describe(seen)}.`);
  if (!behind) {
    output.print('Redis has lost no records of what was sent.');
    return;
  }
  output.print(
    `Redis lost records of what was sent: those posts could be sent again. Paused for it: ${held.join(', ') || 'no campaign'}.`,
  );
  output.print(
    accept
      ? `The loss is accepted. ${takenUp}`
      : 'Check in the service which posts exist. Then:\n  campaigns journal --accept',
  );
}

function describe({ position, at }: JournalMark): string {
  return at === 0 ? 'none' : `number ${position}, of ${new Date(at).toISOString()}`;
}
