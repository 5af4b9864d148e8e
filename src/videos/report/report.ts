/** Reports on videos: sums, medians and growth by video, creator, campaign, product or account, and the largest movers. */
import { type Amount, minus } from '../../ledger/videos/amount.ts';
import { keptDays, type RawSummary } from '../../ledger/videos/summary.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { ratioOf } from '../figures.ts';
import { keepLargest } from '../largest.ts';
import { creatorOf } from '../wanted.ts';
import { Group, type GroupFigures, type Grouping, groupKeyOf, groupOf, type VideoFigures } from './groups.ts';
import { growthIn } from './growth.ts';
import { type GivenSpan, readSpan, type Span } from './span.ts';

/** Options of `reportVideos`. */
export interface ReportOptions extends GivenSpan {
  readonly by?: Grouping | undefined;
  readonly campaign?: string | undefined;
  /** Most groups to list. */
  readonly top?: number | undefined;
}

/** A video with much growth. */
export interface Mover {
  readonly url: string;
  readonly creator: string | undefined;
  readonly views: bigint;
  readonly growth: bigint;
  /** Growth divided by the value before; undefined if that was 0. */
  readonly ratio: number | undefined;
}

/** Sums, medians and growth of videos, by group. */
export interface VideoReport {
  readonly by: Grouping;
  /** Undefined: growth over 1, 7 and 30 days up to the latest sample of each video. */
  readonly span: Span | undefined;
  /** Names of the spans of growth: `1d`, `7d`, `30d`, or `growth` for the requested span. */
  readonly spans: readonly string[];
  /** The one with the largest growth first. */
  readonly groups: readonly GroupFigures[];
  /** Groups that `top` leaves out. */
  readonly left: number;
  /** Videos with a sample in the span or, without a span, with any sample. Other videos have no figures here. */
  readonly sampled: number;
  /** Times of the first and the latest sample of all videos: Unix epoch, seconds. Undefined if there is none. */
  readonly known: { readonly first: number; readonly latest: number } | undefined;
  readonly total: GroupFigures;
  readonly movers: {
    /** Name of the span. */
    readonly over: string;
    readonly absolute: readonly Mover[];
    readonly relative: readonly Mover[];
  };
}

const videosAtOnce = 1000;
const usualMovers = 5;

/** Reports on the watch list. @throws {UseCaseError} `date_invalid`. */
export async function reportVideos(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  { by = 'video', campaign, top, since, until }: ReportOptions = {},
): Promise<VideoReport> {
  const { ledger } = runtime;
  const given = readSpan(runtime, { since, until });
  const span = since === undefined && until === undefined ? undefined : given;
  const spans = span ? ['growth'] : keptDays.map((days) => `${days}d`);
  const groups = new Map<string, Group>();
  const total = new Group('', spans.length);
  // A month is too long a span for movers.
  const movers = spans.slice(0, 2).map(() => new Movers(top ?? usualMovers));
  let sampled = 0;
  let known: { first: number; latest: number } | undefined;
  for await (const videos of ledger.videos.list.all(campaign, videosAtOnce)) {
    const figures = span
      ? await figuresIn(ledger, videos, span)
      : videos.map(({ rawSummary }) => keptFigures(rawSummary));
    for (const [index, video] of videos.entries()) {
      const found = figures[index];
      if (!found) continue;
      const name = groupOf(video, by);
      const key = groupKeyOf(name, by);
      const group = groups.get(key) ?? new Group(name, spans.length);
      groups.set(key, group);
      group.add(video, found);
      if (found.counts.length > 0) sampled += 1;
      known = widened(known, video.rawSummary);
      for (const [each, mover] of movers.entries())
        mover.add(video, found.counts[0], found.growths[each]?.[0]);
    }
  }
  for (const group of groups.values()) total.merge(group);
  // Ranks by a week rather than by a day, if a week is known.
  const ranked = movers[1]?.isEmpty === false ? 1 : 0;
  const sorted = [...groups.values()]
    .map((group) => group.finish())
    .sort(
      (one, other) =>
        compare(weightOf(other, ranked), weightOf(one, ranked)) || compare(other.counts[0], one.counts[0]),
    );
  return {
    by,
    span,
    spans,
    groups: sorted.slice(0, top),
    left: top === undefined ? 0 : Math.max(0, sorted.length - top),
    sampled,
    known,
    total: total.finish(),
    movers: { over: spans[ranked] ?? '', ...(movers[ranked] as Movers).finish() },
  };
}

function widened(
  known: { first: number; latest: number } | undefined,
  summary: RawSummary | undefined,
): { first: number; latest: number } | undefined {
  if (!summary) return known;
  const { firstAt, latest } = summary;
  if (!known) return { first: firstAt, latest: latest.at };
  known.first = Math.min(known.first, firstAt);
  known.latest = Math.max(known.latest, latest.at);
  return known;
}

function keptFigures(summary: RawSummary | undefined): VideoFigures {
  if (!summary) return { counts: [], at: undefined, growths: [] };
  const { counts, at } = summary.latest;
  const growths = summary.before.map((earlier) =>
    counts.map((count, index) => {
      const before = earlier?.counts[index];
      return count === undefined || before === undefined ? undefined : minus(count, before);
    }),
  );
  return { counts, at, growths };
}

async function figuresIn(
  ledger: Runtime['ledger'],
  videos: readonly WatchedVideo[],
  span: Span,
): Promise<readonly VideoFigures[]> {
  const found = await growthIn(ledger.videos.history, videos, span);
  return found.map(({ latest, growth }) => ({
    counts: latest?.counts ?? [],
    at: latest?.at,
    growths: [growth],
  }));
}

function weightOf({ growths }: GroupFigures, span: number): bigint | undefined {
  return growths[span]?.[0];
}

function compare(one: bigint | undefined, other: bigint | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return -1;
  return other === undefined || one > other ? 1 : -1;
}

/** Keeps the few videos with the largest growth. */
class Movers {
  readonly #most: number;
  readonly #absolute: Mover[] = [];
  readonly #relative: Mover[] = [];
  /** Once the lists are full, a video must have more than this. */
  #leastGrowth = 0n;
  #leastRatio = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#absolute.length === 0;
  }

  add(video: WatchedVideo, views: Amount | undefined, growth: Amount | undefined): void {
    if (views === undefined || growth === undefined || growth <= 0) return;
    const before = minus(views, growth);
    // Rejects most videos fast. Floating-point numbers are exact enough for that.
    const isFar = before > 0 && Number(growth) / Number(before) < this.#leastRatio * 0.99;
    if (growth <= this.#leastGrowth && (isFar || before <= 0)) return;
    const mover = {
      url: video.facts.url,
      creator: creatorOf(video),
      views: BigInt(views),
      growth: BigInt(growth),
      ratio: before > 0 ? ratioOf(BigInt(growth), BigInt(before)) : undefined,
    };
    keepLargest(this.#absolute, mover, this.#most, (each) => each.growth);
    if (mover.ratio !== undefined) keepLargest(this.#relative, mover, this.#most, (each) => each.ratio ?? 0);
    if (this.#absolute.length === this.#most) this.#leastGrowth = this.#absolute.at(-1)?.growth ?? 0n;
    if (this.#relative.length === this.#most) this.#leastRatio = this.#relative.at(-1)?.ratio ?? 0;
  }

  finish() {
    return { absolute: this.#absolute, relative: this.#relative };
  }
}
