/** The watch list as sheets: a line for each video and sample (long), or a line for each video (wide). Streamed. */
import { counters, exactly, nothingFell, type RawSample, type Snapshot } from '../../ledger/videos/sample.ts';
import { keptDays, limitOf } from '../../ledger/videos/summary.ts';
import { stateOf, type WatchedVideo } from '../../ledger/videos/video.ts';
import { countColumns } from '../../manifest/columns.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { fromSeconds } from '../describe.ts';
import { engagementOf, growthOf, growthOver, highIntentOf, viewsPerDay } from '../figures.ts';
import type { Span } from '../report/span.ts';
import { isWanted, type WantedVideos } from '../wanted.ts';

export interface ExportOptions extends WantedVideos {
  /** Id of the only video to export. */
  readonly video?: string | undefined;
  readonly span: Span;
}

const ofVideo = [
  'video_url',
  'video_id',
  'author',
  'label',
  'campaign',
  'key',
  'creator',
  'product_id',
] as const;

const longColumns = [
  ...ofVideo,
  'sampled_at',
  ...countColumns,
  'caption',
  'cover_url',
  'released_at',
  'flags',
] as const;

const growthColumns = keptDays.flatMap((days) => countColumns.map((column) => `${column}_${days}d`));
export const ratioColumns = ['views_per_day', 'engagement', 'high_intent'] as const;
const wideColumns = [
  ...ofVideo,
  'tags',
  ...countColumns,
  ...growthColumns,
  ...ratioColumns,
  'first_sampled_at',
  'last_sampled_at',
  'samples',
  'state',
  'caption',
  'cover_url',
  'released_at',
] as const;

/** Columns that hold numbers. */
export const numberColumns: ReadonlySet<string> = new Set([
  ...countColumns,
  ...growthColumns,
  ...ratioColumns,
  'samples',
]);

type Tools = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

const videosAtOnce = 100;
const linesAtOnce = 200;

/** Histories without samples that are older than the retention but not removed yet. */
async function* histories(
  { ledger: { videos }, settings, now }: Tools,
  { video, span, ...wanted }: ExportOptions,
): AsyncGenerator<readonly [WatchedVideo, Iterable<RawSample>]> {
  const oldest = Math.floor((now() - settings.videos.retention) / 1000);
  const { since = oldest, until = Number.POSITIVE_INFINITY } = span;
  const fits = isWanted(wanted);
  const read = async (part: readonly WatchedVideo[]) => {
    const some = part.filter(fits);
    return { some, found: await videos.history.rawSamples(some, Math.max(since, oldest)) };
  };
  // Reads the histories of the next part while the lines of this one are written.
  const parts =
    video === undefined ? videos.list.all(wanted.campaign, videosAtOnce) : videos.list.only(video);
  const next = async () => {
    const { done, value } = await parts.next();
    return done ? undefined : read(value);
  };
  try {
    for (let reading = next(); ; ) {
      const part = await reading;
      if (!part) return;
      reading = next();
      // The consumer may stop before it asks for the next part.
      reading.catch(() => undefined);
      for (const [index, video] of part.some.entries()) {
        yield [video, upTo(part.found[index] ?? [], until)];
      }
    }
  } finally {
    await parts.return(undefined);
  }
}

function* upTo(samples: Iterable<RawSample>, until: number): Generator<RawSample> {
  for (const sample of samples) if (sample.at <= until) yield sample;
}

type Lines = readonly (readonly string[])[];

/** Header first, in batches. */
export async function* longLines(tools: Tools, options: ExportOptions): AsyncGenerator<Lines> {
  let lines: (readonly string[])[] = [longColumns];
  for await (const [video, samples] of histories(tools, options)) {
    const before = cellsOf(video);
    const cover = video.meta.coverUrl ?? '';
    const released = fromSeconds(video.meta.releasedAt) ?? '';
    for (const { at, counts, caption, fell } of samples) {
      lines.push([
        ...before,
        fromSeconds(at) ?? '',
        ...countCells(counts),
        caption,
        cover,
        released,
        flagsOf(fell),
      ]);
      if (lines.length < linesAtOnce) continue;
      yield lines;
      lines = [];
    }
  }
  yield lines;
}

/** Header first, in batches. */
export async function* wideLines(tools: Tools, options: ExportOptions): AsyncGenerator<Lines> {
  const { since, until } = options.span;
  let lines: (readonly string[])[] = [wideColumns];
  // Growth may begin before the span does.
  for await (const [video, raw] of histories(tools, { ...options, span: { since: undefined, until } })) {
    const known = [...raw];
    const samples = since === undefined ? known : known.filter(({ at }) => at >= since);
    if (samples.length === 0 && (since !== undefined || until !== undefined)) continue;
    lines.push(wideLine(video, samples, known));
    if (lines.length < linesAtOnce) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}

/** @param samples of the span. @param known samples of the span and before it. */
function wideLine(
  video: WatchedVideo,
  samples: readonly RawSample[],
  known: readonly RawSample[],
): readonly string[] {
  const { facts, meta, summary } = video;
  const last = samples.at(-1);
  // The figures outlive their samples.
  const latest: Snapshot | undefined = last ? exactly(last) : summary?.latest;
  const counts = latest?.counts ?? counters.map(() => undefined);
  const growths = keptDays.flatMap((days) => {
    // As in lists and reports: growth outlives its samples too.
    if (summary && latest?.at === summary.latest.at) return countCells(growthOver(summary, days));
    const before = latest && known.findLast(({ at }) => at <= limitOf(latest.at, days));
    return countCells(growthOf(counts, before && exactly(before).counts));
  });
  return [
    ...cellsOf(video),
    (facts.tags ?? []).join('|'),
    ...countCells(counts),
    ...growths,
    cell(latest && viewsPerDay(counts[0], meta.releasedAt, latest.at)),
    cell(engagementOf(counts)),
    cell(highIntentOf(counts)),
    fromSeconds(samples[0]?.at) ?? '',
    fromSeconds(latest?.at) ?? '',
    String(samples.length),
    stateOf(video),
    last?.caption ?? meta.caption ?? '',
    meta.coverUrl ?? '',
    fromSeconds(meta.releasedAt) ?? '',
  ];
}

function cellsOf({ facts, meta }: WatchedVideo): readonly string[] {
  const { url, label, campaign, key, creator, product } = facts;
  return [url, meta.videoId, meta.author, label, campaign, key, creator, product].map((text) => text ?? '');
}

function countCells(counts: RawSample['counts']): readonly string[] {
  return counts.map((count) => (count === undefined ? '' : String(count)));
}

function cell(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** `play_count_fell|digg_count_fell`: counters that are lower than before. */
export function flagsOf(fell: readonly boolean[]): string {
  if (fell === nothingFell) return '';
  return countColumns
    .filter((_column, index) => fell[index])
    .map((column) => `${column}_fell`)
    .join('|');
}
