/** Throughput of a campaign as a line of points, with the budget of posts and the times in which it was paused. */
import { type Campaign, isUnderWay } from '../../ledger/campaigns.ts';
import type { Pause } from '../../ledger/throughput.ts';
import { openBudgetBook } from '../../runtime/budget-book.ts';
import type { Runtime } from '../../runtime/runtime.ts';

export interface Throughput {
  /** Begin of each part of the time, in seconds since 1970, in order. */
  readonly times: readonly number[];
  /** Rows posted a minute, on average over each part. */
  readonly perMinute: readonly number[];
  /** Minutes of one part. */
  readonly partMinutes: number;
  /** The budget of posts, a minute. */
  readonly budget: number;
  /** Pauses within that time. */
  readonly pauses: readonly Pause[];
}

/** More points than these are not seen in a plot. */
const mostPoints = 240;
/** The ledger keeps as many minutes with posts. */
const mostMinutes = 1440;
const minuteMs = 60_000;

export async function readThroughput(
  runtime: Pick<Runtime, 'ledger' | 'redis' | 'settings' | 'now'>,
  campaign: Campaign,
): Promise<Throughput> {
  const { ledger, now } = runtime;
  const [counts, pauses, { perSecond }] = await Promise.all([
    ledger.throughput.minutes(campaign.id),
    ledger.throughput.pauses(campaign.id),
    openBudgetBook(runtime, campaign.account).current('createCreatorPost'),
  ]);
  const end = Math.floor((isUnderWay(campaign) ? now() : endOf(campaign, counts.at(-1)?.minute)) / minuteMs);
  const begin = Math.floor(campaign.createdAt / minuteMs);
  const first = Math.max(begin, end - mostMinutes);
  // The present minute is not over.
  const last = isUnderWay(campaign) ? end - 1 : end;
  const minutes = Math.max(0, last - first + 1);
  const partMinutes = Math.max(1, Math.ceil(minutes / mostPoints));
  const parts = new Array<number>(Math.ceil(minutes / partMinutes)).fill(0);
  for (const { minute, posted } of counts) {
    const part = Math.floor((minute - first) / partMinutes);
    if (part >= 0 && part < parts.length) parts[part] = (parts[part] ?? 0) + posted;
  }
  const from = first * minuteMs;
  return {
    times: parts.map((_posted, index) => (first + index * partMinutes) * 60),
    perMinute: parts.map((posted) => posted / partMinutes),
    partMinutes,
    budget: perSecond * 60,
    pauses: pauses.filter(({ to }) => to === undefined || to > from),
  };
}

/** When a campaign that does not run ended, or its last row was posted before it was paused. Unix epoch, milliseconds. */
function endOf({ endedAt, createdAt }: Campaign, lastMinute: number | undefined): number {
  return Math.max(endedAt ?? createdAt, (lastMinute ?? 0) * minuteMs);
}
