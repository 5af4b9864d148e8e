/** Looks up the videos of a part one by one. Each is written or left for later, or there is a reason to stop the scrape. */
import type { SemaphoreInterface } from 'async-mutex';
import type { Scrape, StopReason } from '../../ledger/videos/scrapes.ts';
import type { VideoGone, WatchedVideo } from '../../ledger/videos/video.ts';
import type { PartPayload } from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { backoffMs } from '../runner/retry-policy.ts';
import { type Answer, ask, lookUpOperation } from './look-up.ts';

interface Later {
  readonly id: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** Whether an attempt of the video is used up. */
  readonly hasFailed: boolean;
}

export interface LookUpOptions {
  readonly scrape: Scrape;
  /** Limits the look-ups of the process at once. First in, first out: the part that came first is looked up first. */
  readonly slots: SemaphoreInterface;
  /** Aborted if no further look-up may begin. Those under way end with the connections of the client. */
  readonly signal: AbortSignal | undefined;
  /** Failed attempts in this scrape, by video. */
  readonly failures: PartPayload['failures'];
}

/** Longest pause of the job before it checks again for a permit, because the rate limit may be raised. Milliseconds. */
const longestPauseMs = 30_000;

export class LookUps {
  readonly #context: ProcessorContext;
  readonly #options: LookUpOptions;
  /** No more calls before this time, because the rate limit is reached or the service asked for a pause. */
  #pausedUntil: number | undefined;
  stopReason: StopReason | undefined;
  /** The first error of Redis. */
  #error: unknown;

  constructor(context: ProcessorContext, options: LookUpOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @returns the videos that are left. @throws errors of Redis, once no look-up is under way. */
  async run(videos: readonly WatchedVideo[]): Promise<readonly Later[]> {
    const { failures } = this.#options;
    const now = this.#context.now();
    const left: Later[] = [];
    const due: WatchedVideo[] = [];
    for (const video of videos) {
      const { id } = video;
      const at = failures[id]?.next ?? 0;
      if (at > now) left.push({ id, at, hasFailed: false });
      else due.push(video);
    }
    const results = await Promise.all(due.map((video) => this.#one(video)));
    if (this.#error !== undefined) throw this.#error;
    // If the scrape was stopped, its job does not run again.
    const at = this.#pausedUntil ?? 0;
    for (const [index, { id }] of due.entries()) {
      const later = results[index];
      if (later === 'not begun') left.push({ id, at, hasFailed: false });
      else if (later) left.push(later);
    }
    return left;
  }

  get #hasToEnd(): boolean {
    return (
      this.#pausedUntil !== undefined ||
      this.stopReason !== undefined ||
      this.#error !== undefined ||
      this.#options.signal?.aborted === true
    );
  }

  /** Looks one video up, once a slot is free. It never rejects: others are under way. */
  async #one(video: WatchedVideo): Promise<Later | 'not begun' | undefined> {
    try {
      const answer = await this.#options.slots.runExclusive(() =>
        this.#hasToEnd ? undefined : ask(this.#context, video),
      );
      if (answer === undefined) return 'not begun';
      this.#context.failpoint('during-scrape');
      return await this.#take(video, answer);
    } catch (error) {
      this.#error ??= error;
      return undefined;
    }
  }

  async #take(video: WatchedVideo, answer: Answer): Promise<Later | undefined> {
    const { history } = this.#context.ledger.videos;
    const { run } = this.#options.scrape;
    if (answer.kind === 'outcome') return this.#fold(video, answer.outcome);
    if (answer.kind === 'stop') this.stopReason ??= answer.reason;
    else if (answer.kind === 'read') await history.append(run, video, answer.reading);
    else await history.gone(run, video, goneAgain(video, this.#context.now()));
    return undefined;
  }

  async #fold(video: WatchedVideo, outcome: Outcome): Promise<Later | undefined> {
    switch (outcome.kind) {
      case 'snooze':
        return this.#pause(video, outcome.ms);
      case 'throttled':
        return this.#throttled(video, outcome.retryAfterMs);
      case 'not-sent':
        return this.#retryUnanswered(video, outcome.failure, false);
      case 'retry':
        if (outcome.isUnanswered) return this.#retryUnanswered(video, outcome.failure, true);
        return this.#retry(video, outcome.failure);
      case 'refused':
      case 'creator-expired':
      case 'unknown':
      case 'damaged':
        return this.#fail(video, outcome.failure);
      // Outcomes of other steps.
      case 'hold':
      case 'done':
      case 'again':
      case 'outdated':
      case 'wait-for-children':
      case 'row-ended':
        return undefined;
    }
  }

  #pause({ id }: WatchedVideo, ms: number): Later {
    const at = this.#context.now() + Math.ceil(Math.min(Math.max(ms, 10), longestPauseMs));
    this.#pausedUntil = Math.max(this.#pausedUntil ?? 0, at);
    return { id, at, hasFailed: false };
  }

  async #throttled(video: WatchedVideo, retryAfterMs: number | undefined): Promise<Later | undefined> {
    const { service, settings, now, log } = this.#context;
    const { pauseMs, forMs } = await service.rateLimits.throttled(lookUpOperation, retryAfterMs);
    log.warn({ operation: lookUpOperation, pauseMs }, 'throttled');
    const { throttledFor } = settings.retry;
    if (forMs < throttledFor || now() - this.#options.scrape.startedAt < throttledFor) {
      return this.#pause(video, pauseMs);
    }
    this.stopReason ??= {
      code: 'throttled',
      message: `Every call of ${lookUpOperation} was answered with 429 (too many requests) for ${Math.round(forMs / 60_000)} min.`,
      fix: `Ask service support which rate is allowed, then lower the rate limit of ${lookUpOperation}.`,
    };
    return undefined;
  }

  /** While the service answers no call at all, the scrape waits, which uses no attempt. */
  async #retryUnanswered(
    video: WatchedVideo,
    failure: StepFailure,
    wasSent: boolean,
  ): Promise<Later | undefined> {
    const { service, settings } = this.#context;
    if (service.reach?.covers(wasSent)) return this.#pause(video, settings.retry.cap);
    return this.#retry(video, failure);
  }

  async #retry(video: WatchedVideo, failure: StepFailure): Promise<Later | undefined> {
    const { settings, now } = this.#context;
    const failed = (this.#options.failures[video.id]?.count ?? 0) + 1;
    if (failed >= settings.retry.attempts) return this.#fail(video, failure);
    return { id: video.id, at: now() + backoffMs(failed, settings.retry), hasFailed: true };
  }

  async #fail(video: WatchedVideo, failure: StepFailure): Promise<undefined> {
    const { ledger, now } = this.#context;
    const { code, message } = failure;
    const stored = { code, message, fix: fixOf(failure), at: now() };
    await ledger.videos.history.fail(this.#options.scrape.run, video, stored);
  }
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

/** Replaces the fixes of the retry policy, which are about rows. */
function fixOf({ code, fix }: StepFailure): string | undefined {
  if (code === 'internal_error') return fix;
  if (code === 'other_video') {
    return "Check that the URL leads to the right video. If it does, ask service support. The other video's figures were not saved.";
  }
  if (/^http_4|^\d+$/.test(code)) {
    return 'Check that the URL opens in a browser. The video is updated again in the next run.';
  }
  return 'The video is updated again in the next run.';
}
