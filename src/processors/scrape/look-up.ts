/** Looks up one video, and records look-ups without figures. */
import type { PublicVideoData } from '../../api/contract/videos.ts';
import { GoneError, KeyRefusedError } from '../../api/errors.ts';
import type { Written } from '../../ledger/videos/history.ts';
import type { Look } from '../../ledger/videos/next-sample.ts';
import type { StopReason } from '../../ledger/videos/scrapes.ts';
import type { VideoGone, WatchedVideo } from '../../ledger/videos/video.ts';
import { takePermit } from '../runner/accounts.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { idempotent, outcomeOf } from '../runner/retry-policy.ts';

export const lookUpOperation = 'fetchPublicVideoData';

const keyCure =
  'Ask an operator for an API key with permission for this operation, then update the videos again.';

/** The service's answer, before anything is written. */
export type Answer =
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'gone' }
  /** No video can be looked up. */
  | { readonly kind: 'stop'; readonly reason: StopReason }
  /** No figures; the outcome is that of the retry policy, as for any read. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome };

/** Asks the service once about a video. @throws errors of Redis. */
export async function ask(context: ProcessorContext, { facts }: WatchedVideo): Promise<Answer> {
  const account = context.accounts.find(facts.account);
  if (!account) {
    const message = `The account ${facts.account} of this video is not in the settings.`;
    const failure = {
      code: 'account_unknown',
      message,
      cure: 'Ask an operator to add the account to the settings.',
    };
    // Another process may know it.
    return { kind: 'outcome', outcome: { kind: 'retry', failure, exhausted: 'failed' } };
  }
  try {
    if (!account.rateLimits.takeNow(lookUpOperation)) await takePermit(account, lookUpOperation);
    const data = await account.client.videos.fetch(facts.url);
    return { kind: 'look', look: lookOf(data, context.now()) };
  } catch (error) {
    if (error instanceof GoneError) return { kind: 'gone' };
    if (error instanceof KeyRefusedError) {
      return { kind: 'stop', reason: { code: error.code, message: error.message, cure: keyCure } };
    }
    const outcome = outcomeOf(error, idempotent);
    if (outcome === undefined) throw error;
    return { kind: 'outcome', outcome };
  }
}

/** Longest texts kept from the service. UTF-16 units. */
const longest = { id: 200, caption: 8000, url: 4000 } as const;
/** Larger numbers are milliseconds: as seconds, they would be beyond the year 5000. */
const mostSeconds = 1e11;

function lookOf(data: PublicVideoData, now: number): Look {
  const { releaseAt = 0 } = data;
  const released = Math.floor(releaseAt >= mostSeconds ? releaseAt / 1000 : releaseAt);
  return {
    at: Math.floor(now / 1000),
    counts: [data.playCount, data.diggCount, data.commentCount, data.shareCount, data.collectCount],
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

const dayMs = 86_400_000;
/** Nights are not exactly a day apart. */
const toleranceMs = dayMs / 2;

/** A gone video is looked up again after a day, then after two, four, ... */
function goneAgain({ gone }: WatchedVideo, now: number): VideoGone {
  const answers = (gone?.answers ?? 0) + 1;
  const pauseMs = 2 ** Math.min(answers - 1, 10) * dayMs - toleranceMs;
  return { answers, since: gone?.since ?? now, askAgainAt: now + pauseMs };
}

/** Most attempts to write a miss while the video changes. */
const mostTries = 20;

/** Records a look-up without figures. */
export async function writeMiss(
  { ledger: { videos }, now }: ProcessorContext,
  run: number,
  given: WatchedVideo,
  miss: StepFailure | 'gone',
): Promise<Written> {
  let video = given;
  for (let tries = 0; ; tries += 1) {
    const written =
      miss === 'gone'
        ? await videos.history.gone(run, video, goneAgain(video, now()))
        : await videos.history.fail(run, video, {
            code: miss.code,
            message: miss.message,
            cure: miss.cure,
            at: now(),
          });
    if (written !== 'changed' || tries === mostTries) return written;
    const [again] = await videos.list.read([video.id]);
    if (!again) return 'removed';
    video = again;
  }
}
