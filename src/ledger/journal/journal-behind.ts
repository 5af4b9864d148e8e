/** Pauses campaigns when Redis has lost entries of the send journal, and explains why. */
import type { CampaignLedger, PauseReason } from '../campaigns/campaigns.ts';
import type { JournalMark, JournalPosition } from './journal-position.ts';

/** Code of the pause. Campaigns paused with it go on once the journal is accepted. */
export const journalBehindCode = 'journal_behind';

/** @param marks `found` in Redis, and `seen` by this process. */
export function journalBehind(marks: {
  readonly found: JournalMark;
  readonly seen: JournalMark;
}): PauseReason {
  const seen = new Date(marks.seen.at).toISOString();
  const last =
    marks.found.at === 0
      ? 'no record is left'
      : `the last one is of ${new Date(marks.found.at).toISOString()}`;
  const message =
    `Redis lost records of what was sent: one of ${seen} is missing, and ${last}. ` +
    'Posts and generations sent in between may exist at the service without a record here. ' +
    'Check in the service, then run:\ncampaigns journal --accept';
  return { code: journalBehindCode, message };
}

/** Pauses every running campaign if Redis lost entries that this process has seen. */
export async function holdIfBehind(journal: JournalPosition, campaigns: CampaignLedger): Promise<void> {
  const { found, lost } = await journal.check();
  if (!lost) return;
  const reason = journalBehind({ found, seen: journal.seen });
  for (const { id, state } of await campaigns.list()) {
    if (state === 'running') await campaigns.pause(id, reason);
  }
}
