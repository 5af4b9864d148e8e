/** `campaigns journal`: where the send journal stands, and going on after Redis has lost entries of it. */
import { Command } from 'commander';
import type { JournalMark } from '../../ledger/journal-position.ts';
import type { CommonOptions, LedgerSession } from '../../runtime/runtime.ts';
import { configOption, jsonOption } from '../flags/common.ts';

export function journalCommand(): Command {
  return new Command('journal')
    .description('tell whether Redis has lost entries of the send journal, and accept it as it is')
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

async function journal(options: CommonOptions & { readonly accept?: boolean }): Promise<void> {
  const { openLedger } = await import('../../runtime/runtime.ts');
  await using session = await openLedger(options);
  const { ledger, output } = session;
  const { found, lost } = await ledger.journal.check();
  const held = await heldCampaigns(session);
  const { position, at } = ledger.journal.seen;
  const seen = { position, at };
  const behind = lost || held.length > 0;
  if (options.accept) await accept(session, held);
  output.document({ found, seen, behind, held, accepted: options.accept ?? false });
  output.print(`In Redis: ${describe(found)}. Seen from here: ${describe(seen)}.`);
  if (!behind) {
    output.print('No entry is missed.');
    return;
  }
  output.print(
    `Redis has lost entries: calls that were sent could be sent again. Held for it: ${held.join(', ') || 'no campaign'}.`,
  );
  output.print(
    options.accept
      ? 'The journal is accepted as it is. Workers go on by themselves; without any: campaigns run'
      : 'Look in the service what is there, then: campaigns journal --accept',
  );
}

async function accept({ ledger, queues }: LedgerSession, held: readonly string[]): Promise<void> {
  await ledger.journal.accept();
  for (const id of held) {
    if ((await ledger.campaigns.resume(id)) === 'running') await queues.wakeAdmission(id);
  }
}

async function heldCampaigns({ ledger }: LedgerSession): Promise<readonly string[]> {
  const { journalBehindCode } = await import('../../ledger/journal-behind.ts');
  const campaigns = await ledger.campaigns.list();
  return campaigns
    .filter(({ state, pauseReason }) => state === 'paused' && pauseReason?.code === journalBehindCode)
    .map(({ id }) => id);
}

function describe({ position, at }: JournalMark): string {
  return at === 0 ? 'no entry' : `entry ${position}, of ${new Date(at).toISOString()}`;
}
