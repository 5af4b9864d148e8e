/**
 * Failed rows and rows in review of a campaign with few of them: read by the id alone, in the same trip to Redis as the campaign.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowError } from '../../ledger/states.ts';
import type { Cause } from '../documents/campaign.ts';

export interface EndedBadly {
  readonly row: number;
  readonly error: RowError | undefined;
}

/** In the order of the sheet. Undefined if there are many. */
export type FewEndedBadly = Readonly<Record<Cause['state'], readonly EndedBadly[]>> | undefined;

/** Most rows in review to read; there are fewer if there are few errors. */
const mostInReview = 2000;

export async function readFewEndedBadly({ rows }: Ledger, id: string): Promise<FewEndedBadly> {
  const place = { from: 0, limit: mostInReview, descending: false };
  const [errors, review] = await Promise.all([rows.fewErrors(id), rows.nextInState(id, 'review', place)]);
  if (errors === undefined) return undefined;
  const inReview = new Set(review);
  const all = [...errors].map(([row, error]) => ({ row, error })).sort((one, other) => one.row - other.row);
  return {
    failed: all.filter(({ row }) => !inReview.has(row)),
    review: all.filter(({ row }) => inReview.has(row)),
  };
}

/** The rows in a state; undefined if `few` may lack some, because rows changed since, or another program wrote to Redis. */
export function allEndedBadly(
  { counts }: Pick<Campaign, 'counts'>,
  state: Cause['state'],
  few: FewEndedBadly,
): readonly EndedBadly[] | undefined {
  const known = few?.[state];
  return known?.length === counts[state] ? known : undefined;
}
