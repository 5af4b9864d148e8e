/** A video as shown in documents and sheets. */
import type { Amount } from '../ledger/videos/amount.ts';
import type { keptDays } from '../ledger/videos/growth.ts';
import { type Counts, nothingFell } from '../ledger/videos/sample.ts';
import type { Scrape } from '../ledger/videos/scrapes.ts';
import { stateOf, type WatchedVideo } from '../ledger/videos/video.ts';
import { type CountColumn, countColumns } from '../manifest/columns.ts';
import type { Cron } from '../queues/scrape.ts';
import { isoTimeOf, isoTimeOrNull } from '../runtime/documents.ts';
import type { ScrapeDocument, VideoCommandDocument, VideoDocument } from './documents.ts';
import {
  engagementOf,
  highIntentOf,
  keptFigures,
  keptSpans,
  type VideoFigures,
  viewsPerDay,
} from './figures.ts';
import type { ShownSchedule } from './scrape.ts';

/** @param goneAfter number of 404 answers after which a video is not looked up again (`videos.gone.after`). */
export function describeVideo(
  video: WatchedVideo,
  goneAfter: number,
  { counts, at, growths }: VideoFigures = keptFigures(video),
): VideoDocument {
  const { id, facts, meta, summary, failure, gone } = video;
  return {
    id,
    video_url: facts.url,
    state: stateOf(video),
    video_id: meta.videoId ?? null,
    author: meta.author ?? null,
    label: facts.label ?? null,
    tags: facts.tags ?? [],
    campaign: facts.campaign ?? null,
    key: facts.key ?? null,
    creator: facts.creator ?? null,
    product_id: facts.product ?? null,
    account: facts.account,
    caption: meta.caption ?? null,
    cover_url: meta.coverUrl ?? null,
    released_at: fromSeconds(meta.releasedAt),
    ...nameCounts(counts),
    ...nameGrowths(growths),
    views_per_day: viewsPerDay(counts[0], meta.releasedAt, at) ?? null,
    engagement: engagementOf(counts) ?? null,
    high_intent: highIntentOf(counts) ?? null,
    // Figures outlive their samples.
    first_sampled_at: summary?.samples ? fromSeconds(summary.firstAt) : null,
    last_sampled_at: fromSeconds(at),
    samples: summary?.samples ?? 0,
    added_at: isoTimeOf(facts.addedAt),
    failure: failure ? { ...failure, cure: failure.cure ?? null, at: isoTimeOf(failure.at) } : null,
    gone: gone
      ? {
          since: isoTimeOf(gone.since),
          answers: gone.answers,
          ask_again_at: gone.answers >= goneAfter ? null : isoTimeOf(gone.askAgainAt),
        }
      : null,
  };
}

/** Counters by the names of their columns. */
export function nameCounts(counts: Counts): Readonly<Record<CountColumn, Amount | null>> {
  return Object.fromEntries(countColumns.map((name, index) => [name, counts[index] ?? null])) as Record<
    CountColumn,
    Amount | null
  >;
}

export type GrowthColumn = `${CountColumn}_${(typeof keptDays)[number]}d`;

/** Growth over each of `keptSpans`, as `play_count_7d`. */
function nameGrowths(growths: readonly Counts[]): Readonly<Record<GrowthColumn, Amount | null>> {
  return Object.assign({}, ...keptSpans.map((span, index) => nameGrowth(growths[index] ?? [], span)));
}

/** Growth over one span. */
export function nameGrowth(growth: Counts, span: string): Readonly<Record<string, Amount | null>> {
  return Object.fromEntries(countColumns.map((name, index) => [`${name}_${span}`, growth[index] ?? null]));
}

/** `play_count_fell|digg_count_fell`: counters that are lower than before. */
export function flagsOf(fell: readonly boolean[]): string {
  if (fell === nothingFell) return '';
  return countColumns.flatMap((column, index) => (fell[index] ? [`${column}_fell`] : [])).join('|');
}

/** @param seconds Unix epoch. @returns ISO 8601 in UTC. */
export function fromSeconds(seconds: number | undefined): string | null {
  if (seconds === undefined) return null;
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

export function describeScrape({ startedAt, endedAt, campaign, reason, ...scrape }: Scrape): ScrapeDocument {
  return {
    ...scrape,
    campaign: campaign ?? null,
    startedAt: isoTimeOf(startedAt),
    endedAt: isoTimeOrNull(endedAt),
    durationMs: endedAt === undefined ? null : endedAt - startedAt,
    reason: reason ? { ...reason, cure: reason.cure ?? null } : null,
  };
}

export function describeSchedule({
  schedule,
  scrapes,
  hasWorkers,
}: ShownSchedule): VideoCommandDocument<'videos schedule'> {
  const next = isoTimeOrNull(schedule?.next);
  return {
    schedule: schedule ? { cron: schedule.pattern, tz: schedule.tz, next } : null,
    scrapes: scrapes.map(describeScrape),
    hasWorkers,
  };
}

interface Named {
  readonly caption: string | null;
  readonly label: string | null;
  readonly video_url: string;
}

const longestTitle = 80;

/** Title of a video: its label, else its caption, else its address. */
export function titleOf({ label, caption, video_url }: Named): string {
  const text = label ?? (caption?.trim().split(/[\r\n]/, 1)[0] || withoutScheme(video_url));
  return text.length > longestTitle ? `${text.slice(0, longestTitle).toWellFormed()}…` : text;
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const someDays: Readonly<Record<string, string>> = {
  '1,2,3,4,5': 'on weekdays',
  '0,6': 'on weekends',
  '0,1,2,3,4,5,6': '',
};
/** The usual schedules are at night: until this hour. */
const nightHours = 6;
/** More times are not listed. */
const mostTimes = 4;

/**
 * A schedule in words: `every night at 03:00 (Europe/Berlin)`, `every Monday and Thursday at 08:00 (UTC)`.
 * @returns undefined for a pattern that takes more words than people read.
 */
export function cronInWords({ pattern, tz }: Cron): string | undefined {
  const fields = pattern.length > 100 ? [] : pattern.trim().split(/\s+/);
  const [minute = '', hour = '', day, month, weekday = ''] = fields.length === 6 ? fields.slice(1) : fields;
  if (fields.length === 6 && fields[0] !== '0') return undefined;
  if (day !== '*' || month !== '*') return undefined;
  const days = weekday === '*' ? [] : [...new Set(numbersOf(weekday, 7)?.map((each) => each % 7))].sort();
  const [minutes, hours] = [numbersOf(minute, 59), numbersOf(hour, 23)];
  if (!minutes || !hours || (days.length === 0 && weekday !== '*')) return undefined;
  if (minutes.length * hours.length > mostTimes) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const times = hours.flatMap((h) => minutes.map((m) => `${two(h)}:${two(m)}`));
  const names = someDays[days.join()] ?? `every ${listed(days.map((each) => weekdays[each] ?? ''))}`;
  const daily = hours.every((each) => each < nightHours) ? 'every night' : 'every day';
  return `${days.length === 0 || names === '' ? daily : names} at ${listed(times)} (${tz})`;
}

/** The numbers of `1`, `8,20` or `1-5`; undefined for anything else. */
function numbersOf(field: string, most: number): readonly number[] | undefined {
  const found = field.split(',').map((part) => {
    const { first = '', last = first } = /^(?<first>\d{1,2})(?:-(?<last>\d{1,2}))?$/.exec(part)?.groups ?? {};
    if (first === '' || Number(last) > most || Number(last) < Number(first)) return undefined;
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
  });
  const known = found.flatMap((each) => each ?? []);
  return found.includes(undefined) ? undefined : known;
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);
}
