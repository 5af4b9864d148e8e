/** A queue as Bull Board sees it: what operators do to its jobs is safe, or refused with a message. */
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';

/** A refused change; the board shows the message. */
export class RefusedChangeError extends Error {
  override readonly name = 'RefusedChangeError';
  readonly statusCode: number;

  constructor(statusCode: 403 | 409, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

export class GuardedQueue extends BullMQAdapter {
  /** @param displayName as on the other pages. */
  constructor(queue: Queue, displayName: string, description: string) {
    // Only hides a button; `guarded` refuses. The types lack this option, so an object literal would not compile.
    const hidden = { allowCompletedRetries: false };
    super(queue, { displayName, description, ...hidden });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && guarded(job);
  }

  override async getJobs(...range: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...range)).map(guarded);
  }
}

/** Makes the board's calls on a job safe. It changes the job object, which belongs to the board alone. */
function guarded(job: Job): Job {
  const retry = job.retry.bind(job);
  const remove = job.remove.bind(job);
  job.retry = async (state = 'failed') => {
    if (state !== 'failed')
      throw new RefusedChangeError(403, 'This job is completed. Completed work is not repeated.');
    // Resets the attempts: a job that has used them up would get only one more.
    try {
      await retry('failed', { resetAttemptsMade: true });
    } catch (error) {
      // Somebody else may have retried it meanwhile; that will do.
      if (await job.isFailed()) throw error;
    }
  };
  job.remove = async () => {
    try {
      await remove();
    } catch (cause) {
      // BullMQ has no error code for a locked job or child.
      if ((await job.getState()) === 'unknown') throw cause;
      const message = 'This job, or one of its children, is running. Nothing was removed.';
      throw new RefusedChangeError(409, message, { cause });
    }
  };
  return job;
}
