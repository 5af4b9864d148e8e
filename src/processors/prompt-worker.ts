/** A worker of BullMQ that pauses at once. */
import { Worker } from 'bullmq';

export class PromptWorker extends Worker {
  /**
   * A pause cuts the connection on which a worker waits for jobs. BullMQ treats that as an outage and waits 100 ms, which would
   * delay every stop. Only that wait is called without a length.
   */
  override async delay(...[milliseconds, controller]: Parameters<Worker['delay']>): Promise<void> {
    if (milliseconds === undefined && this.isPaused()) return;
    await super.delay(milliseconds, controller);
  }
}
