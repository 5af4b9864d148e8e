/** Queue `notify`: one job delivers one message of the outbox to one receiver. A scheduled job hands out new events. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

export const notifyQueue = 'notify';

/** Name of the scheduled job, and id of its schedule. */
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

/** Many attempts, so that an outage of Redis never ends it. An ended job is removed, so that it can be added again. */
const options: JobsOptions = {
  attempts: 1000,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
};

export function deliveryJob(payload: DeliveryPayload) {
  return { name: notifyQueue, data: payload, opts: { ...options, jobId: deliveryJobId(payload) } };
}
