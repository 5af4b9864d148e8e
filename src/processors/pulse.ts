/**
 * The heartbeats of the workers of one process.
 *
 * Duties: 1. announce the process to others; 2. learn the time of Redis, and keep the workers from jobs while the clock of this machine
 * is wrong; 3. notice periodic jobs that are missing; 4. notice a newer format of the ledger.
 */
import type { Announcement, Heartbeat } from '../ledger/presence.ts';
import type { RedisClock } from '../redis/clock.ts';
import type { PeriodicWatch } from './periodic-jobs.ts';
import type { JobGate } from './prompt-worker.ts';
import type { ProcessorContext } from './runner/context.ts';

export interface PulseOptions {
  readonly announcement: Announcement;
  /** Undefined: the clock of this machine is not checked. */
  readonly clock: RedisClock | undefined;
  readonly periodic: PeriodicWatch;
  readonly log: ProcessorContext['log'];
  readonly everyMs: number;
  /** Number of running jobs. */
  readonly atWork: () => number;
  /** Receives the format of the ledger at each heartbeat. */
  readonly onFormat: (format: number) => void;
}

export class Pulse implements JobGate {
  readonly #options: PulseOptions;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> | undefined;
  #asking: Promise<void> | undefined;
  /** Exists while the clock of this machine is wrong. */
  #held: PromiseWithResolvers<void> | undefined;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Sends the first heartbeat, and further ones until it stops. */
  async start(): Promise<void> {
    await this.beat();
    // A missed heartbeat needs no handling: without Redis, this worker gets no jobs either.
    this.#timer = setInterval(() => {
      this.#last = this.beat().catch(() => undefined);
    }, this.#options.everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#held?.resolve();
    await this.#last;
    await this.#options.announcement.withdraw();
  }

  get isOpen(): boolean {
    return this.#held === undefined && this.#options.clock?.isSure !== false;
  }

  /** Asks Redis for its time if the clock has jumped, and waits while it is wrong. */
  async opened(): Promise<void> {
    if (this.#held === undefined) {
      this.#asking ??= this.beat()
        .catch(() => undefined)
        .finally(() => {
          this.#asking = undefined;
        });
      await this.#asking;
    }
    await this.#held?.promise;
  }

  /** How far the clock of this machine is ahead of Redis (negative: behind), in milliseconds; undefined while it is right. */
  get clockAheadMs(): number | undefined {
    const { clock } = this.#options;
    return this.#held === undefined || !clock ? undefined : Math.round(clock.aheadMs);
  }

  /** Sends a heartbeat. */
  async beat(): Promise<void> {
    const { clock, periodic, onFormat } = this.#options;
    const wasHeld = this.#held !== undefined;
    let answer: Heartbeat;
    try {
      answer = await this.#ask();
      // Of before the machine was suspended, perhaps: the steady clock stands still meanwhile.
      if (clock?.isTolerable === false && !wasHeld) answer = await this.#ask();
    } finally {
      this.#judge();
    }
    const isHeld = this.#held !== undefined;
    // Others learn of the change at once.
    if (isHeld !== wasHeld) await this.#ask();
    onFormat(answer.format);
    if (!isHeld) await periodic.look(answer.time.at, answer.runs);
  }

  async #ask(): Promise<Heartbeat> {
    const { announcement, clock, periodic, atWork } = this.#options;
    const ahead = this.clockAheadMs;
    const state = { atWork: atWork(), ...(ahead !== undefined && { clockAheadMs: ahead }) };
    const answer = await announcement.beat(state, periodic.names);
    clock?.learn(answer.time);
    return answer;
  }

  #judge(): void {
    const { clock, log } = this.#options;
    if (!clock) return;
    const facts = { clockAheadMs: Math.round(clock.aheadMs) };
    if (clock.isTolerable) {
      if (this.#held !== undefined) log.warn(facts, 'takes jobs again: the clock of this machine is right');
      this.#held?.resolve();
      this.#held = undefined;
    } else if (this.#held === undefined) {
      this.#held = Promise.withResolvers();
      const cure =
        'Correct the clock, for example with NTP. Running jobs finish, and other workers take the others.';
      log.error({ ...facts, cure }, 'takes no jobs: the clock of this machine is far from that of Redis');
    }
  }
}
