/** What happened in a round, and when. */

export class Timeline {
  readonly #began = performance.now();
  readonly #lines: string[] = [];

  /** Milliseconds since the round began. */
  get elapsed(): number {
    return performance.now() - this.#began;
  }

  note(text: string): void {
    const clock = new Date().toISOString().slice(11, 23);
    this.#lines.push(`${(this.elapsed / 1000).toFixed(3).padStart(8)} s  ${clock}  ${text}`);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
