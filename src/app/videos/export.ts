/**
 * Writes sheets about videos: samples (a line for each video and sample, or for each video), and reports. Streamed, however many they
 * are.
 */
import type { Sample } from '../../ledger/videos/sample.ts';
import { captionAt, type WatchedVideo } from '../../ledger/videos/video.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { countColumns } from '../../manifest/result-columns.ts';
import {
  type SheetPlace,
  type SheetStyle,
  SheetWriteError,
  writeSheet,
} from '../../sheets/write/sheet-file.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { describeVideo, fromSeconds, type GrowthColumn } from './describe.ts';
import type { VideoDocument } from './documents.ts';
import { figuresAt, keptFigures, keptSpans } from './figures.ts';
import { sheetOf, type VideoReport } from './report.ts';
import { type GivenSpan, readSpan, type Span } from './spans.ts';
import { matcherOf, type VideoFilter } from './watch-list.ts';

export interface SheetTarget extends Pick<SheetStyle, 'format' | 'withMark'> {
  readonly to: SheetPlace;
}

export interface ExportRequest extends SheetTarget, GivenSpan, VideoFilter {
  readonly video?: string | undefined;
  /** A line for each video; else one for each video and sample. */
  readonly wide?: boolean | undefined;
}

export interface WrittenSheet {
  /** Absolute; undefined for a stream. */
  readonly path: string | undefined;
  readonly rows: number;
}

/** Writes samples of videos, or their latest figures, to a sheet. @throws {UseCaseError} `date_invalid`, `sheet_not_written`. */
export async function exportVideos(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  { wide = false, since, until, to, format, withMark, ...wanted }: ExportRequest,
): Promise<WrittenSheet> {
  const span = readSpan(runtime, { since, until });
  const batches = linesOf(runtime, { ...wanted, wide, span });
  return write({ batches, numbers: numberColumns }, { to, format, withMark });
}

/** @throws {UseCaseError} `sheet_not_written`. */
export function writeReport(report: VideoReport, target: SheetTarget): Promise<WrittenSheet> {
  return write(sheetOf(report), target);
}

type Lines = readonly (readonly string[])[];

async function write(
  { batches, numbers }: { readonly batches: AsyncIterable<Lines>; readonly numbers: ReadonlySet<string> },
  { to, format, withMark }: SheetTarget,
): Promise<WrittenSheet> {
  let rows = -1;
  async function* counted() {
    for await (const lines of batches) {
      // The first line is the header.
      rows += lines.length;
      yield lines;
    }
  }
  try {
    const path = await writeSheet(to, { batches: counted() }, { format, numbers, withMark });
    return { path, rows };
  } catch (error) {
    if (!(error instanceof SheetWriteError)) throw error;
    const fix = 'Nothing is lost. Write the sheet to another file, or as CSV.';
    throw new UseCaseError('sheet_not_written', error.message, { fix, cause: error });
  }
}

interface ExportOptions extends VideoFilter, Pick<ExportRequest, 'video' | 'wide'> {
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

const growthColumns = keptSpans.flatMap((span) =>
  countColumns.map((column) => `${column}_${span}` as GrowthColumn),
);
const ratioColumns = ['views_per_day', 'engagement', 'high_intent'] as const;
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

const numberColumns = new Set<string>([...countColumns, ...growthColumns, ...ratioColumns, 'samples']);

type Tools = Pick<Runtime, 'ledger' | 'settings' | 'now'>;

const videosAtOnce = 100;
const linesAtOnce = 200;

/** Header first, in batches. */
export async function* linesOf(tools: Tools, { wide, ...options }: ExportOptions): AsyncGenerator<Lines> {
  const { since, until } = options.span;
  const { after } = tools.settings.videos.gone;
  let lines: (readonly string[])[] = [wide ? wideColumns : longColumns];
  // Growth may begin before the span does.
  const read = wide ? { since: undefined, until } : { since, until };
  for await (const [video, samples] of histories(tools, { ...options, span: read })) {
    const found = wide
      ? wideLine(video, samples, { since, until, goneAfter: after })
      : longLines(video, describeVideo(video, after), samples);
    for (const line of found) {
      lines.push(line);
      if (lines.length < linesAtOnce) continue;
      yield lines;
      lines = [];
    }
  }
  yield lines;
}

/** Histories without samples that are older than the retention but not removed yet. */
async function* histories(
  { ledger: { videos }, settings, now }: Tools,
  { video, span, ...wanted }: ExportOptions,
): AsyncGenerator<readonly [WatchedVideo, readonly Sample[]]> {
  const oldest = Math.floor((now() - settings.videos.retention) / 1000);
  const first = Math.max(span.since ?? oldest, oldest);
  const { until = Number.POSITIVE_INFINITY } = span;
  const fits = matcherOf(wanted);
  const all = video === undefined ? videos.list.all(wanted.campaign, videosAtOnce) : videos.list.only(video);
  for await (const part of all) {
    const fitting = part.filter(fits);
    const found = await videos.history.samples(fitting, first);
    for (const [index, each] of fitting.entries()) {
      yield [each, (found[index] ?? []).filter(({ at }) => at >= first && at <= until)];
    }
  }
}

function* longLines(
  video: WatchedVideo,
  document: VideoDocument,
  samples: readonly Sample[],
): Generator<readonly string[]> {
  const before = ofVideo.map((column) => cellOf(document[column]));
  const [cover, released] = [cellOf(document.cover_url), cellOf(document.released_at)];
  for (const { at, counts, flags } of samples) {
    const figures = counts.map((count) => cellOf(count ?? null));
    yield [...before, fromSeconds(at) ?? '', ...figures, captionAt(video, at), cover, released, flags];
  }
}

/** @param known samples of the span and before it. @returns no line for a video without a sample in the span. */
function wideLine(
  video: WatchedVideo,
  known: readonly Sample[],
  { since, until, goneAfter }: Span & { readonly goneAfter: number },
): readonly (readonly string[])[] {
  const samples = since === undefined ? known : known.filter(({ at }) => at >= since);
  const last = samples.at(-1);
  if (last === undefined && (since !== undefined || until !== undefined)) return [];
  const kept = keptFigures(video);
  // The latest figures outlive their samples, and so does their growth.
  const figures = last === undefined || last.at === kept.at ? kept : figuresAt(last, known);
  const document: VideoDocument = {
    ...describeVideo(video, goneAfter, figures),
    first_sampled_at: fromSeconds(samples[0]?.at),
    samples: samples.length,
  };
  const caption = last === undefined ? document.caption : captionAt(video, last.at);
  return [wideColumns.map((column) => cellOf(column === 'caption' ? caption : document[column]))];
}

function cellOf(value: string | number | readonly string[] | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join('|') : String(value);
}
