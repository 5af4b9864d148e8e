/**
 * The report for a client, as a workbook. Its first sheet is for people: totals, sums by creator, product or campaign, and movers, with
 * names for people and percentages. The others have the gains by day, and all videos. The samples are in `export.ts`.
 */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Counts } from '../../ledger/videos/sample.ts';
import { type Cell, encodeWorkbook } from '../../sheets/write/xlsx-sheet.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { GroupFigures, Mover } from './aggregate.ts';
import { titleOf } from './describe.ts';
import type { VideoDocument } from './documents.ts';
import { engagementOf } from './figures.ts';
import { listOverviewPage, type Overview, type OverviewGrouping } from './overview.ts';
import { dateOf, minuteOf } from './spans.ts';
import { creatorOf } from './watch-list.ts';

export interface ClientReport {
  readonly overview: Overview;
  readonly by: OverviewGrouping;
  readonly names: ReadonlyMap<string, string>;
  /** Of one's own; empty for none. */
  readonly title: string;
  readonly comment: string;
}

/** Names of the counters for people, in the order of the samples. */
export const counterNames = ['Views', 'Likes', 'Comments', 'Shares', 'Saves'] as const;

/** `1–28 February 2027` */
export function datesOf({ days: { starts, until }, query: { zone }, at }: Overview): string {
  const form = { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-GB', form).formatRange(
    (starts[0] ?? 0) * 1000,
    until === undefined ? at : until * 1000,
  );
}

/** What the videos of the report have in common: `Creator: anna`; empty for all videos. */
export function scopeOf({ overview: { query }, names }: Pick<ClientReport, 'overview' | 'names'>): string {
  const { campaign, creator, product } = query;
  const given = [
    campaign !== undefined && `Campaign: ${names.get(campaign) ?? campaign}`,
    creator !== undefined && `Creator: ${creator}`,
    product !== undefined && `Product: ${product}`,
  ];
  return given.filter(Boolean).join(', ');
}

export function titleOfReport({ overview, title }: Pick<ClientReport, 'overview' | 'title'>): string {
  return title || `Videos, ${datesOf(overview)}`;
}

export function nameOfGroup({ by, names }: Pick<ClientReport, 'by' | 'names'>, name: string): string {
  if (name === '') return `No ${by}`;
  return by === 'campaign' ? (names.get(name) ?? name) : name;
}

/** Writes the workbook to a stream that stays open. */
export async function writeClientReport(
  runtime: ReportRuntime,
  report: ClientReport,
  to: Writable,
): Promise<void> {
  const sheets = [
    { name: 'Report', widths: [44, 10, 14, 16, 12, 12, 12, 12, 14, 60], rows: reportRows(report) },
    { name: 'By day', widths: [14, 16, 16, 18, 16, 16], rows: dayRows(report) },
    {
      name: 'Videos',
      widths: [60, 24, 24, 24, 18, 18, 14, 16, 12, 12, 12, 12, 14, 60],
      rows: videoRows(runtime, report),
    },
  ];
  await pipeline(encodeWorkbook(sheets), to, { end: false });
}

function* reportRows(report: ClientReport): Generator<readonly Cell[]> {
  const { overview, by } = report;
  const { totals, movers, query } = overview;
  const days = query.span === 1 ? 'day' : `${query.span} days`;
  const [, ...others] = counterNames;
  const columns = heads('Videos', 'Views', 'Views gained', ...others, 'Engagement');
  yield [{ title: titleOfReport(report) }];
  yield [[scopeOf(report) || 'All videos', report.title && datesOf(overview)].filter(Boolean).join(', ')];
  if (report.comment !== '') yield [report.comment];
  yield [
    `Gained: within the ${days} of this report (days in ${query.zone}). Engagement: likes, comments, shares and saves, divided by views.`,
  ];
  yield [];
  yield [{ head: 'Total' }, ...columns];
  yield groupRow('All', totals);
  yield [`Gained in the ${days}`, undefined, undefined, ...(totals.growths[0] ?? []).map(figure)];
  yield [];
  yield [{ head: `By ${by}` }, ...columns];
  for (const group of overview.groups[by]) yield groupRow(nameOfGroup(report, group.name), group);
  yield [];
  yield [{ head: 'Gained the most' }, undefined, ...heads('Views', 'Views gained', 'Creator')];
  for (const mover of movers.most) yield moverRow(mover, figure(mover.growth));
  if (movers.fastest.length === 0) return;
  yield [];
  yield [{ head: 'Grew the fastest' }, undefined, ...heads('Views', 'Gained, % of before', 'Creator')];
  for (const mover of movers.fastest) yield moverRow(mover, share(mover.ratio));
  yield [`Gained, % of before: views gained, as a percentage of those gained in the ${days} before.`];
}

function heads(...names: readonly string[]): readonly Cell[] {
  return names.map((head) => ({ head }));
}

function groupRow(name: string, { videos, counts, growths, engagement }: GroupFigures): readonly Cell[] {
  const [views, ...others] = counts;
  const figures = [views, growths[0]?.[0], ...others].map(figure);
  return [name, figure(videos), ...figures, share(engagement)];
}

function moverRow({ video, figures }: Mover, gained: Cell): readonly Cell[] {
  const { facts, meta } = video;
  const named = { label: facts.label ?? null, caption: meta.caption ?? null, video_url: facts.url };
  const rest = [undefined, undefined, undefined, undefined, facts.url];
  return [titleOf(named), undefined, figure(figures.counts[0]), gained, creatorOf(video) ?? '', ...rest];
}

function* dayRows({ overview: { days, totals, query } }: ClientReport): Generator<readonly Cell[]> {
  yield heads('Day', ...counterNames.map((name) => `${name} gained`));
  for (const [day, start] of days.starts.entries()) {
    const gained = totals.daily.map((daily) => figure(daily[day]));
    yield [{ date: dateOf(start, query.zone) }, ...gained];
  }
}

export type ReportedVideo = Awaited<ReturnType<typeof listOverviewPage>>[number] & {
  /** Planned time of its row. Unix epoch, milliseconds. */
  readonly plannedAt: number | undefined;
};

type ReportRuntime = Pick<Runtime, 'ledger' | 'settings' | 'views'>;

const mostGained = { column: 'gained', descending: true } as const;

/** A part of its videos, those that gained the most views first. */
export async function listReported(
  runtime: ReportRuntime,
  { overview }: Pick<ClientReport, 'overview'>,
  part: { readonly from: number; readonly count: number },
): Promise<readonly ReportedVideo[]> {
  const listed = await listOverviewPage(runtime, overview, { sort: mostGained, ...part });
  const videos = listed.map(({ video }) => video);
  const planned = await plannedTimes(runtime, videos);
  return listed.map((each) => ({ ...each, plannedAt: planned.get(each.video.id) }));
}

type VideoPlace = Pick<VideoDocument, 'id' | 'campaign' | 'key'>;

/** Of the rows that they were posted from, by id of the video. */
async function plannedTimes(
  { ledger, views }: ReportRuntime,
  videos: readonly VideoPlace[],
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const [id, some] of Map.groupBy(videos, ({ campaign }) => campaign ?? '')) {
    // A campaign may be a name of the planner's own, or be gone.
    const campaign = id === '' ? undefined : await ledger.campaigns.find(id).catch(() => undefined);
    const view = campaign && (await views.open(id, campaign.sheetVersion));
    if (campaign === undefined || view === undefined) continue;
    const byKey = Map.groupBy(some, ({ key }) => key);
    for await (const { first, keys } of ledger.rowKeys.all(campaign)) {
      for (const [index, key] of keys.entries()) {
        const posted = byKey.get(key);
        const at = posted && (await view.uncachedRow(first + index))?.schedule?.at;
        if (at !== undefined) for (const video of posted ?? []) times.set(video.id, at);
      }
    }
  }
  return times;
}

const videosAtOnce = 500;

/** Of all videos of a report, for one pass over the sheet of each campaign. */
async function allPlaces({ ledger }: ReportRuntime, { order }: Overview): Promise<readonly VideoPlace[]> {
  const places: VideoPlace[] = [];
  for (let from = 0; from < order.size; from += videosAtOnce) {
    for (const video of await ledger.videos.list.read(order.part(mostGained, from, videosAtOnce))) {
      const { campaign, key = null } = video?.facts ?? {};
      if (video && campaign !== undefined) places.push({ id: video.id, campaign, key });
    }
  }
  return places;
}

async function* videoRows(
  runtime: ReportRuntime,
  { overview, names }: ClientReport,
): AsyncGenerator<readonly Cell[]> {
  const [, ...others] = counterNames;
  const facts = ['Video', 'Creator', 'Product', 'Campaign', 'Planned', 'Posted'];
  yield heads(...facts, 'Views', 'Views gained', ...others, 'Engagement', 'Link');
  const minute = (at: number | null | undefined) =>
    at == null ? undefined : { date: minuteOf(at / 1000, overview.query.zone) };
  const planned = await plannedTimes(runtime, await allPlaces(runtime, overview));
  for (let from = 0; from < overview.order.size; from += videosAtOnce) {
    const part = { sort: mostGained, from, count: videosAtOnce };
    for (const { video, figures } of await listOverviewPage(runtime, overview, part)) {
      const { creator, author, product_id: product, campaign, released_at: released } = video;
      const [views, ...rest]: Counts = figures.counts;
      yield [
        captionOf(video),
        creator ?? author ?? '',
        product ?? '',
        campaign === null ? '' : (names.get(campaign) ?? campaign),
        minute(planned.get(video.id)),
        minute(released === null ? null : Date.parse(released)),
        ...[views, figures.growths[0]?.[0], ...others.map((_name, each) => rest[each])].map(figure),
        share(engagementOf(figures.counts)),
        video.video_url,
      ];
    }
  }
}

/** The whole caption, else what the video is called. */
export function captionOf(video: VideoDocument): string {
  return video.label ?? (video.caption?.trim() || titleOf(video));
}

function figure(value: number | undefined): Cell {
  return value === undefined ? undefined : { number: value };
}

function share(ratio: number | undefined): Cell {
  return ratio === undefined ? undefined : { percent: ratio };
}
