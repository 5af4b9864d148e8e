/** Calls that a `hold` keeps until someone lets them go. */
import type { SandboxOperation } from '../operations.ts';
import { Waiters } from '../waiters.ts';

interface Held {
  readonly operation: SandboxOperation;
  readonly letGo: () => void;
}

export class Holds {
  readonly #held = new Set<Held>();
  readonly #waiters = new Waiters((operation?: SandboxOperation) => this.count(operation));

  /**
   * Keeps a call; resolves when it is released, or when the sandbox closes. A caller that goes away changes nothing: a
   * service would not notice it either, and the effect of a call held before it comes late.
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

  /** Lets go of the calls of one operation, or of all; answers how many. */
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

  /** Resolves as soon as that many calls are held at once. */
  whenHeld(operation?: SandboxOperation, count = 1): Promise<void> {
    return this.#waiters.until(operation, count);
  }
}
