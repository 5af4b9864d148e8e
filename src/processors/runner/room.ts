/** Room for work that is limited within a process, such as bytes in memory or calls at once. Who asks first gets it first. */
export class Room {
  #free: number;
  readonly #waiting: { readonly amount: number; readonly enter: () => void }[] = [];

  constructor(amount: number) {
    this.#free = amount;
  }

  /** Waits until there is room for `amount`, which must not be more than all of it. */
  async take(amount: number): Promise<void> {
    if (this.#waiting.length === 0 && amount <= this.#free) this.#free -= amount;
    else await new Promise<void>((enter) => this.#waiting.push({ amount, enter }));
  }

  /** Holds room until the promise of `work` ends. */
  async hold<T>(amount: number, work: () => Promise<T>): Promise<T> {
    await this.take(amount);
    try {
      return await work();
    } finally {
      this.give(amount);
    }
  }

  give(amount: number): void {
    this.#free += amount;
    for (let next = this.#waiting[0]; next && next.amount <= this.#free; next = this.#waiting[0]) {
      this.#free -= next.amount;
      this.#waiting.shift();
      next.enter();
    }
  }
}
