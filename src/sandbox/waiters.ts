/** Those who wait until something has been counted often enough. */

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

  /** Resolves as soon as `name` counts so many. */
  until(name: Name, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ name, count, resolve });
    this.wake();
    return promise;
  }

  /** Looks at all of them: something has been counted. */
  wake(): void {
    this.#waiting = this.#waiting.filter(({ name, count, resolve }) => {
      const isEnough = this.#countOf(name) >= count;
      if (isEnough) resolve();
      return !isEnough;
    });
  }
}
