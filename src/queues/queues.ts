/** All queues of a runner, opened together on one connection. */
import { FlowProducer, type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  type AdmissionPayload,
  admissionJobId,
  admissionJobName,
  admissionOptions,
  campaignQueue,
  keeperJobName,
  keeperSchedulerId,
  recordsJobName,
  recordsSchedulerId,
} from './campaign.ts';
import { type FlowPlan, rowFlow } from './flow.ts';
import { generateJob, generateQueue } from './generate.ts';
import { type RowPayload, rowOfJobId } from './jobs.ts';
import { pollJobId, pollQueue } from './poll.ts';
import { postJobId, postQueue } from './post.ts';
import { groupOfJobId, type ShowcasePayload, showcaseJob, showcaseJobId, showcaseQueue } from './showcase.ts';
import { type UploadPayload, uploadJob, uploadQueue } from './upload.ts';

export const queueNames = [
  campaignQueue,
  showcaseQueue,
  generateQueue,
  pollQueue,
  uploadQueue,
  postQueue,
] as const;
export type QueueName = (typeof queueNames)[number];

/** More trees in one transaction would hold up other clients of Redis for tens of milliseconds. */
const flowsPerCall = 100;

export interface RowToQueue extends RowPayload {
  readonly plan: FlowPlan;
}

export class Queues {
  readonly prefix: string;
  readonly #attempts: number;
  readonly #queues: ReadonlyMap<QueueName, Queue>;
  readonly #flows: FlowProducer;

  /** @param options.attempts how often a step is tried in all. */
  constructor(options: {
    readonly connection: Redis;
    readonly prefix: string;
    readonly attempts: number;
  }) {
    const { connection, prefix } = options;
    this.prefix = prefix;
    this.#attempts = options.attempts;
    const shared = { connection, prefix, skipVersionCheck: true };
    this.#queues = new Map(
      queueNames.map((name) => [name, new Queue(name, { ...shared, streams: { events: { maxLen: 1000 } } })]),
    );
    this.#flows = new FlowProducer(shared);
    // Connection errors are reported once, by whoever opened the connection.
    for (const queue of this.#queues.values()) queue.on('error', () => undefined);
    this.#flows.on('error', () => undefined);
  }

  queue(name: QueueName): Queue {
    const queue = this.#queues.get(name);
    if (!queue) throw new RangeError(`no queue ${name}`);
    return queue;
  }

  /** Adds the flows of rows, all or none of each hundred. Flows that exist already are left as they are. */
  async addFlows(rows: readonly RowToQueue[]): Promise<void> {
    const options = { attempts: this.#attempts, prefix: this.prefix };
    for (let start = 0; start < rows.length; start += flowsPerCall) {
      const chunk = rows.slice(start, start + flowsPerCall);
      await this.#flows.addBulk(chunk.map(({ plan, ...row }) => rowFlow(row, plan, options)));
    }
  }

  async addShowcaseJobs(groups: readonly ShowcasePayload[]): Promise<void> {
    await this.queue(showcaseQueue).addBulk(groups.map((group) => showcaseJob(group, this.#attempts)));
  }

  /** Sees to it that a group's job is there and will run, also after it failed by stalling or for Redis. */
  async reviveShowcaseJob(group: ShowcasePayload): Promise<void> {
    const queue = this.queue(showcaseQueue);
    const job = await queue.getJob(showcaseJobId(group));
    const state = await job?.getState();
    if (state === 'failed') await job?.retry('failed', { resetAttemptsMade: true });
    if (state === 'completed') await job?.remove();
    if (state === undefined || state === 'completed' || state === 'unknown')
      await this.addShowcaseJobs([group]);
  }

  /** Removes a group's job that has ended. */
  async removeShowcaseJob(group: ShowcasePayload): Promise<void> {
    await this.queue(showcaseQueue).remove(showcaseJobId(group));
  }

  /** Adds uploads under a post that still waits for its children. */
  async addUploadsUnderPost(row: RowPayload, uploads: readonly UploadPayload[]): Promise<void> {
    const parent = { id: postJobId(row), queue: `${this.prefix}:${postQueue}` };
    await this.queue(uploadQueue).addBulk(
      uploads.map((upload) => {
        const { name, data, opts } = uploadJob(upload, this.#attempts, this.prefix);
        return { name, data, opts: { ...opts, parent } };
      }),
    );
  }

  /** Adds a further generation under a poll that is at work, which then waits for it. */
  async addGenerationUnderPoll(row: RowPayload, number: number): Promise<void> {
    const parent = { id: pollJobId(row), queue: `${this.prefix}:${pollQueue}` };
    const { name, data, opts } = generateJob({ ...row, n: number }, this.#attempts, this.prefix);
    await this.queue(generateQueue).add(name, data, { ...opts, parent });
  }

  /** Adds the admission of a campaign unless it is there. */
  async ensureAdmission(campaign: string): Promise<Job> {
    const payload: AdmissionPayload = { c: campaign };
    const options = { ...admissionOptions, jobId: admissionJobId(campaign) };
    return this.queue(campaignQueue).add(admissionJobName, payload, options);
  }

  /** Adds the admission of a campaign, or wakes the one that sleeps. */
  async wakeAdmission(campaign: string): Promise<void> {
    const job = await this.ensureAdmission(campaign);
    if (!(await job.isDelayed())) return;
    try {
      await job.promote();
    } catch (error) {
      // Somebody else promoted it, or it woke by itself, in between: then there is nothing left to do.
      if (await job.isDelayed()) throw error;
    }
  }

  /** Removes the admission of a campaign; one that is at work finds out by itself that there is nothing to do. */
  async removeAdmission(campaign: string): Promise<void> {
    await this.queue(campaignQueue).remove(admissionJobId(campaign));
  }

  /** Removes the jobs of a campaign that were completed last: each queue keeps a few hundred as a glimpse for operators. */
  async removeCompleted(campaign: string): Promise<void> {
    for (const queue of this.#queues.values()) {
      const ids = await queue.getRanges(['completed'], 0, -1);
      for (const id of ids) {
        const { c } = rowOfJobId(id) ?? groupOfJobId(id) ?? {};
        if (c === campaign) await queue.remove(id);
      }
    }
  }

  /** Schedules the keeper; one schedule serves all campaigns, however many processes ask for it. */
  async scheduleKeeper(everyMs: number): Promise<void> {
    await this.#schedule(keeperSchedulerId, keeperJobName, everyMs);
  }

  /** Schedules the look into the publishing records; one schedule serves all campaigns, like the keeper's. */
  async scheduleRecords(everyMs: number): Promise<void> {
    await this.#schedule(recordsSchedulerId, recordsJobName, everyMs);
  }

  async #schedule(id: string, name: string, every: number): Promise<void> {
    const opts = { attempts: 1, removeOnComplete: true, removeOnFail: { count: 10 } };
    await this.queue(campaignQueue).upsertJobScheduler(id, { every }, { name, opts });
  }

  /** Queues that somebody has paused, for all workers: their jobs wait. */
  async paused(): Promise<readonly QueueName[]> {
    const paused = await Promise.all(queueNames.map((name) => this.queue(name).isPaused()));
    return queueNames.filter((_name, index) => paused[index]);
  }

  /** Ids of failed jobs of a queue, oldest first. */
  async failedJobIds(name: QueueName, count: number): Promise<readonly string[]> {
    return this.queue(name).getRanges(['failed'], 0, count - 1, true);
  }

  /**
   * Removes a row's flow, root first: a child that was removed would release it.
   * @returns false when a job of it is at work; it finds its row superseded by itself.
   */
  async removeFlow(row: RowPayload): Promise<boolean> {
    const post = await this.queue(postQueue).getJob(postJobId(row));
    if (!post) return true;
    try {
      await post.remove({ removeChildren: true });
      return true;
    } catch {
      // BullMQ has no other sign for a job of the tree that is locked. Nothing was removed.
      return false;
    }
  }

  /** Lets queues that were parked for their budgets look again at once: a budget was changed. */
  async unpark(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.removeRateLimitKey()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#flows.close();
  }
}
