import { batches } from '../../ledger/ledger-part.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { hint } from '../../manifest/problems/hint.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { Aggregate, type GroupFigures, type Grouping, type Mover } from './aggregate.ts';
import { fromSeconds, nameCounts, nameGrowth } from './describe.ts';
import type { ReportDocument, ReportWarning } from './documents.ts';
import { figuresOf, keptSpans } from './figures.ts';
import { describeSpan, type GivenSpan, readSpan, type Span, textOf } from './spans.ts';
import { creatorOf } from './watch-list.ts';

export interface ReportOptions extends GivenSpan {
  readonly by?: Grouping | undefined;
  readonly campaign?: string | undefined;
  readonly top?: number | undefined;
}

/** Sums, medians and growth of videos, by group. */
export interface VideoReport {
  readonly by: Grouping;
  /** Undefined: growth over 1, 7 and 30 days up to the latest snapshot of each video. */
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
  const { list, history } = runtime.ledger.videos;
  const given = readSpan(runtime, { since, until });
  const span = since === undefined && until === undefined ? undefined : given;
  const spans = span ? ['growth'] : keptSpans;
  const sums = new Aggregate({ by: [by], spans: spans.length, isFull: true, movers: top ?? usualMovers });
  let sampled = 0;
  let known: { first: number; latest: number } | undefined;
  for await (const videos of list.all(campaign, videosAtOnce)) {
    const found = await figuresOf(history, videos, span ?? 'latest');
    for (const [index, figures] of found.entries()) {
      const video = videos[index] as WatchedVideo;
      sums.add({ video, figures });
      if (figures.counts.length > 0) sampled += 1;
      const { firstAt, summary } = video;
      if (firstAt !== undefined && summary) {
        const { at } = summary.latest;
        known ??= { first: firstAt, latest: at };
        known = { first: Math.min(known.first, firstAt), latest: Math.max(known.latest, at) };
      }
    }
  }
  // Ranks by a week rather than by a day, if a week is known. A month is too long a span for movers.
  const ranked = sums.movers(1).absolute.length > 0 ? 1 : 0;
  const { absolute, relative } = sums.movers(ranked);
  const groups = sums.groups(by, ranked);
  return {
    by,
    span,
    spans,
    groups: groups.slice(0, top),
    left: top === undefined ? 0 : Math.max(0, groups.length - top),
    sampled,
    known,
    total: sums.total(),
    movers: { over: spans[ranked] ?? '', absolute, relative },
  };
}

const groupColumns: Readonly<Record<Grouping, string>> = {
  video: 'video_url',
  creator: 'creator',
  campaign: 'campaign',
  product: 'product_id',
};

/** Why a report has no figures; undefined if it has some, or no videos. */
export function emptyReport({ span, sampled, known, total }: VideoReport): ReportWarning | undefined {
  if (sampled > 0 || total.videos === 0) return undefined;
  if (!known) {
    const fix = [hint('scrapeVideos')];
    return { code: 'no_samples', message: 'no video has been updated yet', fix };
  }
  const range = `${textOf(known.first * 1000)} to ${textOf(known.latest * 1000)} (UTC)`;
  return {
    code: 'no_samples',
    message: `no video has a snapshot ${span?.since === undefined ? upTo(span?.until) : describeSpan(span)}`,
    fix: `There are snapshots from ${range}: choose a period with some of them.`,
  };
}

function upTo(until: number | undefined): string {
  return until === undefined ? 'yet' : `up to ${textOf(until * 1000)} (UTC)`;
}

export function describeReport(report: VideoReport): ReportDocument {
  const { by, span, groups, left, total, movers } = report;
  return {
    by,
    since: fromSeconds(span?.since),
    until: fromSeconds(span?.until),
    groups: groups.map((group) => ({ [groupColumns[by]]: group.name, ...describeGroup(report, group) })),
    left,
    warning: emptyReport(report) ?? null,
    total: describeGroup(report, total),
    movers: {
      over: movers.over,
      absolute: movers.absolute.map(describeMover),
      relative: movers.relative.map(describeMover),
    },
  } as ReportDocument;
}

function describeGroup({ spans }: VideoReport, group: GroupFigures) {
  const growths = spans.map((name, span) => ({
    ...nameGrowth(group.growths[span] ?? [], name),
    [`play_count_${name}_median`]: group.growthMedians[span] ?? null,
  }));
  return {
    videos: group.videos,
    ...nameCounts(group.counts),
    play_count_median: group.median ?? null,
    ...Object.assign({}, ...growths),
    views_per_day: group.viewsPerDay ?? null,
    engagement: group.engagement ?? null,
    high_intent: group.highIntent ?? null,
  };
}

function describeMover({ video, figures, growth, ratio }: Mover) {
  const creator = creatorOf(video) ?? null;
  const play_count = figures.counts[0] ?? 0;
  return { video_url: video.facts.url, creator, play_count, growth, growth_ratio: ratio ?? null };
}

const linesAtOnce = 200;

/** A report as a sheet: its header, and the lines of its groups in batches. All columns but the first hold numbers. */
export function sheetOf(report: VideoReport) {
  const header = [groupColumns[report.by], ...Object.keys(describeGroup(report, report.total))];
  const cells = (group: GroupFigures) => [
    group.name,
    ...Object.values(describeGroup(report, group)).map((value) => (value === null ? '' : String(value))),
  ];
  async function* batchesOfLines(): AsyncGenerator<readonly (readonly string[])[]> {
    const [first = [], ...rest] = batches(report.groups, linesAtOnce);
    // In one batch, because a workbook takes the widths of its columns from the first lines.
    yield [header, ...first.map(cells)];
    for (const groups of rest) yield groups.map(cells);
  }
  return { numbers: new Set(header.slice(1)), batches: batchesOfLines() };
}
