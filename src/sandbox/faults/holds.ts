/** Calls that a `hold` fault keeps waiting until they are released. */
import type { SandboxOperation } from '../description/operations.ts';
import { Waiters } from '../waiters.ts';

interface Held {
  readonly operation: SandboxOperation;
  readonly letGo: () => void;
}

export class Holds {
  readonly #held = new Set<Held>();
  readonly #waiters = new Waiters((operation?: SandboxOperation) => this.count(operation));

  /**
   * Holds a call; resolves when it is released or the sandbox closes. A caller that goes away changes nothing: a service
   * would not notice either, and the effect of the call comes late.
   */
  hold(operation: SandboxOperation, closing: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = {
      operation,
      letGo: () => {
        this.#held.delete(held);
        resolve();
      },
    };
    this.#held.add(held);
    closing.addEventListener('abort', held.letGo, { once: true });
    if (closing.aborted) held.letGo();
    this.#waiters.wake();
    return promise;
  }

  /** Releases the calls of one operation, or all. @returns how many. */
  release(operation?: SandboxOperation): number {
    const released = [...this.#held].filter(
      (held) => operation === undefined || held.operation === operation,
    );
    for (const held of released) held.letGo();
    return released.length;
  }

  count(operation?: SandboxOperation): number {
    if (operation === undefined) return this.#held.size;
    return [...this.#held].filter((held) => held.operation === operation).length;
  }

  /** Resolves when that many calls are held at once. */
  whenHeld(operation?: SandboxOperation, count = 1): Promise<void> {
    return this.#waiters.until(operation, count);
  }
}
