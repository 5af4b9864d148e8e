/** Pauses campaigns when Redis has lost entries of the send journal, and explains why. */
import { hint } from '../../manifest/problems/hint.ts';
import type { CampaignLedger, PauseReason } from '../campaigns/campaigns.ts';
import type { JournalMark } from './journal-position.ts';

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
    'When an operator accepts the loss, rows that may have been sent go to review, and all others go on.';
  return { code: journalBehindCode, message, hints: [hint('acceptJournal')] };
}

/** Pauses every running campaign. */
export async function holdAll(
  campaigns: CampaignLedger,
  marks: { readonly found: JournalMark; readonly seen: JournalMark },
): Promise<void> {
  const reason = journalBehind(marks);
  for (const { id, state } of await campaigns.list()) {
    if (state === 'running') await campaigns.pause(id, reason);
  }
}
