/** What a page of rows takes from Redis that can be asked for before its campaign is known: read together, it costs no trip of its own. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { FirstEndedBadly } from '../repair/causes.ts';
import { type ReadAhead, type RowFilter, readStretch, rowsAStretch, wayOf } from './candidates.ts';

/** No campaign has more rows. */
const mostRows = 1e9;

/**
 * @param from position at which an ascending page begins.
 * @param endedBadly the first rows that ended badly, if they are read in any case.
 */
export async function readAhead(
  ledger: Ledger,
  id: string,
  filter: RowFilter,
  { from, limit }: { readonly from: number; readonly limit: number },
  endedBadly?: Promise<FirstEndedBadly>,
): Promise<ReadAhead> {
  if (!Number.isInteger(from) || from < 0 || from > mostRows) return {};
  const way = wayOf(filter);
  if (way === 'index') return { endedBadly: from === 0 ? await endedBadly : undefined };
  if (way === 'states') return { stretch: await readStretch(ledger, id, Math.floor(from / rowsAStretch)) };
  if (filter.creator !== undefined || filter.text !== undefined) return {};
  const rows = Array.from({ length: limit }, (_, index) => from + index);
  const facts = await ledger.rows.facts(id, rows);
  return { facts: new Map(rows.map((row, index) => [row, facts[index]])) };
}
