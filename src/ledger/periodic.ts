/** When the periodic jobs ran last, by the clock of Redis: every process can tell whether one of them is missing. */
import { LedgerPart } from './part.ts';

/** The last run of a periodic job. */
export interface PeriodicRun {
  /** When it began, by the clock of Redis: Unix epoch, milliseconds. */
  readonly at: number;
  /** Its period, in milliseconds. */
  readonly everyMs: number;
}

/**
 * How long after its last run a periodic job is missing: three periods, in milliseconds.
 * @param leastMs for short periods: a busy worker may be late by as much.
 */
export function missingAfterMs(everyMs: number, leastMs = 10_000): number {
  return Math.max(3 * everyMs, leastMs);
}

const stored = /^(?<at>\d{1,15}) (?<every>\d{1,12})$/;

/** @param text as `begin-run.lua` stores it. @returns undefined for anything else. */
export function readRun(text: unknown): PeriodicRun | undefined {
  const { at, every } = stored.exec(String(text))?.groups ?? {};
  return at === undefined || every === undefined ? undefined : { at: Number(at), everyMs: Number(every) };
}

export class PeriodicRuns extends LedgerPart {
  /** Records that a job begins. */
  async begin(name: string, everyMs: number): Promise<void> {
    await this.run('begin-run', [name, everyMs]);
  }

  /** The last run of each job, in the same order, and the time of Redis. */
  async last(
    names: readonly string[],
  ): Promise<{ readonly now: number; readonly runs: readonly (PeriodicRun | undefined)[] }> {
    const [[seconds, micros], found] = await Promise.all([
      this.redis.time(),
      this.redis.hmget(this.keys.periodic, ...names),
    ]);
    return { now: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000), runs: found.map(readRun) };
  }

  /** @returns whether this process is the first to ask within `everyMs`, so that only one repairs a schedule. */
  async claimRepair(name: string, everyMs: number): Promise<boolean> {
    return (await this.redis.set(this.keys.periodicRepair(name), '1', 'PX', everyMs, 'NX')) === 'OK';
  }
}
