/**
 * The accounts of the service that this process works for. A campaign runs under one; whatever depends on the key (the
 * client, budgets, breakers, what is known as uploaded or added) is kept apart.
 */
import type { ServiceClient } from '../../api/client.ts';
import type { Budgets } from '../../queues/budgets.ts';
import type { JobOutcome } from './outcome.ts';

/** An account that the settings or the environment name, with what its calls need. */
export interface Account {
  readonly name: string;
  readonly client: ServiceClient;
  readonly budgets: Budgets;
}

export interface Accounts {
  /** Whether there is more than one: then no account may hold up a queue for the others. */
  readonly several: boolean;
  /** @returns undefined for an account that is not configured in this process. */
  find(name: string): Account | undefined;
  /** Lets nobody wait for a turn any longer. */
  stopWaiting(): void;
  /** Ends all calls that are under way: nobody knows of them what became of their effect. */
  cutOff(): Promise<void>;
}

const lookAgainMs = 5000;

/** Jobs of an account that this process does not know wait: another process may know it, or somebody configures it. */
export function waitForAccount(now: number): JobOutcome {
  return { kind: 'again', at: now + lookAgainMs };
}
