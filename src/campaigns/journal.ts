/** Shows the position of the send journal, and resumes campaigns after Redis has lost entries. */
import { journalBehindCode } from '../ledger/journal/journal-behind.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandDocument } from './documents/commands.ts';

export type JournalStatus = Omit<CommandDocument<'journal'>, 'accepted'>;

export async function readJournal({ ledger }: Pick<Runtime, 'ledger'>): Promise<JournalStatus> {
  const { found, lost } = await ledger.journal.check();
  const campaigns = await ledger.campaigns.list();
  const held = campaigns
    .filter(({ state, pauseReason }) => state === 'paused' && pauseReason?.code === journalBehindCode)
    .map(({ id }) => id);
  const { position, at } = ledger.journal.seen;
  return { found, seen: { position, at }, behind: lost || held.length > 0, held };
}

/** Accepts the journal as it is, and resumes the campaigns that were paused for that reason. */
export async function acceptJournal(
  { ledger, queues }: Pick<Runtime, 'ledger' | 'queues'>,
  held: readonly string[],
): Promise<void> {
  await ledger.journal.accept();
  for (const id of held) {
    if ((await ledger.campaigns.resume(id)) === 'running') await queues.wakeAdmission(id);
  }
}
