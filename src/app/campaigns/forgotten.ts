/** What this machine remembers, but Redis does not: its data is lost, or another Redis has it. */
import { hint } from '../../manifest/problems/hint.ts';
import { isoTimeOf } from '../runtime/documents.ts';
import { readJournalRecords } from '../runtime/journal-record.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Note } from './progress/notes.ts';

type ForgottenRuntime = Pick<Runtime, 'ledger' | 'redis' | 'environment'>;

/** Changes nothing. @param campaigns that Redis has. Other Redis servers are named only while there is none. */
export async function findForgotten(
  { ledger, redis, environment }: ForgottenRuntime,
  campaigns: number,
): Promise<readonly Note[]> {
  // A Redis that takes no writes is told of elsewhere.
  const look = await ledger.journal.check().catch(() => undefined);
  const loss = await ledger.journal.loss();
  const seen = loss?.seen ?? ledger.journal.seen;
  if (look?.lost || loss !== undefined) {
    const text = `Redis does not have what this runner sent until ${isoTimeOf(seen.at)}: its data is gone, or is an older copy, and campaigns may be missing. Restore Redis from a backup before you import anything. Without one, accept the loss`;
    return [{ about: 'lost', text, hints: [hint('acceptJournal')] }];
  }
  if (campaigns > 0) return [];
  const records = Object.entries(readJournalRecords(environment.dataDir));
  return records
    .filter(([description]) => description !== redis.description)
    .map(([description, { at }]) => ({
      about: description,
      text: `This machine has also sent posts with another Redis, until ${isoTimeOf(at)}: ${description}. Its campaigns are not here`,
      hints: [],
    }));
}
