/**
 * How fast rows end, and how long the rest may take, as a range, because a few rows give little certainty. Over time: with the rate limit
 * for posts, and the intervals in which something held the campaign.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RateLimitBook } from '../../../queues/rate-limit-book.ts';
import { type Document, isoTime, isoTimeOf, isoTimeOrNull } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';

export interface Pace {
  /** Rows that ended per minute, recently; at most as many as may be posted, because rows that fail end sooner. */
  readonly rowsPerMinute: number;
  /** Milliseconds until the last row ends; `most` is undefined while no row ends. */
  readonly remaining: { readonly least: number; readonly most: number | undefined };
}

interface Sample {
  readonly at: number;
  readonly ended: number;
}

/** Rows a second, from the slowest to the quickest that the next rows may take. */
interface Estimate {
  readonly at: number;
  readonly rows: number;
  readonly slowest: number;
  readonly quickest: number;
}

const longMs = 300_000;
const recentMs = 30_000;
const sampleEveryMs = 1000;
/** Fewer rows or less time would make a rate a guess. */
const fewestRows = 3;
const shortestMs = 3000;
/** An estimate of a few rows is forgotten once so many times more are known. */
const muchMore = 4;

/** Ended rows over the last minutes, as observed. */
export class PaceWindow {
  readonly #samples: Sample[] = [];
  #endedLast = 0;
  /** Ended rows that were sent back, such as by a retry: they will end a second time. */
  #sentBack = 0;
  /** The estimates of the last minutes. Their union does not jump where the pace goes up and down. */
  #estimates: readonly Estimate[] = [];

  /** @param at milliseconds of any steady clock. @param endedNow rows ended by then. */
  add(at: number, endedNow: number): void {
    this.#sentBack += Math.max(0, this.#endedLast - endedNow);
    this.#endedLast = endedNow;
    const ended = endedNow + this.#sentBack;
    const [before, last] = this.#samples.slice(-2);
    // Replaces the newest sample until it is a second younger than the one before it.
    if (before && last && at - before.at < sampleEveryMs) this.#samples.pop();
    this.#samples.push({ at, ended });
    while ((this.#samples[1]?.at ?? at) <= at - longMs) this.#samples.shift();
  }

  /** @param left rows that have not ended, without sleeping ones. @param mostPerSecond its limit. @returns undefined at first. */
  pace(left: number, mostPerSecond = Number.POSITIVE_INFINITY): Pace | undefined {
    const newest = this.#samples.at(-1);
    const oldest = this.#samples[0];
    if (!newest || !oldest) return undefined;
    const rows = newest.ended - oldest.ended;
    if (rows < fewestRows || newest.at - oldest.at < shortestMs) return undefined;
    const recentFrom = this.#samples.findLast(({ at }) => at <= newest.at - recentMs) ?? oldest;
    const rates = [rateBetween(oldest, newest), rateBetween(recentFrom, newest)] as const;
    // The uncertainty of a count is its square root.
    const doubt = 1 / Math.sqrt(rows);
    const recent = this.#estimates.filter(
      (each) => each.at > newest.at - longMs && each.rows * muchMore > rows,
    );
    const before = recent.at(-1);
    const estimate = {
      at: newest.at,
      rows,
      quickest: Math.max(...rates) * (1 + doubt),
      slowest: Math.min(...rates) * (1 - doubt),
    };
    const isSoon = before !== undefined && newest.at - before.at < sampleEveryMs;
    this.#estimates = [...(isSoon ? recent.slice(0, -1) : recent), estimate];
    const quickest = Math.min(Math.max(...this.#estimates.map((each) => each.quickest)), mostPerSecond);
    const slowest = Math.min(...this.#estimates.map((each) => each.slowest), mostPerSecond);
    return {
      rowsPerMinute: Math.min(rates[1], mostPerSecond) * 60,
      remaining: { least: (left / quickest) * 1000, most: slowest > 0 ? (left / slowest) * 1000 : undefined },
    };
  }
}

/** Rows a second. */
function rateBetween(first: Sample, last: Sample): number {
  return last.at > first.at ? ((last.ended - first.ended) * 1000) / (last.at - first.at) : 0;
}

export const throughputSchema = z.strictObject({
  /** Start of each interval. */
  times: z.array(isoTime),
  /** Average number of rows posted per minute in each interval. */
  perMinute: z.array(z.number()),
  /** Length of an interval, in minutes. */
  partMinutes: z.int(),
  /** Rate limit for posts, per minute. */
  rateLimit: z.number(),
  /** Times in which something held the campaign: a pause, answers of 429, or no answers. `to` is null while it lasts. */
  held: z.array(
    z.strictObject({
      from: isoTime,
      to: isoTime.nullable(),
      why: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('paused'), code: z.string() }),
        z.strictObject({ kind: z.literal('throttled'), operation: z.string() }),
        z.strictObject({ kind: z.literal('silent') }),
      ]),
    }),
  ),
});

/** Rows posted over time; and what held them back within that time, by start. */
export type Throughput = Document<typeof throughputSchema>;
export type HeldTime = Throughput['held'][number];

/** Most points: a plot cannot show more. */
const mostPoints = 240;
/** Minutes with posts that the ledger keeps. */
const mostMinutes = 1440;
const minuteMs = 60_000;

export async function readThroughput(
  { ledger, rateLimits, now }: Pick<Runtime, 'ledger' | 'rateLimits' | 'now'>,
  campaign: Campaign,
): Promise<Throughput> {
  const [counts, held, { perSecond }] = await Promise.all([
    ledger.throughput.minutes(campaign.id),
    readHeld(ledger, campaign, rateLimits),
    rateLimits.current('createCreatorPost'),
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
    held: joinHeld(
      held.filter((time) => (time.to ?? until) > from && (time.why.kind === 'paused' || time.from < until)),
    ).map((time) => ({ from: isoTimeOf(time.from), to: isoTimeOrNull(time.to), why: time.why })),
  };
}

/** Unix epoch, milliseconds; `to` is undefined while it lasts. */
interface Held {
  readonly from: number;
  readonly to: number | undefined;
  readonly why: HeldTime['why'];
}

/** By start. Several workers note the same silence, and a 429 may follow another: what overlaps, or is less than a minute apart, is one. */
export function joinHeld(held: readonly Held[]): readonly Held[] {
  const joined: Held[] = [];
  for (const next of held.toSorted((one, other) => one.from - other.from)) {
    const at = joined.findLastIndex(
      (each) =>
        isDeepStrictEqual(each.why, next.why) && next.from < (each.to ?? Number.POSITIVE_INFINITY) + minuteMs,
    );
    const before = joined[at];
    if (before === undefined) joined.push(next);
    else joined[at] = { ...before, to: laterEnd(before.to, next.to) };
  }
  return joined;
}

function laterEnd(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

async function readHeld(ledger: Ledger, { id }: Campaign, book: RateLimitBook): Promise<readonly Held[]> {
  const { reach } = ledger;
  const [pauses, holds, silences, unreachable] = await Promise.all([
    ledger.throughput.pauses(id),
    book.pauses(),
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
