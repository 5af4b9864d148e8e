/**
 * What the release of a canary takes: calls of the waiting rows, least time within the rate limit for posts, and their scheduled
 * times.
 */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../../ledger/keys.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type RetryPlan, RetryTally } from '../retry/retry-plan.ts';
import type { SheetNeeds } from './row-needs.ts';

export interface ReleasePlan {
  readonly rows: number;
  /** Fewest possible calls; undefined if more rows wait than a page should read. */
  readonly plan: RetryPlan | undefined;
  /** Least time within the rate limit for posts. Milliseconds. */
  readonly shortestMs: number;
  /** The next scheduled time among them: Unix epoch, milliseconds. Undefined for none, and while a large sheet is being read. */
  readonly nextAt: number | undefined;
  /** Rows whose scheduled time has passed. */
  readonly late: number;
}

/** Most rows to read while a person waits for the page. */
const mostRows = 2000;

export async function planRelease(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'rateLimits' | 'settings' | 'now'>,
  campaign: Campaign,
  sheet: SheetNeeds | undefined,
): Promise<ReleasePlan> {
  const { ledger, views } = runtime;
  const rows = campaign.counts.waiting;
  const { perSecond } = await runtime.rateLimits.current('createCreatorPost');
  const shortestMs = (rows / perSecond) * 1000;
  const due = await dueRows(runtime, campaign, sheet);
  const view = rows <= mostRows ? await views.open(campaign.id, campaign.sheetVersion) : undefined;
  if (view === undefined) return { rows, plan: undefined, shortestMs, ...due };
  const tally = new RetryTally(ledger, view);
  for (let first = 0; first < campaign.rows; first += chunkSize) {
    const statuses = await ledger.rows.statuses(campaign.id, first, chunkSize);
    const waiting = statuses.flatMap(({ state }, index) => (state === 'waiting' ? [first + index] : []));
    if (waiting.length > 0) await tally.add(waiting);
  }
  return { rows, plan: tally.finish(), shortestMs, ...due };
}

async function dueRows(
  { ledger, now }: Pick<Runtime, 'ledger' | 'now'>,
  { id }: Campaign,
  sheet: SheetNeeds | undefined,
): Promise<Pick<ReleasePlan, 'nextAt' | 'late'>> {
  if (sheet === undefined) return { nextAt: undefined, late: 0 };
  const bytes = await ledger.rows.stateBytes(id);
  const waiting = 'w'.charCodeAt(0);
  const from = now();
  let nextAt = Number.POSITIVE_INFINITY;
  let late = 0;
  for (const [row, at] of sheet.scheduledAt.entries()) {
    if (bytes[row * 2] !== waiting) continue;
    if (at < from) late += 1;
    else if (at < nextAt) nextAt = at;
  }
  return { nextAt: nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt, late };
}
