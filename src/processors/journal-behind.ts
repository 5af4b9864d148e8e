/** Why a campaign is held when the send journal has lost entries, in words for whoever has to look into it. */
import type { PauseReason } from '../ledger/campaigns.ts';
import type { StartVerdict } from '../ledger/steps.ts';

/** The code of the pause, by which those campaigns are found that may go on once the journal is accepted. */
export const journalBehindCode = 'journal_behind';

export function journalBehind({
  found,
  seen,
}: Extract<StartVerdict, { readonly kind: 'behind' }>): PauseReason {
  const message =
    `Redis has lost entries of the send journal: one of ${timeOf(seen.at)} is missing, and ${found.at === 0 ? 'no entry is left' : `the last is of ${timeOf(found.at)}`}. ` +
    'Posts and generations of that time may be there although the ledger does not know them. ' +
    'Look in the service for them, then go on with: campaigns journal --accept';
  return { code: journalBehindCode, message };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
