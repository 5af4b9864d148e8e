/** How many different texts there are, in bounded memory. */
import { type HashWords, hashText } from './text-hash.ts';

/** Exact up to so many; beyond, one in two of them is looked at, then one in four, ... */
const countedEach = 65_536;

/**
 * Counts different texts, or pairs of texts: exactly up to some ten thousands, beyond that to within one percent or so, by counting
 * only those whose hash ends in a number of zeros, each of them for others as well.
 */
export class DistinctCount {
  #counted = new Set<number>();
  /** A text that is looked at stands for so many: a power of two. */
  #weight = 1;
  readonly #hash: HashWords = new Uint32Array(2);
  #size = 0;

  /** How many different ones were added. */
  get size(): number {
    return this.#size;
  }

  /** @returns how many different texts this one stands for, where it is new; else 0. */
  add(text: string, second?: string): number {
    hashText(this.#hash, text, second);
    // Signed words are kept as they are; larger numbers would take an object each.
    const hash = (this.#hash[0] ?? 0) | 0;
    const weight = this.#weight;
    if ((hash & (weight - 1)) !== 0 || this.#counted.has(hash)) return 0;
    this.#counted.add(hash);
    this.#size += weight;
    if (this.#counted.size > countedEach) this.#lookAtFewer();
    return weight;
  }

  #lookAtFewer(): void {
    const mask = this.#weight * 2 - 1;
    this.#weight *= 2;
    this.#counted = new Set([...this.#counted].filter((hash) => (hash & mask) === 0));
  }
}
