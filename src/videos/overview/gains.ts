/**
 * Gains of a video, day by day: the difference between two samples counts on the day of the later one. Figures are stored as
 * received, so a counter that fell is a loss.
 */

import { type Amount, minus, plus } from '../../ledger/videos/amount.ts';
import { startsFrom } from '../../ledger/videos/chunk-starts.ts';
import type { VideoHistory } from '../../ledger/videos/history.ts';
import { type Counts, counters, readRaw } from '../../ledger/videos/sample.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { SpanDays } from './days.ts';

export interface VideoGains {
  /** By counter, then by day of the span. */
  readonly daily: readonly (readonly Amount[])[];
  /** Gain in the whole span; undefined for a counter without two samples to compare. */
  readonly gained: Counts;
  /** Plays gained in the previous span of the same length; undefined unless all of it is known. */
  readonly playsBefore: bigint | undefined;
}

/** Gains of several videos, in their order. */
export async function readGains(
  history: VideoHistory,
  videos: readonly WatchedVideo[],
  days: SpanDays,
): Promise<readonly VideoGains[]> {
  const found = await history.chunks(
    videos.map(({ id, chunks }) => ({ id, starts: startsFrom(chunks, days.before) })),
  );
  return videos.map((video, index) =>
    gainsOf([...(found[index]?.values() ?? [])], video.rawSummary?.releasedAt, days),
  );
}

/**
 * @param chunks oldest first, with the newest sample before the two spans, if there is one.
 * @param releasedAt of the video: Unix epoch, seconds. All views of a video count if it was released in a span.
 */
export function gainsOf(
  chunks: readonly Buffer[],
  releasedAt: number | undefined,
  { starts, before }: SpanDays,
): VideoGains {
  const [start = before] = starts;
  const daily = counters.map(() => starts.map((): Amount => 0));
  const gained: (Amount | undefined)[] = counters.map(() => undefined);
  let known: (Amount | undefined)[] = counters.map(() => undefined);
  let playsBefore: Amount | undefined;
  let isFirst = true;
  let day = 0;
  for (const chunk of chunks) {
    for (const { at, counts } of readRaw(chunk)) {
      const isInSpan = at >= start;
      if (isFirst) {
        const from = isInSpan ? start : before;
        if (at >= from && (releasedAt ?? 0) >= from) known = counters.map(() => 0);
        // The previous span must be known from its start, or from the release.
        if (!isInSpan && (at < before || known[0] !== undefined)) playsBefore = 0;
        isFirst = false;
      }
      while (day + 1 < starts.length && at >= (starts[day + 1] ?? 0)) day += 1;
      for (let each = 0; each < counters.length; each += 1) {
        const count = counts[each];
        if (count === undefined) continue;
        const last = known[each];
        known[each] = count;
        if (last === undefined || at < before) continue;
        const gain = minus(count, last);
        if (isInSpan) {
          gained[each] = plus(gained[each] ?? 0, gain);
          const days = daily[each];
          if (days) days[day] = plus(days[day] ?? 0, gain);
        } else if (each === 0 && playsBefore !== undefined) playsBefore = plus(playsBefore, gain);
      }
    }
  }
  return {
    daily,
    gained: gained.map((gain) => (gain === undefined ? undefined : BigInt(gain))),
    playsBefore: playsBefore === undefined ? undefined : BigInt(playsBefore),
  };
}
