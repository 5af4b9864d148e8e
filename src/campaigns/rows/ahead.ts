/** Reads data for a page of rows that does not depend on the campaign, in the same trip to Redis as the campaign. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { FewEndedBadly } from '../causes/few-ended-badly.ts';
import {
  asksForTexts,
  type ReadAhead,
  type RowFilter,
  readStretch,
  rowsAStretch,
  wayOf,
} from './candidates.ts';
import { readFacts } from './facts.ts';

/** Upper bound of the rows of a campaign. */
const mostRows = 1e9;

/**
 * @param from start position of an ascending page; undefined for a descending one, whose start depends on the campaign.
 * @param endedBadly the rows that ended badly, if the caller reads them anyway.
 */
export async function readAhead(
  ledger: Ledger,
  id: string,
  filter: RowFilter,
  { from, limit }: { readonly from: number | undefined; readonly limit: number },
  endedBadly?: Promise<FewEndedBadly>,
): Promise<ReadAhead> {
  const way = wayOf(filter);
  if (way === 'index') return { endedBadly: await endedBadly };
  if (from === undefined || !Number.isInteger(from) || from < 0 || from > mostRows) return {};
  if (way === 'states') return { stretch: await readStretch(ledger, id, Math.floor(from / rowsAStretch)) };
  if (asksForTexts(filter)) return {};
  const rows = Array.from({ length: limit }, (_, index) => from + index);
  return { facts: await readFacts(ledger, id, rows) };
}
