/** What the release of a canary takes: the calls of the rows that wait, and the time within the budget of posts. */
import type { Campaign } from '../../ledger/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { openBudgetBook } from '../../runtime/budget-book.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type RetryPlan, RetryTally } from '../repair/retry-plan.ts';

export interface ReleasePlan {
  /** Rows that wait. */
  readonly rows: number;
  /** Fewest possible calls; undefined if more rows wait than a page should read. */
  readonly plan: RetryPlan | undefined;
  /** Within the budget of posts. Milliseconds. */
  readonly shortestMs: number;
}

/** More would keep a person waiting for the page. */
const mostRows = 2000;

export async function planRelease(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'redis' | 'settings'>,
  campaign: Campaign,
): Promise<ReleasePlan> {
  const { ledger, views } = runtime;
  const rows = campaign.counts.waiting;
  const { perSecond } = await openBudgetBook(runtime, campaign.account).current('createCreatorPost');
  const shortestMs = (rows / perSecond) * 1000;
  const view = rows <= mostRows ? await views.open(campaign.id, campaign.sheetVersion) : undefined;
  if (view === undefined) return { rows, plan: undefined, shortestMs };
  const tally = new RetryTally(ledger, view);
  for (let first = 0; first < campaign.rows; first += chunkSize) {
    const statuses = await ledger.rows.statuses(campaign.id, first, chunkSize);
    const waiting = statuses.flatMap(({ state }, index) => (state === 'waiting' ? [first + index] : []));
    if (waiting.length > 0) await tally.add(waiting);
  }
  return { rows, plan: tally.finish(), shortestMs };
}
