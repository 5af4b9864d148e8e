/** Spans of time: as people write them, and as days in a zone. */
import { Temporal, toTemporalInstant } from 'temporal-polyfill';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** As given: a date, a time with or without its offset, or a number of days such as `7d`. */
export interface GivenSpan {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Unix epoch, seconds; both ends included. Undefined: open. */
export interface Span {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

const daysAgo = /^(\d{1,4})d$/;
const plainDate = /^\d{4}-\d{2}-\d{2}$/;
/** A time as in our own messages. */
const plainTime = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?$/;

/** Times without an offset are in the zone of the settings, or in UTC. @throws {UseCaseError} `date_invalid`. */
export function readSpan(runtime: Pick<Runtime, 'settings' | 'now'>, { since, until }: GivenSpan): Span {
  const zone = runtime.settings.timezone ?? 'UTC';
  const now = runtime.now();
  const span = {
    since: since === undefined ? undefined : readTime(since, 'since', { zone, now, isEnd: false }),
    until: until === undefined ? undefined : readTime(until, 'until', { zone, now, isEnd: true }),
  };
  if (span.since !== undefined && span.since * 1000 > now) {
    throw new UseCaseError('date_invalid', `since "${since}" is in the future: it is ${textOf(now)} (UTC)`, {
      fix: 'Give a day that has begun, or 7d for seven days ago.',
    });
  }
  if (span.since !== undefined && span.until !== undefined && span.since >= span.until) {
    const problem = `the start (since ${since}) is not before the end (until ${until})`;
    throw new UseCaseError('date_invalid', problem, { fix: 'Give an earlier since, or a later until.' });
  }
  return span;
}

/** `2026-12-01 08:00`. @param time Unix epoch, milliseconds. */
export function textOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

/** `from 2026-12-01 00:00 to now (UTC)` */
export function describeSpan({ since, until }: Span): string {
  const from = since === undefined ? 'from the first sample' : `from ${textOf(since * 1000)}`;
  return `${from} to ${until === undefined ? 'now' : textOf(until * 1000)} (UTC)`;
}

function readTime(
  text: string,
  option: string,
  { zone, now, isEnd }: { readonly zone: string; readonly now: number; readonly isEnd: boolean },
): number {
  const days = daysAgo.exec(text)?.[1];
  if (days !== undefined) return Math.floor(now / 1000) - Number(days) * 86_400;
  try {
    if (plainDate.test(text)) {
      const day = Temporal.PlainDate.from(text);
      const { epochMilliseconds } = (isEnd ? day.add({ days: 1 }) : day).toZonedDateTime(zone);
      return Math.floor(epochMilliseconds / 1000) - (isEnd ? 1 : 0);
    }
    const time = plainTime.test(text)
      ? Temporal.PlainDateTime.from(text).toZonedDateTime(zone)
      : Temporal.Instant.from(text);
    return Math.floor(time.epochMilliseconds / 1000);
  } catch (cause) {
    const fix = 'Write 2026-12-01, 2026-12-01 08:00, 2026-12-01T08:00+08:00, or 7d for seven days ago.';
    throw new UseCaseError('date_invalid', `${option} "${text}" is not a date`, { fix, cause });
  }
}

/** Lengths of spans to choose from, in days. */
export const spanLengths = [1, 7, 14, 30, 90] as const;

/** The length that a text names; two weeks for any other. */
export function spanOf(text: string | null) {
  return spanLengths.find((length) => String(length) === text) ?? 14;
}

export interface SpanDays {
  /** Start of each day, oldest first: Unix epoch, seconds. */
  readonly starts: readonly number[];
  /** Start of the span of the same length before this one: Unix epoch, seconds. */
  readonly before: number;
  /** Last second of the last day; undefined if that is today. */
  readonly until: number | undefined;
}

/** @param now Unix epoch, milliseconds. @param zone IANA time zone. @param last date of the last day; default: today. */
export function daysOf(length: number, zone: string, now: number, last?: string): SpanDays {
  const today = dayOf(now, zone);
  const end = last === undefined ? today : Temporal.PlainDate.from(last);
  const startOf = (daysAgo: number) =>
    Math.floor(end.subtract({ days: daysAgo }).toZonedDateTime(zone).epochMilliseconds / 1000);
  return {
    starts: Array.from({ length }, (_day, index) => startOf(length - 1 - index)),
    before: startOf(2 * length - 1),
    until: Temporal.PlainDate.compare(end, today) < 0 ? startOf(-1) - 1 : undefined,
  };
}

function dayOf(now: number, zone: string): Temporal.PlainDate {
  return toTemporalInstant.call(new Date(now)).toZonedDateTimeISO(zone).toPlainDate();
}

/** `2026-12-01` @param at Unix epoch, seconds. */
export function dateOf(at: number, zone: string): string {
  return dayOf(at * 1000, zone).toString();
}

/** `2026-12-01 08:00` @param at Unix epoch, seconds. */
export function minuteOf(at: number, zone: string): string {
  const time = toTemporalInstant
    .call(new Date(at * 1000))
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  return time.toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

/** Samples are kept for about as long. */
export const mostDays = 400;

/** Days from one date to another, as an overview takes them. */
export interface DateSpan {
  readonly span: number;
  /** Date of the last day; undefined if that is today. */
  readonly until: string | undefined;
}

/** @param since, until dates, both included; default: today, and 30 days up to it. @throws {UseCaseError} `date_invalid`. */
export function readDates({ since, until }: GivenSpan, zone: string, now: number): DateSpan {
  const today = dayOf(now, zone);
  const named = until === undefined ? today : readDate(until);
  const last = Temporal.PlainDate.compare(named, today) > 0 ? today : named;
  const first = since === undefined ? last.subtract({ days: 29 }) : readDate(since);
  const span = first.until(last, { largestUnit: 'days' }).days + 1;
  if (span < 1 || span > mostDays) {
    const what = span < 1 ? `begins after it ends` : `is longer than ${mostDays} days`;
    throw new UseCaseError('date_invalid', `the time from ${first} to ${last} ${what}`, {
      fix: 'Choose other days.',
    });
  }
  return { span, until: last.equals(today) ? undefined : last.toString() };
}

function readDate(text: string): Temporal.PlainDate {
  try {
    if (plainDate.test(text)) return Temporal.PlainDate.from(text);
  } catch {
    // A day that no calendar has.
  }
  throw new UseCaseError('date_invalid', `"${text}" is not a date`, { fix: 'Write it like 2026-12-01.' });
}
