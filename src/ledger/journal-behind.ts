/** Why a campaign is held when the send journal has lost entries, in words for whoever has to look into it. */
import type { CampaignLedger, PauseReason } from './campaigns.ts';
import type { JournalMark, JournalPosition } from './journal-position.ts';

/** The code of the pause, by which those campaigns are found that may go on once the journal is accepted. */
export const journalBehindCode = 'journal_behind';

export function journalBehind({
  found,
  seen,
}: {
  readonly found: JournalMark;
  readonly seen: JournalMark;
}): PauseReason {
  const message =
    `Redis has lost entries of the send journal: one of ${timeOf(seen.at)} is missing, and ${found.at === 0 ? 'no entry is left' : `the last is of ${timeOf(found.at)}`}. ` +
    'Posts and generations of that time may be there although the ledger does not know them. ' +
    'Look in the service for them, then go on with: campaigns journal --accept';
  return { code: journalBehindCode, message };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Holds every campaign that runs, where Redis misses what this process has seen. */
export async function holdIfBehind(journal: JournalPosition, campaigns: CampaignLedger): Promise<void> {
  const { found, lost } = await journal.check();
  if (!lost) return;
  const reason = journalBehind({ found, seen: journal.seen });
  for (const { id, state } of await campaigns.list()) {
    if (state === 'running') await campaigns.pause(id, reason);
  }
}
