/** A worker of BullMQ that pauses at once. */
import { Worker } from 'bullmq';

export class PromptWorker extends Worker {
  /**
   * A pause cuts the connection on which a worker waits for jobs. BullMQ takes that for an outage and waits 100 ms before it goes on,
   * so that every stop would take as long. Only this wait has no length of its own.
   */
  override async delay(...[milliseconds, controller]: Parameters<Worker['delay']>): Promise<void> {
    if (milliseconds === undefined && this.isPaused()) return;
    await super.delay(milliseconds, controller);
  }
}
