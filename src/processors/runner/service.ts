/** The service, with the tools for its calls, and permits within the rate limits of its operations. */

import type { ServiceReach } from '../../ledger/service/service-reach.ts';
import type { Permission, RateLimits } from '../../queues/rate-limits.ts';
import type { ServiceClient } from '../../service/client.ts';

export interface Service {
  readonly client: ServiceClient;
  readonly rateLimits: RateLimits;
  /** What this process knows of the service from its last calls; undefined where nobody records it. */
  readonly reach: Pick<ServiceReach, 'covers' | 'beginCall' | 'clockAheadMs'> | undefined;
}

/** If a permit would take longer than this (milliseconds), the queue snoozes instead of waiting in place. */
const longestWaitMs = 2000;

/** Ends a step whose rate limit is reached for a long time: control flow, not an error. */
export class RateLimitReached extends Error {
  override readonly name = 'RateLimitReached';
  /** Milliseconds until another try makes sense. */
  readonly ms: number;

  constructor(ms: number) {
    super('the rate limit is reached');
    this.ms = ms;
  }
}

/** The call follows at once, unless it is declared with `using`. @throws {RateLimitReached} when it would not come in `maxWaitMs`. */
export async function takePermit(
  { rateLimits }: Service,
  operation: string,
  maxWaitMs = longestWaitMs,
): Promise<Extract<Permission, { readonly granted: true }>> {
  const permit = await rateLimits.take(operation, maxWaitMs);
  if (!permit.granted) throw new RateLimitReached(permit.waitMs);
  return permit;
}
