/** Rows in review, with what a decision needs to know about them. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowProgress } from '../../ledger/rows/row-progress.ts';
import type { RowError } from '../../ledger/states.ts';
import type { RowVersion } from '../../manifest/row-ref.ts';
import { type Decidable, decidableOf } from '../campaigns/causes/repair.ts';
import { isPausedForLoss } from '../campaigns/lost-rows.ts';

export interface ReviewRow extends RowVersion {
  readonly error: RowError | undefined;
  readonly progress: RowProgress;
  readonly about: Decidable;
}

/** What the last search of the publishing records found for a row. */
export type FoundInRecords = {
  readonly isNotFound?: boolean | undefined;
  readonly candidates?: readonly unknown[] | undefined;
};

/** When the row came to review (Unix epoch, milliseconds). */
export function inReviewSince({ error }: Pick<ReviewRow, 'error'>): number {
  return error?.at ?? 0;
}

/** @returns the rows that are in review, in their order. */
export async function readReviewRows(
  ledger: Ledger,
  { id }: Campaign,
  rows: readonly number[],
): Promise<readonly ReviewRow[]> {
  const [statuses, errors, records] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    ledger.rows.errors(id, rows),
    ledger.rows.progressOf(id, rows),
  ]);
  return rows.flatMap((row, index): ReviewRow[] => {
    const [status, error, progress] = [statuses[index], errors[index], records[index]];
    if (status?.state !== 'review' || !progress) return [];
    const about = aboutOf(error, progress);
    return about === undefined ? [] : [{ row, revision: status.revision, error, progress, about }];
  });
}

/** Its waiting and running rows, while it is paused because Redis lost records, as if their posts were of unknown outcome. */
export async function readLostRows(
  ledger: Ledger,
  campaign: Campaign,
  rows: readonly number[],
): Promise<readonly ReviewRow[]> {
  const { id } = campaign;
  if (!isPausedForLoss(campaign) || rows.length === 0) return [];
  const [statuses, records] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    ledger.rows.progressOf(id, rows),
  ]);
  return rows.flatMap((row, index): ReviewRow[] => {
    const [status, progress] = [statuses[index], records[index]];
    if ((status?.state !== 'waiting' && status?.state !== 'running') || !progress) return [];
    const { revision } = status;
    return [
      { row, revision, error: undefined, progress: { ...progress, unknownEffect: 'post' }, about: 'post' },
    ];
  });
}

/**
 * An unknown outcome: a call that still has a journal entry (a post or a generation). Without an entry: a generation that was not complete in
 * time, or a post whose time had passed. Undefined if neither is left: somebody has just decided about the row.
 */
function aboutOf(error: RowError | undefined, { unknownEffect }: RowProgress): Decidable | undefined {
  if (unknownEffect !== undefined) return unknownEffect === 'post' ? 'post' : 'generation';
  return error && decidableOf(error);
}
