/** Keeps the locks of running jobs. */
import { LockManager } from 'bullmq';

/**
 * BullMQ renews a lock when it is old by the clock of the machine. If that clock is put back, by an hour or by seconds, it renews
 * nothing for as long, and other workers take the running jobs over. Timers do not depend on that clock.
 */
export class SteadyLocks extends LockManager {
  override start(): void {
    clearTimeout(this.lockRenewalTimer);
    if (this.closed) return;
    // A worker that was stopped without Redis is never closed: its locks must not keep the process.
    this.lockRenewalTimer = setTimeout(() => void this.#renew(), this.opts.lockRenewTime).unref();
  }

  async #renew(): Promise<void> {
    const jobs = this.getTrackedJobIds();
    // Errors are emitted by the worker.
    if (jobs.length > 0) await this.extendLocks(jobs);
    this.start();
  }
}
