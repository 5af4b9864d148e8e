/** Throughput of a campaign over time, with the rate limit for posts and the intervals in which something held it. */
import type { Redis } from 'ioredis';
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RateLimitBook } from '../../../queues/rate-limit-book.ts';
import { type Document, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { openRateLimitBook } from '../../runtime/service/rate-limit-book.ts';
import type { throughputSchema } from '../documents/overview.ts';

/** Rows posted over time; and what held them back within that time, by start. */
export type Throughput = Document<typeof throughputSchema>;
export type HeldTime = Throughput['held'][number];

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
  const book = openRateLimitBook(runtime, redis);
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
    times: parts.map((_posted, index) => isoTimeOf((first + index * partMinutes) * minuteMs)),
    perMinute: parts.map((posted) => posted / partMinutes),
    partMinutes,
    rateLimit: perSecond * 60,
    // Leaves out what held other campaigns after this one ended.
    held: held
      .filter((time) => (time.to ?? until) > from && (time.why.kind === 'paused' || time.from < until))
      .toSorted((one, other) => one.from - other.from)
      .map((time) => ({ from: isoTimeOf(time.from), to: isoTimeOrNull(time.to), why: time.why })),
  };
}

async function readHeld(
  ledger: Ledger,
  { id }: Campaign,
  book: RateLimitBook,
): Promise<
  readonly { readonly from: number; readonly to: number | undefined; readonly why: HeldTime['why'] }[]
> {
  const { reach } = ledger;
  const [pauses, holds, silences, unreachable] = await Promise.all([
    ledger.throughput.pauses(id),
    book.holds(),
    reach.silences(),
    reach.unreachable(),
  ]);
  return [
    ...pauses.map(({ from, to, code }) => ({ from, to, why: { kind: 'paused' as const, code } })),
    ...holds.map(({ from, to, operation }) => ({ from, to, why: { kind: 'throttled' as const, operation } })),
    ...silences.map(({ from, to }) => ({ from, to, why: { kind: 'silent' as const } })),
    ...unreachable.map(({ since }) => ({ from: since, to: undefined, why: { kind: 'silent' as const } })),
  ];
}

/** When a campaign that does not run ended, or its last row was posted before it was paused. Unix epoch, milliseconds. */
function endOf({ endedAt, createdAt }: Campaign, lastMinute: number | undefined): number {
  return Math.max(endedAt ?? createdAt, (lastMinute ?? 0) * minuteMs);
}
