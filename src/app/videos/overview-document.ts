/** The overview of the watch list, as the REST API returns it. Names of figures are those of the export's columns. */
import { z } from 'zod';
import type { Counts } from '../../ledger/videos/sample.ts';
import { isoTime, isoTimeOf } from '../runtime/documents.ts';
import type { Mover } from './aggregate.ts';
import { fromSeconds, nameCounts } from './describe.ts';
import { counts, videoSchema, videoState } from './documents.ts';
import { type ListedVideo, type Overview, type OverviewGrouping, overviewGroupings } from './overview.ts';

const count = videoSchema.shape.play_count;
const sums = z.strictObject(counts);
const daily = z.array(count);

const mover = z.strictObject({
  id: z.string(),
  video_url: z.string(),
  gained: count,
  /** Plays gained, divided by those gained in the previous span; null if that is not known. */
  ratio: z.number().nullable(),
});

export const videoOverviewSchema = z.strictObject({
  /** Days. */
  span: z.int(),
  zone: z.string(),
  /** Start of each day of the span. The last day is today. */
  days: z.array(isoTime),
  /** When the list was read. */
  at: isoTime,
  /** The whole list, whatever the filter. */
  list: z.strictObject({
    videos: z.int(),
    states: z.record(videoState, z.int()),
    creators: z.int(),
    products: z.int(),
    /** Calls that looking up all videos now would take. */
    calls: z.int(),
  }),
  /** Videos that match, and their sums. */
  videos: z.int(),
  counts: sums,
  gained: sums,
  /** Plays gained, by day. */
  daily,
  groups: z.strictObject({
    by: z.enum(overviewGroupings),
    /** The largest gain first. `name` is empty for videos without one. */
    shown: z.array(z.strictObject({ name: z.string(), videos: z.int(), play_count: count, gained: count })),
    left: z.int(),
  }),
  movers: z.strictObject({ most: z.array(mover), fastest: z.array(mover) }),
  page: z.array(z.strictObject({ video: videoSchema, gained: sums, daily })),
  next: z.string().nullable().describe('Cursor of the next page; null at the end.'),
});

export function describeOverview(
  { query, at, days, list, totals, groups, movers, order }: Overview,
  shown: {
    readonly by: OverviewGrouping;
    readonly top: number;
    readonly page: readonly ListedVideo[];
    readonly next: string | null;
  },
) {
  const { by, top, page, next } = shown;
  const { videos, states, creators, products, calls } = list;
  const found = groups[by];
  return {
    span: query.span,
    zone: query.zone,
    at: isoTimeOf(at),
    videos: order.size,
    days: days.starts.map((start) => fromSeconds(start) ?? ''),
    list: { videos, states, creators, products, calls },
    counts: nameCounts(zeroIfUnknown(totals.counts)),
    gained: nameCounts(zeroIfUnknown(totals.growths[0])),
    daily: totals.daily[0] ?? [],
    groups: {
      by,
      shown: found.slice(0, top).map(({ name, videos, counts, growths }) => ({
        name,
        videos,
        play_count: counts[0] ?? 0,
        gained: growths[0]?.[0] ?? 0,
      })),
      left: Math.max(0, found.length - top),
    },
    movers: { most: movers.most.map(describeMover), fastest: movers.fastest.map(describeMover) },
    page: page.map(({ video, figures }) => ({
      video,
      gained: nameCounts(figures.growths[0] ?? []),
      daily: figures.daily[0] ?? [],
    })),
    next,
  };
}

function zeroIfUnknown(sums: Counts = []): Counts {
  return sums.map((sum) => sum ?? 0);
}

function describeMover({ video, growth, ratio }: Mover) {
  return { id: video.id, video_url: video.facts.url, gained: growth, ratio: ratio ?? null };
}
