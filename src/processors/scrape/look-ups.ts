/** Looks up the videos of a part one by one. Each is written or left for later, or there is a reason to stop the scrape. */
import type { Scrape, StopReason } from '../../ledger/videos/scrapes.ts';
import type { WatchedVideo } from '../../ledger/videos/video.ts';
import type { PartPayload } from '../../queues/scrape.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { Outcome, StepFailure } from '../runner/outcome.ts';
import { backoffMs } from '../runner/retry-policy.ts';
import { type Answer, ask, lookUpOperation, writeMiss } from './look-up.ts';
import { LookWriter, type ReadVideo } from './look-writer.ts';

/**
 * Shares the concurrent look-ups of a process among its parts. The part that came first is served first: so parts end one after
 * another, and while one ends, the next ones look up.
 */
export class Slots {
  #free: number;
  readonly #parts: (() => boolean)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** @param begin begins the next look-up of a part, which frees its slot later; false if the part has none left. */
  serve(begin: () => boolean): void {
    this.#parts.push(begin);
    this.#fill();
  }

  /** Gives a slot back. */
  free(): void {
    this.#free += 1;
    this.#fill();
  }

  #fill(): void {
    for (let [begin] = this.#parts; begin && this.#free > 0; [begin] = this.#parts) {
      if (begin()) this.#free -= 1;
      else this.#parts.shift();
    }
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
  /** Why the scrape cannot go on. */
  stopReason: StopReason | undefined;
  /** The first error of Redis. */
  #error: unknown;

  constructor(context: ProcessorContext, options: LookUpOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @returns the videos that are left. @throws errors of Redis, once no look-up is under way. */
  async run(videos: readonly ReadVideo[]): Promise<readonly Later[]> {
    const { failures, scrape, slots } = this.#options;
    const now = this.#context.now();
    const left: Later[] = [];
    const due: ReadVideo[] = [];
    for (const read of videos) {
      const { id } = read.video;
      const at = failures[id]?.next ?? 0;
      if (at > now) left.push({ id, at, hasFailed: false });
      else due.push(read);
    }
    const writer = new LookWriter(this.#context, scrape.run);
    const begun: Promise<Later | undefined>[] = [];
    await new Promise<void>((resolve) => {
      slots.serve(() => {
        const read = this.#hasToEnd ? undefined : due[begun.length];
        if (read) begun.push(this.#one(read, writer));
        else resolve();
        return read !== undefined;
      });
    });
    for (const later of await Promise.all(begun)) if (later) left.push(later);
    await writer.finish();
    if (this.#error !== undefined) throw this.#error;
    // If the scrape was stopped, its job does not run again.
    const at = this.#pausedUntil ?? 0;
    for (const { video } of due.slice(begun.length)) left.push({ id: video.id, at, hasFailed: false });
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

  /** Looks one video up, in a slot that it gives back. It never rejects: others are under way. */
  async #one(read: ReadVideo, writer: LookWriter): Promise<Later | undefined> {
    try {
      const answer = await this.#ask(read.video);
      this.#context.failpoint('during-scrape');
      if (answer.kind === 'look') {
        writer.add(read, answer.look);
        return undefined;
      }
      return await this.#withoutLook(read.video, answer);
    } catch (error) {
      this.#error ??= error;
      return undefined;
    }
  }

  async #ask(video: WatchedVideo): Promise<Answer> {
    try {
      return await ask(this.#context, video);
    } finally {
      this.#options.slots.free();
    }
  }

  async #withoutLook(
    video: WatchedVideo,
    answer: Exclude<Answer, { readonly kind: 'look' }>,
  ): Promise<Later | undefined> {
    if (answer.kind === 'outcome') return this.#fold(video, answer.outcome);
    if (answer.kind === 'stop') this.stopReason ??= answer.reason;
    else await writeMiss(this.#context, this.#options.scrape.run, video, 'gone');
    return undefined;
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
