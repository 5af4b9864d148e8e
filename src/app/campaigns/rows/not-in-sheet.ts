/** Rows that the last version of a planner's sheet no longer has, and that are still sent: nobody may remember them. */
import type { MatchedRows } from '../../../importers/update/match-group.ts';
import { mayChange } from '../../../importers/update/match-rows.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { rowsNotInSheet } from '../results/own-sheet.ts';

/** Most rows to look at, and to name. */
const most = 1000;
const mostNamed = 5;

/** @returns none if this machine has not the sheet with the results of the campaign. */
export async function findNotInSheet(
  runtime: Pick<Runtime, 'environment' | 'ledger'>,
  campaign: Campaign,
): Promise<MatchedRows> {
  const { id, counts, cancelledAt } = campaign;
  if (counts.waiting + counts.ready === 0 || cancelledAt !== undefined) return { count: 0, keys: [] };
  const rows = (await rowsNotInSheet(runtime, campaign)).slice(0, most);
  const statuses = await runtime.ledger.rows.statusesOf(id, rows);
  const sent = rows.filter((_row, index) => {
    const state = statuses[index]?.state;
    return state !== undefined && state !== 'failed' && mayChange.has(state);
  });
  const named = sent.slice(0, mostNamed);
  const keys = await Promise.all(named.map((row) => runtime.ledger.rowKeys.of(campaign, row)));
  return { count: sent.length, keys };
}
