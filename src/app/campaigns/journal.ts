/** Shows whether Redis has lost records of what was sent, or lacks what this machine remembers, and goes on after a loss. */
import { z } from 'zod';
import type { PauseReason } from '../../ledger/campaigns/campaign.ts';
import type { UnreadableCampaign } from '../../ledger/campaigns/campaigns.ts';
import type { JournalLoss, JournalMark } from '../../ledger/journal-position.ts';
import { journalBehind } from '../../ledger/lost-rows.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { isDamage } from '../../platform/redis/refusal.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import { readJournalRecords } from '../runtime/journal-record.ts';
import type { Runtime } from '../runtime/runtime.ts';
import {
  campaignsOfLoss,
  countLost,
  endOfLoss,
  isPausedForLoss,
  type LostRowsRuntime,
  type MaybeSent,
  markUnknown,
} from './lost-rows.ts';
import type { Note } from './progress/notes.ts';

const journalMark = z.strictObject({ position: z.int(), at: z.number() });

export const journalSchema = z.strictObject({
  /** The last entry that Redis has. */
  found: journalMark,
  /** The last entry that this data directory, or after a loss any process, knows. Position 0: none remembers any. */
  seen: journalMark,
  /** Redis has lost entries, or campaigns are still paused for that reason. */
  behind: z.boolean(),
  /** The campaigns paused for that reason. */
  held: z.array(z.string()),
  /** Keys in Redis of campaigns that cannot be read: an acceptance only pauses them. */
  unreadable: z.array(z.string()),
  accepted: z.boolean(),
  /** Rows that may have been sent in what is lost: an acceptance sends them to review. */
  review: z.int(),
  /** The same by campaign. */
  campaigns: z.array(z.strictObject({ id: z.string(), rows: z.int() })),
  /** Rows that are in review, by campaign: an acceptance makes their outcome unknown anew. */
  inReview: z.array(z.strictObject({ id: z.string(), rows: z.int() })),
});

/** Whether Redis has lost records of what was sent, and which rows that concerns. */
export interface JournalStatus extends Pick<Document<typeof journalSchema>, 'behind' | 'held'> {
  readonly found: JournalMark;
  /** The last entry that any process has seen; position 0 if none remembers any. */
  readonly seen: JournalMark;
  /** What an acceptance would begin with. */
  readonly loss: JournalLoss;
  /** The server that has told all this. */
  readonly server: string;
  /** Campaigns that an acceptance can only pause: it would send their rows to review once their records are restored. */
  readonly unreadable: readonly UnreadableCampaign[];
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
  const { campaigns, unreadable } = await ledger.campaigns.survey();
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
  const behind = loss !== undefined || held.length > 0;
  const concerned = { held, unreadable, maybeSent, inReview };
  return { found: look.found, seen: { position, at }, behind, loss: assumed, server, ...concerned };
}

/** @param accepted rows sent to review; undefined if nothing was accepted. */
export function journalDocument(
  { found, seen, behind, held, unreadable, maybeSent, inReview }: JournalStatus,
  accepted?: number,
): Document<typeof journalSchema> {
  return {
    found,
    seen,
    behind,
    held: [...held],
    unreadable: unreadable.map(({ key }) => key),
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
  { found, loss, held, unreadable }: JournalStatus,
  paused: Set<string>,
): Promise<number> {
  for (const id of held) paused.add(id);
  const reason = journalBehind({ found, seen: loss.seen });
  for (const { id } of unreadable) await pauseUnreadable(runtime, id, reason);
  let toReview = 0;
  for (const campaign of await campaignsOfLoss(runtime, loss)) {
    if (campaign.state === 'running') {
      await runtime.ledger.campaigns.pause(campaign.id, reason);
      paused.add(campaign.id);
    }
    toReview += await markUnknown(runtime, campaign, loss);
  }
  return toReview;
}

/** Its rows must not be sent again once its record is restored. Where even its state is lost, none can be. */
async function pauseUnreadable({ ledger }: LostRowsRuntime, id: string, reason: PauseReason): Promise<void> {
  await ledger.campaigns.pause(id, reason).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
  });
}

/** Changes nothing. @param campaigns that Redis has. Other Redis servers are named only while there is none: most machines know several on purpose. */
export async function findForgotten(
  { ledger, redis, environment }: Pick<Runtime, 'ledger' | 'redis' | 'environment'>,
  campaigns: number,
): Promise<readonly Note[]> {
  // A Redis that takes no writes is told of elsewhere.
  const look = await ledger.journal.check().catch(() => undefined);
  const loss = await ledger.journal.loss();
  const seen = loss?.seen ?? ledger.journal.seen;
  if (look?.lost || loss !== undefined) {
    const text = `Redis has no record of the last calls of this runner (${isoTimeOf(seen.at)}): its data is gone, or is an older copy, and campaigns may be missing. Restore Redis from a backup before you import anything. Without one, accept the loss`;
    return [{ about: 'lost', text, hints: [hint('acceptJournal')] }];
  }
  if (campaigns > 0) return [];
  const records = Object.entries(readJournalRecords(environment.dataDir));
  return records
    .filter(([description]) => description !== redis.description)
    .map(([description, { at }]) => ({
      about: description,
      text: `Until ${isoTimeOf(at)}, this machine sent posts with another Redis or prefix: ${description}. Those campaigns are not here`,
      hints: [],
    }));
}
