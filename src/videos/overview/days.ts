/** The days of a span in a time zone, for figures by day. */
import { toTemporalInstant } from 'temporal-polyfill';

/** Lengths of spans to choose from, in days. */
export const spanLengths = [1, 7, 14, 30, 90] as const;
export type SpanLength = (typeof spanLengths)[number];

export interface SpanDays {
  /** Start of each day, oldest first: Unix epoch, seconds. The last day is today. */
  readonly starts: readonly number[];
  /** Start of the span of the same length before this one: Unix epoch, seconds. */
  readonly before: number;
}

/** @param now Unix epoch, milliseconds. @param zone IANA time zone. */
export function daysOf(length: SpanLength, zone: string, now: number): SpanDays {
  const today = toTemporalInstant.call(new Date(now)).toZonedDateTimeISO(zone).startOfDay();
  const startOf = (daysAgo: number) =>
    Math.floor(today.subtract({ days: daysAgo }).startOfDay().epochMilliseconds / 1000);
  return {
    starts: Array.from({ length }, (_day, index) => startOf(length - 1 - index)),
    before: startOf(2 * length - 1),
  };
}
