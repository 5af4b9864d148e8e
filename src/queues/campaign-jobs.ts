/** Jobs of more than one row: the admission of a campaign, groups of products, deliveries, and the scheduled jobs of all campaigns. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import { stepOptions } from './row-jobs.ts';

/** Many attempts, so that an outage of Redis never ends it. An ended job is removed, so that it can be added again. */
export const lastingOptions: JobsOptions = {
  attempts: 1000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};

/** The admission of each campaign, and scheduled jobs that serve all of them. */
export const campaignQueue = 'campaign';

/** Fills the window of one campaign, sleeps while it is full, and ends when no row waits. */
export const admissionPayload = z.object({ c: z.string() }).transform(({ c }) => ({ campaign: c }));

export const admissionJobName = 'admission';
/** Data of a periodic job. Its name is also its id. */
export interface PeriodicPayload {
  readonly everyMs: number;
}

export const rescuerJobName = 'rescuer';
/** Checks the publishing records, if a setting says how. */
export const recordsJobName = 'records';

export function admissionJobId(campaign: string): string {
  return `${campaign}-admission`;
}

/** Step `showcase`: one job makes one call for up to 20 products of one creator, then adds the flows of its rows. */
export const showcasePayload = z
  .object({ c: z.string(), g: z.int().nonnegative() })
  .transform(({ c, g }): ShowcasePayload => ({ campaign: c, group: g }));

export interface ShowcasePayload {
  readonly campaign: string;
  /** Number of the group in the ledger. */
  readonly group: number;
}

export function showcaseJobId({ campaign, group }: ShowcasePayload): string {
  return `${campaign}-showcase-${group}`;
}

/** The group that a job id belongs to; undefined for a job of another queue. */
export function groupOfJobId(jobId: string): ShowcasePayload | undefined {
  const match = /^([^-]+)-showcase-(\d+)$/.exec(jobId);
  return match?.[1] ? { campaign: match[1], group: Number(match[2]) } : undefined;
}

export function showcaseJob(payload: ShowcasePayload, attempts: number) {
  const opts = { ...stepOptions(attempts), jobId: showcaseJobId(payload) };
  return { name: 'showcase', data: { c: payload.campaign, g: payload.group }, opts };
}

/** One job delivers one message of the outbox to one receiver. A scheduled job hands out new events. */
export const notifyQueue = 'notify';

/** Updates of public videos. */
export const scrapeQueue = 'scrape';

export const outboxJobName = 'outbox';

export const deliveryPayload = z.object({
  /** Event id. */
  e: z.string(),
  /** Key of the receiver. */
  to: z.string(),
});
export type DeliveryPayload = z.infer<typeof deliveryPayload>;

/** One job for each message and receiver, so that adding it again after a crash is harmless. */
export function deliveryJobId({ e, to }: DeliveryPayload): string {
  return `${e}-${to}`;
}

export function deliveryJob(payload: DeliveryPayload) {
  return { name: notifyQueue, data: payload, opts: { ...lastingOptions, jobId: deliveryJobId(payload) } };
}

/** Jobs that serve all campaigns, one at a time for all processes. */
export const periodicJobNames = [rescuerJobName, recordsJobName, outboxJobName] as const;
export type PeriodicJobName = (typeof periodicJobNames)[number];

export function periodicQueue(name: PeriodicJobName): typeof notifyQueue | typeof campaignQueue {
  return name === outboxJobName ? notifyQueue : campaignQueue;
}
