/** The watch list: finds, filters, lists and removes videos, and shows one of them, with its whole history or over a span. */

import type { Counts, Sample } from '../../ledger/videos/sample.ts';
import { captionAt, stateOf, type VideoState, type WatchedVideo } from '../../ledger/videos/video.ts';
import type { VideoPage } from '../../ledger/videos/watch-list.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { readVideoUrl, videoIdOf } from '../../manifest/cells/video-url.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import type { Depicted } from '../../service/media/pictures.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { describeVideo, fromSeconds, nameCounts } from './describe.ts';
import type { VideoCommandDocument, VideoDocument } from './documents.ts';
import { type Growth, growthIn, keptFigures, stretchOf } from './figures.ts';
import { daysOf, type SpanDays } from './spans.ts';

export interface VideoFilter {
  readonly campaign?: string | undefined;
  /** In any case, with or without `@`. */
  readonly creator?: string | undefined;
  readonly product?: string | undefined;
  readonly state?: VideoState | undefined;
}

/** The creator of the row, or else the author given by the service. */
export function creatorOf(video: WatchedVideo): string | undefined {
  // The service's facts are parsed only if they are needed.
  return video.facts.creator ?? video.meta.author;
}

export function matcherOf(filter: VideoFilter): (video: WatchedVideo) => boolean {
  const { campaign, creator, product, state } = filter;
  const wanted = creator === undefined ? undefined : creatorIn(creator).toLowerCase();
  return (video) =>
    (campaign === undefined || video.facts.campaign === campaign) &&
    (product === undefined || video.facts.product === product) &&
    (state === undefined || stateOf(video) === state) &&
    (wanted === undefined || creatorOf(video)?.toLowerCase() === wanted);
}

const idForm = /^[A-Za-z0-9_-]{16}$/;

/** Finds a video of the watch list. @param given a URL in any of its forms, or an id. @throws {UseCaseError} `video_not_found`. */
export async function findVideo({ ledger }: Pick<Runtime, 'ledger'>, given: string): Promise<WatchedVideo> {
  const read = readVideoUrl(given);
  const id = 'url' in read ? videoIdOf(read.url) : given;
  const [video] = idForm.test(id) ? await ledger.videos.list.read([id]) : [];
  if (video) return video;
  throw new UseCaseError('video_not_found', `the video ${given} is not on the watch list`, {
    fix: [hint('list', { what: 'videos' })],
  });
}

/** The videos in the order of addition, in parts. */
export async function* listVideos(
  { ledger }: Pick<Runtime, 'ledger'>,
  filter: VideoFilter = {},
): AsyncGenerator<readonly WatchedVideo[]> {
  const matches = matcherOf(filter);
  for await (const videos of ledger.videos.list.all(filter.campaign)) {
    const found = videos.filter(matches);
    if (found.length > 0) yield found;
  }
}

/** May be empty with a next one. @param page `after`: number of the last video examined, 0 for none. `limit`: to examine. */
export async function listVideoPage(
  { ledger }: Pick<Runtime, 'ledger'>,
  { after, limit, ...filter }: VideoFilter & { readonly after: number; readonly limit: number },
): Promise<VideoPage> {
  const { videos, last } = await ledger.videos.list.page(filter.campaign, after, limit);
  return { videos: videos.filter(matcherOf(filter)), last };
}

/** Removes a video with its history. @returns its URL. @throws {UseCaseError} `video_not_found`. */
export async function removeVideo(runtime: Pick<Runtime, 'ledger'>, given: string): Promise<string> {
  const { id, facts } = await findVideo(runtime, given);
  await runtime.ledger.videos.list.remove(id);
  return facts.url;
}

/** A video of the watch list with its samples. @throws {UseCaseError} `video_not_found`. */
export async function showVideo(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
): Promise<VideoCommandDocument<'videos show'>> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const oldest = Math.floor((now() - settings.videos.retention) / 1000);
  const [samples = []] = await ledger.videos.history.samples([video], oldest);
  return {
    ...describeVideo(video, settings.videos.gone.after),
    history: samples
      .filter(({ at }) => at >= oldest)
      .map(({ at, counts, flags }) => ({
        sampled_at: fromSeconds(at) ?? '',
        ...nameCounts(counts),
        caption: captionAt(video, at),
        flags,
      })),
  };
}

export interface ComparedSample {
  /** Unix epoch, seconds. */
  readonly at: number;
  readonly counts: Counts;
  /** How much each counter fell since the previous sample; undefined if it did not. */
  readonly fell: Counts;
  readonly isFirst: boolean;
  readonly hasNewCaption: boolean;
}

export interface SpanOfVideo {
  readonly video: VideoDocument;
  readonly days: SpanDays;
  /** Samples of the span, oldest first. */
  readonly samples: readonly ComparedSample[];
  readonly before: ComparedSample | undefined;
  readonly growth: Growth['growth'];
  readonly yesterday: Counts;
}

/** @throws {UseCaseError} `video_not_found`. */
export async function showSpanOfVideo(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  given: string,
  { span, zone }: { readonly span: number; readonly zone: string },
): Promise<SpanOfVideo> {
  const { ledger, settings, now } = runtime;
  const video = await findVideo(runtime, given);
  const days = daysOf(span, zone, now());
  const stretch = stretchOf(days);
  const [found = []] = await ledger.videos.history.samples([video], stretch.before - 1);
  const samples = compare(video, found);
  const start = days.starts[0] ?? 0;
  return {
    video: describeVideo(video, settings.videos.gone.after),
    days,
    samples: samples.filter(({ at }) => at >= start),
    before: samples.findLast(({ at }) => at < start),
    growth: growthIn(found, stretch, video.meta.releasedAt).growth,
    yesterday: keptFigures(video).growths[0] ?? [],
  };
}

function compare(video: WatchedVideo, samples: readonly Sample[]): readonly ComparedSample[] {
  const known: (number | undefined)[] = [];
  const isWhole = samples.length >= video.samples;
  let before: string | undefined;
  return samples.map(({ at, counts }, index) => {
    const fell = counts.map((count, counter) => {
      const last = known[counter];
      known[counter] = count ?? last;
      return count !== undefined && last !== undefined && count < last ? last - count : undefined;
    });
    const caption = captionAt(video, at);
    const hasNewCaption = before !== undefined && before !== caption;
    before = caption;
    return { at, counts, fell, isFirst: isWhole && index === 0, hasNewCaption };
  });
}

/** The cover of a video, which is fetched once. @param url as the service named it. @returns undefined if it has named none. */
export function coverOf(id: string, url: string | null | undefined): Depicted | undefined {
  if (!url || !isUrl(url)) return undefined;
  // The service signs its URL anew at each look-up.
  return { source: url, root: '', owner: 'videos-covers', isVideo: false, copyOf: id };
}

/** Finds the cover of a video. @throws {UseCaseError} `video_not_found`, `media_not_shown`. */
export async function findCover(runtime: Pick<Runtime, 'ledger'>, id: string): Promise<Depicted> {
  const { meta } = await findVideo(runtime, id);
  const cover = coverOf(id, meta.coverUrl);
  if (cover === undefined) throw new UseCaseError('media_not_shown', 'the video has no cover');
  return cover;
}
