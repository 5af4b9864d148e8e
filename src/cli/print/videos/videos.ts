/** Videos in words and tables. */
import { plural } from '../../../runtime/wording.ts';
import type { VideoDocument } from '../../../videos/documents.ts';

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
export function describeCount(states: ReadonlyMap<VideoDocument['state'], number>): string {
  const parts = [...states].map(([state, some]) => `${some.toLocaleString('en')} ${state}`);
  const all = [...states.values()].reduce((sum, some) => sum + some, 0);
  return `${plural(all, 'video')}: ${parts.join(', ')}`;
}

/** What to print instead of no videos. @param all videos on the list. */
export function describeNone(all: number): string {
  return all === 0
    ? 'No video is on the list. Put some onto it:\n  campaigns videos import FILE'
    : `None of the ${plural(all, 'video')} on the list fits.`;
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
