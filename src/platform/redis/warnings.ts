/**
 * Warnings that do not repeat: when something stops working, one at once, one a minute with a count while it lasts, and one when it works
 * again; and others once a day, because short commands would repeat them at every start.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicallySync } from '../files/write-file.ts';

const remindMs = 60_000;
/** Success for this long ends an outage, because one of many connections may succeed before the others. */
const steadyMs = 1000;
/** The same for an outage that comes back soon: one that comes and goes must not fill the log. */
const longSteadyMs = 30_000;
const soonMs = 60_000;

interface OutageTexts {
  /** Text of each reminder, such as `Redis still takes no writes`. */
  readonly lasts: string;
  /** Text of its end, such as `Redis takes writes again`. */
  readonly over: string;
  /** Whether its end may be reported now: during another outage it is not known. Default: always. */
  readonly mayEnd?: () => boolean;
}

export class Outage {
  readonly #warn: (message: string) => void;
  readonly #texts: OutageTexts;
  readonly #overAfterMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When it began, as `performance.now()`; undefined while all is well. */
  #since: number | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #warnedAt = 0;
  #failures = 0;
  /** There was a success since the last failure. */
  #isRecovering = false;
  /** When that was, as `performance.now()`. */
  #recoveredAt = 0;

  /** @param overAfterMs ends an outage without a failure for this long. Default: only `recovered` ends it. */
  constructor(warn: (message: string) => void, texts: OutageTexts, overAfterMs?: number) {
    this.#warn = warn;
    this.#texts = texts;
    this.#overAfterMs = overAfterMs;
  }

  get lasts(): boolean {
    return this.#since !== undefined && !this.#isRecovering;
  }

  /** Reports one failure. @param message the warning when this is the first. */
  strike(message: string): void {
    const now = performance.now();
    if (this.#since === undefined) {
      this.#since = this.#warnedAt = now;
      this.#failures = 0;
      this.#warn(message);
    }
    this.#failures += 1;
    if (now - this.#warnedAt >= remindMs) {
      this.#warnedAt = now;
      this.#warn(`${this.#texts.lasts} (${this.#soFar(now)})`);
    }
    clearTimeout(this.#timer);
    this.#isRecovering = false;
    if (this.#overAfterMs !== undefined) this.#endAfter(this.#overAfterMs);
  }

  /** Reports a success: the outage ends unless it strikes again soon. */
  recovered(): void {
    if (this.#since === undefined || this.#isRecovering) return;
    this.#isRecovering = true;
    this.#recoveredAt = performance.now();
    clearTimeout(this.#timer);
    this.#endAfter(this.#since - this.#endedAt < soonMs ? longSteadyMs : steadyMs);
  }

  /** Ends without a message. */
  close(): void {
    clearTimeout(this.#timer);
    this.#since = undefined;
    this.#isRecovering = false;
  }

  #endAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      if (this.#texts.mayEnd?.() === false) return this.#endAfter(steadyMs);
      this.#endedAt = performance.now();
      // The wait that shows it is not a part of the outage.
      this.#warn(
        `${this.#texts.over} (${this.#soFar(this.#isRecovering ? this.#recoveredAt : this.#endedAt)})`,
      );
      this.close();
    }, ms).unref();
  }

  #soFar(now: number): string {
    const seconds = Math.round((now - (this.#since ?? now)) / 1000);
    const long = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    return `${this.#failures} ${this.#failures === 1 ? 'failure' : 'failures'} in ${long}`;
  }
}

const dayMs = 86_400_000;

/** @param dataDir remembers the time of the last warning; if it cannot be written, warns each time. @param about which warning. */
export function onceADay(
  dataDir: string,
  warn: (message: string) => void,
  about = 'age',
): (message: string) => void {
  const marker = join(dataDir, `redis-${about}-warning`);
  return (message) => {
    try {
      const { mtimeMs = 0 } = lstatSync(marker, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs < dayMs) return;
      writeAtomicallySync(marker, `${message}\n`);
    } catch {
      // The warning is shown again next time.
    }
    warn(message);
  };
}
