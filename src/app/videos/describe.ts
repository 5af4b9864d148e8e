/** A video as shown in documents and sheets. */

import type { Counts, keptDays } from '../../ledger/videos/sample.ts';
import type { Scrape } from '../../ledger/videos/scrapes.ts';
import { stateOf, type WatchedVideo } from '../../ledger/videos/video.ts';
import { shortened } from '../../manifest/printable.ts';
import { type CountColumn, countColumns } from '../../manifest/result-columns.ts';
import { isoTimeOf, isoTimeOrNull } from '../runtime/documents.ts';
import type { ScrapeDocument, VideoDocument } from './documents.ts';
import {
  engagementOf,
  highIntentOf,
  keptFigures,
  keptSpans,
  type VideoFigures,
  viewsPerDay,
} from './figures.ts';

/** @param goneAfter number of 404 answers after which a video is not looked up again (`videos.gone.after`). */
export function describeVideo(
  video: WatchedVideo,
  goneAfter: number,
  { counts, at, growths }: VideoFigures = keptFigures(video),
): VideoDocument {
  const { id, facts, meta, samples, failure, gone } = video;
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
    caption: meta.caption ?? null,
    cover_url: meta.coverUrl ?? null,
    released_at: fromSeconds(meta.releasedAt),
    ...nameCounts(counts),
    ...nameGrowths(growths),
    views_per_day: viewsPerDay(counts[0], meta.releasedAt, at) ?? null,
    engagement: engagementOf(counts) ?? null,
    high_intent: highIntentOf(counts) ?? null,
    // Figures outlive their samples.
    first_sampled_at: fromSeconds(video.firstAt),
    last_sampled_at: fromSeconds(at),
    samples,
    added_at: isoTimeOf(facts.addedAt),
    failure: failure ? { ...failure, fix: failure.fix ?? null, at: isoTimeOf(failure.at) } : null,
    gone: gone
      ? {
          since: isoTimeOf(gone.since),
          answers: gone.answers,
          ask_again_at: gone.answers >= goneAfter ? null : isoTimeOf(gone.askAgainAt),
        }
      : null,
  };
}

export function nameCounts(counts: Counts): Readonly<Record<CountColumn, number | null>> {
  const named = countColumns.map((name, index) => [name, counts[index] ?? null]);
  return Object.fromEntries(named) as Record<CountColumn, number | null>;
}

export type GrowthColumn = `${CountColumn}_${(typeof keptDays)[number]}d`;

/** Growth over each of `keptSpans`, as `play_count_7d`. */
function nameGrowths(growths: readonly Counts[]): Readonly<Record<GrowthColumn, number | null>> {
  return Object.assign({}, ...keptSpans.map((span, index) => nameGrowth(growths[index] ?? [], span)));
}

export function nameGrowth(growth: Counts, span: string): Readonly<Record<string, number | null>> {
  return Object.fromEntries(countColumns.map((name, index) => [`${name}_${span}`, growth[index] ?? null]));
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
    reason: reason ? { ...reason, fix: reason.fix ?? null } : null,
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
  return shortened(text, longestTitle);
}

export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
