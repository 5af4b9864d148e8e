/** Queue `campaign`: the admission of each campaign, and the keeper. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

export const campaignQueue = 'campaign';

/** Tops up the window of one campaign, sleeps while it is full, and ends when no row waits. */
export const admissionPayload = z.object({
  /** Campaign id. */
  c: z.string(),
});
export type AdmissionPayload = z.infer<typeof admissionPayload>;

export const admissionJobName = 'admission';
export const keeperJobName = 'keeper';
export const keeperSchedulerId = 'keeper';
/** Looks into the publishing records, where a setting says how. */
export const recordsJobName = 'records';
export const recordsSchedulerId = 'records';

export function admissionJobId(campaign: string): string {
  return `${campaign}-admission`;
}

/** It never gives up on Redis: attempts are many, and an ended one leaves nothing behind, so that it can be added anew. */
export const admissionOptions: JobsOptions = {
  attempts: 1000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};
