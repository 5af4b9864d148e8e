/** Shows whether Redis has lost records of what was sent, and goes on after a loss. */
import type { JournalLoss, JournalMark } from '../ledger/journal/journal-position.ts';
import { journalBehind } from '../ledger/journal/lost-rows.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CommandDocument } from './documents/commands.ts';
import {
  campaignsOfLoss,
  countLost,
  endOfLoss,
  isPausedForLoss,
  type LostRowsRuntime,
  type MaybeSent,
  markUnknown,
} from './lost-rows.ts';

/** Whether Redis has lost records of what was sent, and which rows that concerns. */
export interface JournalStatus extends Pick<CommandDocument<'journal'>, 'behind' | 'held'> {
  readonly found: JournalMark;
  /** The last entry that any process has seen; position 0 if none remembers any. */
  readonly seen: JournalMark;
  /** What an acceptance would begin with. */
  readonly loss: JournalLoss;
  /** The server that has told all this. */
  readonly server: string;
  /** Rows that an acceptance sends to review. */
  readonly maybeSent: readonly MaybeSent[];
  /** Rows in review, which an acceptance makes unknown anew. */
  readonly inReview: readonly MaybeSent[];
}

/** Compares the send journal with what processes remember of it. Changes nothing. */
export async function readJournal(runtime: Pick<Runtime, 'ledger'>): Promise<JournalStatus> {
  const { ledger } = runtime;
  const server = await ledger.journal.server();
  const look = await ledger.journal.check();
  const loss = await ledger.journal.loss();
  const campaigns = await ledger.campaigns.list();
  const held = campaigns.filter(isPausedForLoss).map(({ id }) => id);
  const { position, at } = loss?.seen ?? ledger.journal.seen;
  const assumed = loss ?? (await ledger.journal.unnoticed(look));
  const maybeSent: MaybeSent[] = [];
  const inReview: MaybeSent[] = [];
  for (const campaign of await campaignsOfLoss(runtime, assumed)) {
    const rows = await countLost(runtime, campaign, assumed);
    const { review } = campaign.counts;
    if (rows > 0) maybeSent.push({ campaign, rows });
    if (review > 0) inReview.push({ campaign, rows: review });
  }
  return {
    found: look.found,
    seen: { position, at },
    behind: loss !== undefined || held.length > 0,
    held,
    loss: assumed,
    server,
    maybeSent,
    inReview,
  };
}

/** @param accepted rows sent to review; undefined if nothing was accepted. */
export function journalDocument(
  { found, seen, behind, held, maybeSent, inReview }: JournalStatus,
  accepted?: number,
): CommandDocument<'journal'> {
  return {
    found,
    seen,
    behind,
    held: [...held],
    accepted: accepted !== undefined,
    review: accepted ?? maybeSent.reduce((sum, { rows }) => sum + rows, 0),
    campaigns: maybeSent.map(({ campaign, rows }) => ({ id: campaign.id, rows })),
    inReview: inReview.map(({ campaign, rows }) => ({ id: campaign.id, rows })),
  };
}

/**
 * Accepts what Redis has: first, all rows that may have been sent in what is lost go to review, and those that are there are of unknown outcome
 * anew; then campaigns that were paused for the loss go on. If it crashes midway, another call finishes it. It begins again if Redis is
 * restarted midway, because those rows may not be in review any more, and if a process tells more of the loss.
 * @param beginAgain is told what it begins with then. If it throws, nothing is accepted.
 * @returns the number of rows sent to review.
 */
export async function acceptJournal(
  runtime: LostRowsRuntime,
  status: JournalStatus,
  beginAgain?: (status: JournalStatus) => Promise<void>,
): Promise<number> {
  const { ledger, queues } = runtime;
  const paused = new Set<string>();
  let current = status;
  let toReview = 0;
  for (;;) {
    const { loss, server } = current;
    toReview += await markAllUnknown(runtime, current, paused);
    if (await ledger.journal.accept(loss, endOfLoss(runtime, loss).over, server)) {
      for (const id of paused) {
        if ((await ledger.campaigns.resume(id)) === 'running') await queues.wakeAdmission(id);
      }
      return toReview;
    }
    current = await readJournal(runtime);
    if (current.server !== server) toReview = 0;
    await beginAgain?.(current);
  }
}

/** Sends rows to review. @param paused gets the campaigns that are paused for the loss. @returns the number of rows. */
async function markAllUnknown(
  runtime: LostRowsRuntime,
  { found, loss, held }: JournalStatus,
  paused: Set<string>,
): Promise<number> {
  for (const id of held) paused.add(id);
  let toReview = 0;
  for (const campaign of await campaignsOfLoss(runtime, loss)) {
    if (campaign.state === 'running') {
      await runtime.ledger.campaigns.pause(campaign.id, journalBehind({ found, seen: loss.seen }));
      paused.add(campaign.id);
    }
    toReview += await markUnknown(runtime, campaign, loss);
  }
  return toReview;
}
