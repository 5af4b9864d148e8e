/** A queue as Bull Board sees it: what its buttons do to jobs is made safe here. */
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';

/** A change that cannot be made; the board shows the message. */
export class BoardRefusalError extends Error {
  override readonly name = 'BoardRefusalError';
  readonly statusCode: number;

  constructor(statusCode: 403 | 409, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

export class BoardQueue extends BullMQAdapter {
  constructor(queue: Queue, description: string) {
    // The option `allowCompletedRetries` only hides a button, and its declaration lacks it; `retry` below decides.
    super(queue, { description, ...{ allowCompletedRetries: false } });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job && guard(job);
  }

  override async getJobs(...range: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...range)).map(guard);
  }
}

/** Puts the board's calls on a job right. The job is the board's own copy: nobody else calls it. */
function guard(job: Job): Job {
  const retry = job.retry.bind(job);
  const remove = job.remove.bind(job);
  job.retry = async (state = 'failed') => {
    if (state !== 'failed')
      throw new BoardRefusalError(403, 'This job is done: what is done is not done again.');
    // The board knows nothing of attempts: a job that has used them all up would get a single one.
    try {
      await retry('failed', { resetAttemptsMade: true });
    } catch (error) {
      // Somebody else retried it in between: then it is as it was to be.
      if (await job.isFailed()) throw error;
    }
  };
  job.remove = async () => {
    try {
      await remove();
    } catch (cause) {
      // BullMQ has no code for a job that is locked, or has one under it that is.
      if ((await job.getState()) === 'unknown') throw cause;
      const message = 'This job, or one that it waits for, is at work: nothing was removed.';
      throw new BoardRefusalError(409, message, { cause });
    }
  };
  return job;
}
