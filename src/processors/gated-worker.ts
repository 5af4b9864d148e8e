/**
 * A worker of BullMQ that pauses at once, takes no job while the clock of its machine is wrong, and uses no attempt of a job while
 * Redis refuses to write.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import { firstDelayMs, longestDelayMs, patiently } from '../platform/redis/refusal.ts';

/** Whether jobs may be taken: BullMQ computes by the clock of the machine which ones are due. */
export interface JobGate {
  readonly isOpen: boolean;
  /** Resolves when it is open, or when it never will be. */
  opened(): Promise<void>;
}

interface GatedWorkerOptions extends WorkerOptions {
  readonly gate?: JobGate;
  readonly untilWritable?: () => Promise<void>;
}

const open: JobGate = { isOpen: true, opened: async () => undefined };

/** BullMQ declares that there is a job, but takes `undefined` for none. */
const none = undefined as unknown as Job;

export class GatedWorker extends Worker {
  readonly #gate: JobGate;
  readonly #stopped = Promise.withResolvers<void>();
  /** Wait after the next failure to take a job, in milliseconds. */
  #delayMs = firstDelayMs;
  readonly #untilWritable: () => Promise<void>;

  constructor(
    name: string,
    process: ConstructorParameters<typeof Worker>[1],
    { gate = open, untilWritable = async () => undefined, ...options }: GatedWorkerOptions,
  ) {
    super(name, process, options);
    this.#gate = gate;
    this.#untilWritable = untilWritable;
  }

  /** BullMQ takes a pause for an outage and waits 100 ms, which would delay every stop. Only that wait is called without a length. */
  override async delay(...[milliseconds, controller]: Parameters<Worker['delay']>): Promise<void> {
    if (milliseconds === undefined && this.isPaused()) return;
    await super.delay(milliseconds, controller);
  }

  /**
   * Waits for the gate. A pause of BullMQ would not do: its own pause, at a stop, would then not wait for running jobs. After an error
   * of Redis, BullMQ would ask again at once, thousands of times a second.
   */
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    if (!this.#gate.isOpen) await Promise.race([this.#gate.opened(), this.#stopped.promise]);
    if (this.isPaused() || this.closing) return none;
    try {
      const job = await this.#patiently(() => super.moveToActive(token, name));
      this.#delayMs = firstDelayMs;
      return job;
    } catch (error) {
      await Promise.race([delay(this.#delayMs, undefined, { ref: false }), this.#stopped.promise]);
      this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
      throw error;
    }
  }

  /** The command that ends a job also takes the next one. */
  override processJob(
    job: Job,
    token: string,
    fetchNext: () => boolean = () => true,
  ): ReturnType<Worker['processJob']> {
    return super.processJob(job, token, () => this.#gate.isOpen && fetchNext());
  }

  /** BullMQ would take the job for failed. */
  protected override handleCompleted(...args: Parameters<Worker['handleCompleted']>) {
    return this.#patiently(() => super.handleCompleted(...args));
  }

  /** BullMQ would leave the job as it is, without a lock. */
  protected override handleFailed(...args: Parameters<Worker['handleFailed']>) {
    return this.#patiently(() => super.handleFailed(...args));
  }

  /** Repeats a write while Redis refuses it, until this worker is to stop. */
  #patiently<T>(write: () => Promise<T>): Promise<T> {
    const wait = () => Promise.race([this.#untilWritable(), this.#stopped.promise]);
    return patiently(write, wait, () => !this.isPaused() && !this.closing);
  }

  /** Pauses for good. BullMQ would open the connection on which it waits for jobs again, only to close it. */
  override async pause(doNotWaitActive?: boolean): Promise<void> {
    this.#stopped.resolve();
    this.backend.reconnectBlocking = async () => undefined;
    await super.pause(doNotWaitActive);
  }

  override async close(force?: boolean): Promise<void> {
    this.#stopped.resolve();
    // Without Redis it never ends, and the timer of its locks would keep the process.
    if (force) void this.lockManager.close();
    await super.close(force);
  }

  /** A job that its processor just moved has no lock either, until BullMQ hears of the move: nothing was lost then. */
  override async extendJobLocks(...args: Parameters<Worker['extendJobLocks']>): Promise<string[]> {
    const lost = await super.extendJobLocks(...args);
    await nextTurn();
    const running = new Set(this.lockManager.getTrackedJobIds());
    return lost.filter((id) => running.has(id));
  }
}
