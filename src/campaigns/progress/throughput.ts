/** Throughput of a campaign over time, with the rate limit for posts and the intervals in which something held it. */
import type { Redis } from 'ioredis';
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RateLimitBook } from '../../queues/rate-limit-book.ts';
import { type Document, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openRateLimitBook } from '../../runtime/service/rate-limit-book.ts';
import type { throughputSchema } from '../documents/overview.ts';

export interface Throughput {
  /** Start of each interval: Unix epoch, seconds, ascending. */
  readonly times: readonly number[];
  /** Average number of rows posted per minute in each interval. */
  readonly perMinute: readonly number[];
  /** Length of an interval, in minutes. */
  readonly partMinutes: number;
  /** Rate limit for posts, per minute. */
  readonly rateLimit: number;
  /** Within that time, by start. */
  readonly held: readonly HeldTime[];
}

/** An interval in which the campaign was paused, or the service answered 429 or not at all. */
export interface HeldTime {
  /** Unix epoch, milliseconds. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
  readonly why:
    | { readonly kind: 'paused' /** As of `PauseReason`. */; readonly code: string }
    | { readonly kind: 'throttled'; readonly operation: string }
    | { readonly kind: 'silent' };
}

/** Most points: a plot cannot show more. */
const mostPoints = 240;
/** Minutes with posts that the ledger keeps. */
const mostMinutes = 1440;
const minuteMs = 60_000;

export async function readThroughput(
  runtime: Pick<Runtime, 'ledger' | 'redis' | 'settings' | 'now'>,
  campaign: Campaign,
  redis: Redis,
): Promise<Throughput> {
  const { ledger, now } = runtime;
  const book = openRateLimitBook(runtime, campaign.account, redis);
  const [counts, held, { perSecond }] = await Promise.all([
    ledger.throughput.minutes(campaign.id),
    readHeld(ledger, campaign, book),
    book.current('createCreatorPost'),
  ]);
  const end = Math.floor((isUnderWay(campaign) ? now() : endOf(campaign, counts.at(-1)?.minute)) / minuteMs);
  const begin = Math.floor(campaign.createdAt / minuteMs);
  const first = Math.max(begin, end - mostMinutes);
  // The current minute is not over.
  const last = isUnderWay(campaign) ? end - 1 : end;
  const minutes = Math.max(0, last - first + 1);
  const partMinutes = Math.max(1, Math.ceil(minutes / mostPoints));
  const parts = new Array<number>(Math.ceil(minutes / partMinutes)).fill(0);
  for (const { minute, posted } of counts) {
    const part = Math.floor((minute - first) / partMinutes);
    if (part >= 0 && part < parts.length) parts[part] = (parts[part] ?? 0) + posted;
  }
  const from = first * minuteMs;
  const until = (end + 1) * minuteMs;
  return {
    times: parts.map((_posted, index) => (first + index * partMinutes) * 60),
    perMinute: parts.map((posted) => posted / partMinutes),
    partMinutes,
    rateLimit: perSecond * 60,
    // Leaves out what held other campaigns of the account after this one ended.
    held: held.filter(
      (time) => (time.to ?? until) > from && (time.why.kind === 'paused' || time.from < until),
    ),
  };
}

async function readHeld(
  ledger: Ledger,
  { id, account }: Campaign,
  book: RateLimitBook,
): Promise<readonly HeldTime[]> {
  const reach = ledger.reachOf(account);
  const [pauses, holds, silences, unreachable] = await Promise.all([
    ledger.throughput.pauses(id),
    book.holds(),
    reach.silences(),
    reach.unreachable(),
  ]);
  const held: readonly HeldTime[] = [
    ...pauses.map(({ from, to, code }) => ({ from, to, why: { kind: 'paused' as const, code } })),
    ...holds.map(({ from, to, operation }) => ({ from, to, why: { kind: 'throttled' as const, operation } })),
    ...silences.map(({ from, to }) => ({ from, to, why: { kind: 'silent' as const } })),
    ...unreachable.map(({ since }) => ({ from: since, to: undefined, why: { kind: 'silent' as const } })),
  ];
  return held.toSorted((one, other) => one.from - other.from);
}

/** When a campaign that does not run ended, or its last row was posted before it was paused. Unix epoch, milliseconds. */
function endOf({ endedAt, createdAt }: Campaign, lastMinute: number | undefined): number {
  return Math.max(endedAt ?? createdAt, (lastMinute ?? 0) * minuteMs);
}

export function throughputDocument({ times, held, ...rest }: Throughput): Document<typeof throughputSchema> {
  return {
    ...rest,
    times: times.map((seconds) => isoTimeOf(seconds * 1000)),
    held: held.map(({ from, to, why }) => ({
      from: isoTimeOf(from),
      to: isoTimeOrNull(to),
      why,
    })),
  };
}
