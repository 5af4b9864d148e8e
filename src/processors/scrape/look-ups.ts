/** Looks up the videos of a part one by one. Each is written or left for later, or there is a reason to stop the scrape. */
import type { Scrape, StopReason } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { PartPayload } from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { backoffMs } from '../runner/retry-policy.ts';
import { type Answer, ask, lookUpOperation, writeMiss } from './look-up.ts';
import { LookWriter, type ReadVideo } from './look-writer.ts';

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot. @returns undefined if one is free, else a promise to wait for. Slots are given in order. */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return undefined;
  }

  /** Gives a slot back. */
  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** A video that is left for later. */
export interface Later {
  readonly id: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** Whether an attempt of the video is used up. */
  readonly hasFailed: boolean;
}

export interface LookUpOptions {
  readonly scrape: Scrape;
  readonly slots: Slots;
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
  /** Why the scrape cannot go on. */
  stopReason: StopReason | undefined;

  constructor(context: ProcessorContext, options: LookUpOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @returns the videos that are left. */
  async run(videos: readonly ReadVideo[]): Promise<readonly Later[]> {
    const writer = new LookWriter(this.#context, this.#options.scrape.run);
    const left = await Promise.all(videos.map((read) => this.#one(read, writer)));
    await writer.finish();
    return left.filter((later) => later !== undefined);
  }

  async #one(read: ReadVideo, writer: LookWriter): Promise<Later | undefined> {
    const { video } = read;
    const next = this.#options.failures[video.id]?.next ?? 0;
    if (next > this.#context.now()) return { id: video.id, at: next, hasFailed: false };
    const answer = await this.#ask(video);
    // The scrape was stopped, so its job does not run again.
    if (answer === undefined) return { id: video.id, at: this.#pausedUntil ?? 0, hasFailed: false };
    this.#context.failpoint('during-scrape');
    if (answer.kind === 'stop') {
      this.stopReason ??= answer.reason;
      return undefined;
    }
    if (answer.kind === 'outcome') return this.#fold(video, answer.outcome);
    if (answer.kind === 'look') writer.add(read, answer.look);
    else await writeMiss(this.#context, this.#options.scrape.run, video, 'gone');
    return undefined;
  }

  async #ask(video: WatchedVideo): Promise<Answer | undefined> {
    const { slots, signal } = this.#options;
    const waiting = slots.take();
    if (waiting) await waiting;
    try {
      if (this.#pausedUntil !== undefined || this.stopReason) return undefined;
      return await ask(this.#context, video, signal);
    } finally {
      slots.free();
    }
  }

  async #fold(video: WatchedVideo, outcome: Outcome): Promise<Later | undefined> {
    switch (outcome.kind) {
      case 'snooze':
        return this.#pause(video, outcome.ms);
      case 'throttled':
        return this.#throttled(video, outcome.retryAfterMs);
      case 'not-sent':
      case 'retry':
        return this.#retry(video, outcome.failure);
      case 'refused':
      case 'creator-expired':
      case 'unknown':
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
    const { accounts, settings, now, log } = this.#context;
    const account = accounts.find(video.facts.account);
    if (!account) return this.#pause(video, longestPauseMs);
    const { pauseMs, forMs } = await account.rateLimits.throttled(lookUpOperation, retryAfterMs);
    log.warn({ operation: lookUpOperation, pauseMs }, 'throttled');
    const { throttledFor } = settings.retry;
    if (forMs < throttledFor || now() - this.#options.scrape.startedAt < throttledFor) {
      return this.#pause(video, pauseMs);
    }
    this.stopReason ??= {
      code: 'throttled',
      message: `Every call of ${lookUpOperation} was answered with 429 (too many requests) for ${Math.round(forMs / 60_000)} min.`,
      cure: `Ask service support which rate is allowed, then lower the rate limit of ${lookUpOperation}.`,
    };
    return undefined;
  }

  async #retry(video: WatchedVideo, failure: StepFailure): Promise<Later | undefined> {
    const { settings, now } = this.#context;
    const failed = (this.#options.failures[video.id]?.count ?? 0) + 1;
    if (failed >= settings.retry.attempts) return this.#fail(video, failure);
    return { id: video.id, at: now() + backoffMs(failed, settings.retry), hasFailed: true };
  }

  async #fail(video: WatchedVideo, failure: StepFailure): Promise<undefined> {
    await writeMiss(this.#context, this.#options.scrape.run, video, { ...failure, cure: cureOf(failure) });
  }
}

/** Replaces the cures of the retry policy, which are about rows. */
function cureOf({ code, cure }: StepFailure): string | undefined {
  if (code === 'account_unknown' || code === 'internal_error') return cure;
  if (/^http_4|^\d+$/.test(code)) {
    return 'Check that the URL opens in a browser. The video is updated again in the next run.';
  }
  return 'The video is updated again in the next run.';
}
