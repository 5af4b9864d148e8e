/** Shows the position of the send journal, and goes on after Redis has lost entries of it. */
import { journalBehindCode } from '../ledger/journal-behind.ts';
import type { JournalMark } from '../ledger/journal-position.ts';
import type { Runtime } from '../runtime/runtime.ts';

export interface JournalStatus {
  /** The last entry that Redis has. */
  readonly found: JournalMark;
  /** The last entry that this data directory knows. */
  readonly seen: JournalMark;
  /** Redis has lost entries, or campaigns are still paused for that reason. */
  readonly behind: boolean;
  /** Ids of the campaigns paused for that reason. */
  readonly held: readonly string[];
}

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
