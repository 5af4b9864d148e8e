/** What a page of rows takes from Redis that can be asked for before its campaign is known: read together, it costs no trip of its own. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { FewEndedBadly } from '../repair/few-ended-badly.ts';
import {
  asksForTexts,
  type ReadAhead,
  type RowFilter,
  readStretch,
  rowsAStretch,
  wayOf,
} from './candidates.ts';
import { readFacts } from './facts.ts';

/** No campaign has more rows. */
const mostRows = 1e9;

/**
 * @param from position at which an ascending page begins; undefined for a descending one, whose begin only the campaign tells.
 * @param endedBadly the rows that ended badly, if they are read in any case.
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
