/** Promises that resolve when a count is high enough. */

interface Waiter<Name> {
  readonly name: Name;
  readonly count: number;
  readonly resolve: () => void;
}

export class Waiters<Name> {
  readonly #countOf: (name: Name) => number;
  #waiting: Waiter<Name>[] = [];

  constructor(countOf: (name: Name) => number) {
    this.#countOf = countOf;
  }

  /** Resolves when the count of `name` reaches `count`. */
  until(name: Name, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ name, count, resolve });
    this.wake();
    return promise;
  }

  /** Checks all counts again, after a change. */
  wake(): void {
    this.#waiting = this.#waiting.filter(({ name, count, resolve }) => {
      const isEnough = this.#countOf(name) >= count;
      if (isEnough) resolve();
      return !isEnough;
    });
  }
}
