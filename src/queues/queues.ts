/** All queues of a runner, opened together on one connection. */
import type { FlowProducer, Job, Queue, QueueOptions, Telemetry } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RowRef } from '../manifest/row.ts';
import { steps } from '../manifest/steps.ts';
import { toleratedMs } from '../platform/redis/clock.ts';
import {
  admissionJobId,
  admissionJobName,
  campaignQueue,
  type DeliveryPayload,
  deliveryJob,
  groupOfJobId,
  lastingOptions,
  notifyQueue,
  type PeriodicJobName,
  type PeriodicPayload,
  periodicQueue,
  type ShowcasePayload,
  scrapeQueue,
  showcaseJob,
  showcaseJobId,
} from './campaign-jobs.ts';
import {
  type FlowOptions,
  type FlowPlan,
  generateJob,
  pollJobId,
  postJobId,
  rowFlow,
  rowOfJobId,
  type UploadPayload,
  uploadJob,
} from './row-jobs.ts';
import type { ScrapeJobs } from './scrape.ts';

export const queueNames = [campaignQueue, ...steps, scrapeQueue, notifyQueue] as const;
export type QueueName = (typeof queueNames)[number];

/** More flows in one transaction would block other clients of Redis for tens of milliseconds. */
const flowsPerCall = 100;

export interface RowToQueue extends RowRef {
  readonly plan: FlowPlan;
}

interface QueuesOptions extends FlowOptions {
  readonly connection: Redis;
  readonly telemetry?: Telemetry | undefined;
  /** How far the clock of this machine may be from that of Redis, so that delays still count from it, in milliseconds. Tests set it. */
  readonly tolerance?: number | undefined;
}

/** Each queue is opened when it is first used, and BullMQ loaded with the first one: most commands use none. */
export class Queues {
  readonly prefix: string;
  readonly telemetry: Telemetry | undefined;
  readonly #options: FlowOptions;
  readonly #shared: QueueOptions;
  /** Only what is open: a module that could not be loaded, because too many files were open, is loaded by the next call. */
  readonly #queues = new Map<QueueName, Queue>();
  #flows: FlowProducer | undefined;
  #scrapes: ScrapeJobs | undefined;
  readonly #redis: Redis;
  readonly #tolerance: number;

  constructor({ connection, prefix, attempts, telemetry, tolerance = toleratedMs }: QueuesOptions) {
    this.#tolerance = tolerance;
    this.prefix = prefix;
    this.#redis = connection;
    this.telemetry = telemetry;
    this.#options = { attempts, prefix };
    this.#shared = { connection, prefix, skipVersionCheck: true, ...(telemetry && { telemetry }) };
  }

  /** @throws {RangeError} for a name that is none of `queueNames`. */
  async queue(name: QueueName): Promise<Queue> {
    if (!queueNames.includes(name)) throw new RangeError(`no queue ${name}`);
    const known = this.#queues.get(name);
    if (known) return known;
    const [{ Queue }, { repeatStrategy }] = await Promise.all([import('bullmq'), import('./scrape.ts')]);
    const opened = this.#queues.get(name);
    if (opened) return opened;
    const own: Partial<QueueOptions> = {
      streams: { events: { maxLen: 1000 } },
      settings: { repeatStrategy },
    };
    const queue = new Queue(name, { ...this.#shared, ...own });
    // The owner of the connection reports its errors.
    queue.on('error', () => undefined);
    this.#queues.set(name, queue);
    return queue;
  }

  async scrapes(): Promise<ScrapeJobs> {
    const { ScrapeJobs } = await import('./scrape.ts');
    const queue = await this.queue(scrapeQueue);
    this.#scrapes ??= new ScrapeJobs(queue);
    return this.#scrapes;
  }

  async #producer(): Promise<FlowProducer> {
    const { openFlowProducer } = await import('./flow-producer.ts');
    this.#flows ??= openFlowProducer(this.#shared);
    return this.#flows;
  }

  /** Adds the flows of rows, all or none of each hundred. Existing flows stay as they are. */
  async addFlows(rows: readonly RowToQueue[]): Promise<void> {
    if (rows.length === 0) return;
    const producer = await this.#producer();
    for (let start = 0; start < rows.length; start += flowsPerCall) {
      const chunk = rows.slice(start, start + flowsPerCall);
      await producer.addBulk(chunk.map(({ plan, ...row }) => rowFlow(row, plan, this.#options)));
    }
  }

  async addShowcaseJobs(groups: readonly ShowcasePayload[]): Promise<void> {
    await (await this.queue('showcase')).addBulk(
      groups.map((group) => showcaseJob(group, this.#options.attempts)),
    );
  }

  /** Removes the job of a group, unless it is running. */
  async removeShowcaseJob(group: ShowcasePayload): Promise<void> {
    await (await this.queue('showcase')).remove(showcaseJobId(group));
  }

  /** Adds uploads under a post that waits for its children, or is about to. */
  async addUploadsUnderPost(
    { campaign, row, revision }: RowRef,
    uploads: readonly Omit<UploadPayload, keyof RowRef>[],
    attempts = this.#options.attempts,
  ): Promise<void> {
    const ref = { campaign, row, revision };
    const parent = { id: postJobId(ref), queue: `${this.prefix}:post` };
    await (await this.queue('upload')).addBulk(
      uploads.map((upload) => {
        const { name, data, opts } = uploadJob({ ...ref, ...upload }, { ...this.#options, attempts });
        return { name, data, opts: { ...opts, parent } };
      }),
    );
  }

  /** Adds a further generation under a running poll, which then waits for it. */
  async addGenerationUnderPoll({ campaign, row, revision }: RowRef, number: number): Promise<void> {
    const ref = { campaign, row, revision };
    const parent = { id: pollJobId(ref), queue: `${this.prefix}:poll` };
    const { name, data, opts } = generateJob({ ...ref, n: number }, this.#options);
    const queue = await this.queue('generate');
    // If Redis has lost its end, a completed job may be one that the ledger has forgotten: added beside it, none would run.
    const known = await queue.getJob(opts?.jobId ?? '');
    if (await known?.isCompleted()) await known?.remove();
    await queue.add(name, data, { ...opts, parent });
  }

  async ensureAdmission(campaign: string): Promise<Job> {
    const options = { ...lastingOptions, jobId: admissionJobId(campaign) };
    return (await this.queue(campaignQueue)).add(admissionJobName, { c: campaign }, options);
  }

  /** Adds the admission of a campaign, or wakes a sleeping one. */
  async wakeAdmission(campaign: string): Promise<void> {
    const job = await this.ensureAdmission(campaign);
    if (!(await job.isDelayed())) return;
    try {
      await job.promote();
    } catch (error) {
      // If another process promoted it, or it woke by itself, there is nothing left to do.
      if (await job.isDelayed()) throw error;
    }
  }

  /** Removes the admission of a campaign. A running one finds out by itself that there is nothing to do. */
  async removeAdmission(campaign: string): Promise<void> {
    await (await this.queue(campaignQueue)).remove(admissionJobId(campaign));
  }

  /** Removes the campaign's jobs that do not run: completed ones (kept for operators), and jobs put back after their rows were cancelled. */
  async removeJobs(campaign: string): Promise<void> {
    for (const queue of await this.#all()) {
      const ids = await queue.getRanges(['completed', 'wait', 'prioritized', 'delayed'], 0, -1);
      for (const id of ids) {
        const of = rowOfJobId(id) ?? groupOfJobId(id);
        if (of?.campaign === campaign) await queue.remove(id);
      }
    }
  }

  /** Runs delayed jobs of a campaign now; if it has ended, they find that out and end. @returns how many of its jobs still wait. */
  async promoteDelayed(campaign: string): Promise<number> {
    const left = await Promise.all(
      (await this.#all()).map(async (queue) => {
        const isOurs = (id: string) => id.startsWith(`${campaign}-`);
        const delayed = (await queue.getRanges(['delayed'], 0, -1)).filter(isOurs);
        for (const id of delayed) {
          const job = await queue.getJob(id);
          // Another process may have been quicker.
          await job?.promote().catch(() => undefined);
        }
        const waiting = await queue.getRanges(['wait', 'prioritized'], 0, -1);
        return delayed.length + waiting.filter(isOurs).length;
      }),
    );
    return left.reduce((sum, count) => sum + count, 0);
  }

  /** Adds deliveries. Existing ones stay as they are. */
  async addDeliveries(deliveries: readonly DeliveryPayload[]): Promise<void> {
    await (await this.queue(notifyQueue)).addBulk(deliveries.map(deliveryJob));
  }

  /** Adds a job that serves all campaigns, unless its last run has not ended. */
  async addPeriodic(name: PeriodicJobName, everyMs: number): Promise<void> {
    const opts = {
      jobId: name,
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
      // A run belongs to no trace of what added it.
      telemetry: { omitContext: true },
    };
    await (await this.queue(periodicQueue(name))).add(name, { everyMs } satisfies PeriodicPayload, opts);
  }

  /**
   * Moves a running job to the delayed ones. Workers compare its time with the clocks of their machines, so a small difference is taken
   * into account. `job.moveToDelayed` would always count from the clock of this machine, and with a wrong one by hours.
   * @param at by the clock of `now`: Unix epoch, milliseconds.
   * @param now time of Redis.
   */
  async delay(job: Pick<Job, 'id' | 'queueName'>, lock: string, at: number, now: number): Promise<void> {
    const backend = (await this.queue(job.queueName as QueueName)).getBackend();
    const own = Date.now();
    const from = Math.abs(own - now) <= this.#tolerance ? own : now;
    await backend.moveToDelayed(job.id ?? '', from, Math.max(0, at - now), lock, { skipAttempt: true });
  }

  /** Whether somebody paused a queue for all workers. */
  async isPaused(name: QueueName): Promise<boolean> {
    return (await this.#redis.hexists(`${this.prefix}:${name}:meta`, 'paused')) === 1;
  }

  /** Queues that somebody paused for all workers: their jobs wait. */
  async paused(): Promise<readonly QueueName[]> {
    const paused = await Promise.all(queueNames.map((name) => this.isPaused(name)));
    return queueNames.filter((_name, index) => paused[index]);
  }

  /** Ids of failed jobs of a queue, oldest first. */
  async failedJobIds(name: QueueName, count: number): Promise<readonly string[]> {
    return (await this.queue(name)).getRanges(['failed'], 0, count - 1, true);
  }

  /**
   * Removes the flow of a row, root first: removing a child would release the root.
   * @returns false if one of its jobs is running: it finds its row superseded.
   */
  async removeFlow(row: RowRef): Promise<boolean> {
    const post = await (await this.queue('post')).getJob(postJobId(row));
    if (!post) return true;
    try {
      await post.remove({ removeChildren: true });
      return true;
    } catch {
      // BullMQ has no other sign for a locked job in the tree. Nothing was removed.
      return false;
    }
  }

  /** Lets queues that wait for a rate limit try again at once, because a rate limit was changed. */
  async wake(): Promise<void> {
    await Promise.all((await this.#all()).map((queue) => queue.removeRateLimitKey()));
  }

  #all(): Promise<readonly Queue[]> {
    return Promise.all(queueNames.map((name) => this.queue(name)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#flows?.close();
  }
}
