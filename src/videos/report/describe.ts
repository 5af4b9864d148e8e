/** A report as a document, and as the lines of a sheet. */
import { parts } from '../../ledger/parts.ts';
import { countColumns } from '../../manifest/columns.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { fromSeconds, nameCounts } from '../describe.ts';
import type { ReportDocument, ReportWarning } from '../documents.ts';
import { ratioColumns } from '../export/lines.ts';
import type { GroupFigures, Grouping } from './groups.ts';
import type { Mover, VideoReport } from './report.ts';
import { describeSpan, textOf } from './span.ts';

const groupColumns: Readonly<Record<Grouping, string>> = {
  video: 'video_url',
  creator: 'creator',
  campaign: 'campaign',
  product: 'product_id',
  account: 'account',
};

/** Why a report has no figures; undefined if it has some, or no videos. */
export function emptyReport({ span, sampled, known, total }: VideoReport): ReportWarning | undefined {
  if (sampled > 0 || total.videos === 0) return undefined;
  if (!known) {
    const cure = [hint('scrapeVideos')];
    return { code: 'no_samples', message: 'no video has been looked up yet', cure };
  }
  const range = `${textOf(known.first * 1000)} to ${textOf(known.latest * 1000)} (UTC)`;
  return {
    code: 'no_samples',
    message: `no video has a sample ${span?.since === undefined ? upTo(span?.until) : describeSpan(span)}`,
    cure: `The samples are from ${range}: ask for a span with some of them.`,
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
  const growths = spans.flatMap((name, span) => {
    const growth = group.growths[span] ?? [];
    return [
      ...countColumns.map((column, index) => [`${column}_${name}`, growth[index] ?? null]),
      [`play_count_${name}_median`, group.growthMedians[span] ?? null],
    ];
  });
  return {
    videos: group.videos,
    ...nameCounts(group.counts),
    play_count_median: group.median ?? null,
    ...Object.fromEntries(growths),
    views_per_day: group.viewsPerDay ?? null,
    engagement: group.engagement ?? null,
    high_intent: group.highIntent ?? null,
  };
}

function describeMover({ url, creator, views, growth, ratio }: Mover) {
  return {
    video_url: url,
    creator: creator ?? null,
    play_count: views,
    growth,
    growth_ratio: ratio ?? null,
  };
}

/** Columns of a sheet that hold numbers. */
export function numberColumns({ spans }: Pick<VideoReport, 'spans'>): ReadonlySet<string> {
  const grown = spans.flatMap((name) => [
    ...countColumns.map((column) => `${column}_${name}`),
    `play_count_${name}_median`,
  ]);
  return new Set(['videos', ...countColumns, 'play_count_median', ...grown, ...ratioColumns]);
}

/** Header and lines of the groups, in batches. */
export async function* reportLines(report: VideoReport): AsyncGenerator<readonly (readonly string[])[]> {
  const cells = (group: GroupFigures) => [
    group.name,
    ...Object.values(describeGroup(report, group)).map((value) => (value === null ? '' : String(value))),
  ];
  const header = [groupColumns[report.by], ...Object.keys(describeGroup(report, report.total))];
  const [first = [], ...rest] = parts(report.groups, linesAtOnce);
  // In one batch, because a workbook takes the widths of its columns from the first lines.
  yield [header, ...first.map(cells)];
  for (const groups of rest) yield groups.map(cells);
}

const linesAtOnce = 200;
