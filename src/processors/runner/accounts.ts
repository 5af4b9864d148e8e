/**
 * The accounts of the service that this process works for, and permits within the rate limits of their operations. A campaign runs under one of them. Everything that depends on the key
 * (client, rate limits, breakers, known files and products) is separate for each account.
 */
import type { ServiceClient } from '../../api/client.ts';
import type { ServiceReach } from '../../ledger/service/service-reach.ts';
import type { Permission, RateLimits } from '../../queues/rate-limits.ts';
import type { JobOutcome } from './outcome.ts';

/** A configured account, with the tools for its calls. */
export interface Account {
  readonly name: string;
  readonly client: ServiceClient;
  readonly rateLimits: RateLimits;
  /** What this process knows of the service from its last calls; undefined where nobody records it. */
  readonly reach: Pick<ServiceReach, 'excuses' | 'beginCall' | 'clockAheadMs'> | undefined;
}

export interface Accounts {
  /** Whether there is more than one. Then no account may block a queue for the others. */
  readonly several: boolean;
  /** @returns undefined for an account that is not configured in this process. */
  find(name: string): Account | undefined;
  /** Ends all waits for permits. */
  stopWaiting(): void;
  /** Cuts off all calls under way, whose effect is then unknown. */
  cutOff(): Promise<void>;
}

const lookAgainMs = 5000;

/** Jobs of an unknown account wait: another process may know it, or somebody may still configure it. */
export function waitForAccount(now: number): JobOutcome {
  return { kind: 'again', at: now + lookAgainMs };
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

/**
 * Waits for the permit to call an operation. The call follows at once, unless the permit is declared with `using`.
 * @throws {RateLimitReached} when the permit would not come within `maxWaitMs`: the queue snoozes.
 */
export async function takePermit(
  { rateLimits }: Account,
  operation: string,
  maxWaitMs = longestWaitMs,
): Promise<Extract<Permission, { readonly granted: true }>> {
  const permit = await rateLimits.take(operation, maxWaitMs);
  if (!permit.granted) throw new RateLimitReached(permit.waitMs);
  return permit;
}
