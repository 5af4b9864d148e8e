/** Videos in words and tables. */
import { plural } from '../../runtime/wording.ts';
import type { VideoDocument } from '../../videos/documents.ts';

export const videoHeader = ['VIDEO', 'STATE', 'CREATOR', 'VIEWS', '+1 DAY', '+7 DAYS', 'ENGAGED', 'SAMPLED'];

export function videoLine(video: VideoDocument): readonly string[] {
  return [
    video.video_url,
    video.state,
    video.creator ?? video.author ?? '',
    showCount(video.play_count),
    showGrowth(video.play_count_1d),
    showGrowth(video.play_count_7d),
    showShare(video.engagement),
    video.last_sampled_at?.slice(0, 16).replace('T', ' ') ?? '',
  ];
}

/** `12 videos: 10 ok, 1 gone, 1 failing` */
export function describeCount(videos: readonly VideoDocument[]): string {
  const states = Map.groupBy(videos, ({ state }) => state);
  const parts = [...states].map(([state, some]) => `${some.length.toLocaleString('en')} ${state}`);
  return `${plural(videos.length, 'video')}: ${parts.join(', ')}`;
}

type Count = bigint | number | null;

/** All digits, in groups of three. */
export function showCount(count: Count): string {
  return count === null ? '' : count.toLocaleString('en');
}

export function showGrowth(count: Count): string {
  if (count === null) return '';
  return count > 0 ? `+${showCount(count)}` : showCount(count);
}

/** A ratio as `3.1 %`. */
export function showShare(ratio: number | null): string {
  return ratio === null ? '' : `${(ratio * 100).toFixed(1)} %`;
}
