/** States of rows as shown to people: in a campaign that does not run, begun rows are shown as waiting. */
import { type Campaign, isUnderWay } from '../ledger/campaigns/campaigns.ts';
import type { RowState } from '../ledger/states.ts';

export function shownState(campaign: Pick<Campaign, 'state'>, state: RowState): RowState {
  return state === 'running' && !isUnderWay(campaign) ? 'waiting' : state;
}

/** Rows by shown state. */
export function shownCounts({ state, counts }: Pick<Campaign, 'state' | 'counts'>): Campaign['counts'] {
  if (isUnderWay({ state })) return counts;
  return { ...counts, waiting: counts.waiting + counts.running, running: 0 };
}
