import type { VideoReading } from '../../ledger/videos/history.ts';
import type { StopReason } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import { showValue } from '../../manifest/problems/problem.ts';
import type { PublicVideoData } from '../../service/contract/posts.ts';
import { GoneError, KeyRefusedError } from '../../service/errors.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';
import { takePermit } from '../runner/service.ts';

export const lookUpOperation = 'fetchPublicVideoData';

const keyFix =
  'Ask an operator for an API key with permission for this operation, then update the videos again.';

/** The service's answer, before anything is written. */
export type Answer =
  | { readonly kind: 'read'; readonly reading: VideoReading }
  | { readonly kind: 'gone' }
  /** No video can be looked up. */
  | { readonly kind: 'stop'; readonly reason: StopReason }
  /** No figures; the outcome is that of the retry policy, as for any read. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome };

/** Asks the service once about a video. @throws errors of Redis. */
export async function ask(context: ProcessorContext, video: WatchedVideo): Promise<Answer> {
  const { service } = context;
  try {
    if (!service.rateLimits.takeNow(lookUpOperation)) await takePermit(service, lookUpOperation);
    const data = await service.client.videos.fetch(video.facts.url);
    const failure = findFault(video, data);
    if (failure) return { kind: 'outcome', outcome: { kind: 'refused', failure } };
    return { kind: 'read', reading: readingOf(data, context.now()) };
  } catch (error) {
    if (error instanceof GoneError) return { kind: 'gone' };
    if (error instanceof KeyRefusedError) {
      return { kind: 'stop', reason: { code: error.code, message: error.message, fix: keyFix } };
    }
    const outcome = outcomeOf(error, idempotent);
    if (outcome === undefined) throw error;
    return { kind: 'outcome', outcome };
  }
}

/** Why an answer is not counted: the last figures stay. */
function findFault(video: WatchedVideo, data: PublicVideoData): StepFailure | undefined {
  if (isOfAnother(video, data)) {
    const { videoId = 'unknown', uniqueId = 'unknown' } = data;
    const message = `The answer is about another video (id ${showValue(videoId)}, author ${showValue(uniqueId)}).`;
    return { code: 'other_video', message };
  }
  if (data.playCount !== undefined) return undefined;
  return { code: 'no_views', message: 'The answer has no number of views.' };
}

/** The id counts, because an author may change name. At first, only the URL shows whose video it is. */
function isOfAnother(
  { facts: { url }, meta }: WatchedVideo,
  { videoId, uniqueId }: PublicVideoData,
): boolean {
  if (meta.videoId !== undefined && videoId !== undefined) return cut(videoId, longest.id) !== meta.videoId;
  const author = meta.author ?? /\/@([\w.-]{1,100})(?:[/?]|$)/.exec(url)?.[1];
  if (author === undefined || uniqueId === undefined) return false;
  const isNamedByUrl = videoId !== undefined && videoId !== '' && url.includes(videoId);
  return !isNamedByUrl && cut(uniqueId, longest.id)?.replace(/^@/, '').toLowerCase() !== author.toLowerCase();
}

/** Longest texts kept from the service. UTF-16 units. */
const longest = { id: 200, caption: 8000, url: 4000 } as const;
/** Larger numbers are milliseconds: as seconds, they would be beyond the year 5000. */
const mostSeconds = 1e11;

function readingOf(data: PublicVideoData, now: number): VideoReading {
  const { releaseAt = 0 } = data;
  const released = Math.floor(releaseAt >= mostSeconds ? releaseAt / 1000 : releaseAt);
  return {
    at: Math.floor(now / 1000),
    figures: [data.playCount, data.diggCount, data.commentCount, data.shareCount, data.collectCount],
    meta: {
      videoId: cut(data.videoId, longest.id),
      author: cut(data.uniqueId, longest.id),
      coverUrl: cut(data.coverUrl, longest.url),
      caption: cut(data.videoDesc, longest.caption),
      releasedAt: releaseAt > 0 ? released : undefined,
    },
  };
}

function cut(text: string | undefined, most: number): string | undefined {
  return (text !== undefined && text.length > most ? text.slice(0, most) : text)?.toWellFormed();
}
