/** Rows that the last version of a planner's sheet no longer has, and that are published all the same: nobody may remember them. */
import { keysKept } from '../../../importers/update/match-group.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { deliveryOf } from '../../../ledger/rows/results.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { deliveryRules } from '../post-status.ts';
import { rowsNotInSheet } from '../results/own-sheet.ts';

/** Rows that the sheet lacks. */
export interface MissingRows {
  readonly count: number;
  /** The first few. A `place` is that of an earlier version. */
  readonly rows: readonly { readonly key: string; readonly place: string | undefined }[];
}

/** Most rows to look at. */
const most = 1000;

/** Rows that still go to the service (`sent`), and rows whose posts are scheduled there. None if this machine has not the sheet with the results of the campaign. */
export async function findNotInSheet(
  runtime: Pick<Runtime, 'environment' | 'ledger' | 'settings' | 'now'>,
  campaign: Campaign,
) {
  const rows = (await rowsNotInSheet(runtime, campaign)).slice(0, most);
  const outcomes = await runtime.ledger.rows.outcomesOf(campaign.id, rows);
  const rules = deliveryRules(runtime);
  const { sent = [], scheduled = [] } = Object.groupBy(rows, (_row, index) => {
    const { state, result } = outcomes[index] ?? {};
    const isSent = (state === 'waiting' || state === 'ready') && campaign.cancelledAt === undefined;
    if (isSent) return 'sent';
    return state === 'posted' && result && deliveryOf(result, rules) === 'scheduled' ? 'scheduled' : 'others';
  });
  // Each key is read on its own.
  const named = async (found: readonly number[]): Promise<MissingRows> => {
    const first = found.slice(0, keysKept);
    const { rowKeys } = runtime.ledger;
    const rows = first.map(async (row) => {
      const key = await rowKeys.of(campaign, row);
      return { key, place: await rowKeys.placeOf(campaign, row) };
    });
    return { count: found.length, rows: await Promise.all(rows) };
  };
  return { sent: await named(sent), scheduled: await named(scheduled) };
}
