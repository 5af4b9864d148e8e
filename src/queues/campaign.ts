/** Queue `campaign`: the admission of each campaign, and the scheduled jobs that serve all of them. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

export const campaignQueue = 'campaign';

/** Fills the window of one campaign, sleeps while it is full, and ends when no row waits. */
export const admissionPayload = z.object({
  /** Campaign id. */
  c: z.string(),
});
export type AdmissionPayload = z.infer<typeof admissionPayload>;

export const admissionJobName = 'admission';
/** Scheduled jobs; each name is also the id of its schedule. */
export const keeperJobName = 'keeper';
/** Checks the publishing records, if a setting tells how. */
export const recordsJobName = 'records';

export function admissionJobId(campaign: string): string {
  return `${campaign}-admission`;
}

/** Many attempts, so that an outage of Redis never ends it. An ended job is removed, so that it can be added again. */
export const admissionOptions: JobsOptions = {
  attempts: 1000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};
