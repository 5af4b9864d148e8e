/** A worker of BullMQ that pauses at once, and uses no attempt of a job while Redis refuses to write. */
import { Worker } from 'bullmq';
import { refusalCode } from '../redis/refusal.ts';

export class PromptWorker extends Worker {
  readonly #pausing = Promise.withResolvers<void>();
  /** Waits while Redis refuses to write. */
  untilWritable: () => Promise<void> = async () => undefined;

  /**
   * A pause cuts the connection on which a worker waits for jobs. BullMQ treats that as an outage and waits 100 ms, which would
   * delay every stop. Only that wait is called without a length.
   */
  override async delay(...[milliseconds, controller]: Parameters<Worker['delay']>): Promise<void> {
    if (milliseconds === undefined && this.isPaused()) return;
    await super.delay(milliseconds, controller);
  }

  override async pause(doNotWaitActive?: boolean): Promise<void> {
    this.#pausing.resolve();
    await super.pause(doNotWaitActive);
  }

  /** BullMQ would ask again at once, thousands of times a second. */
  protected override moveToActive(...args: Parameters<Worker['moveToActive']>) {
    return this.#patiently(() => super.moveToActive(...args));
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
  async #patiently<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (refusalCode(error) === undefined || this.isPaused() || this.closing) throw error;
      }
      await Promise.race([this.untilWritable(), this.#pausing.promise]);
    }
  }
}
