/** Counts distinct texts in bounded memory. */
import { type HashWords, hashText } from './text-hash.ts';

/** The count is exact up to this size; beyond it, one text in two is sampled, then one in four, ... */
const countedEach = 65_536;

/**
 * Counts distinct texts, or pairs of texts: exactly up to some ten thousands, beyond that to within about one percent. It samples the
 * texts whose hash ends in zeros.
 */
export class DistinctCount {
  #counted = new Set<number>();
  /** How many texts a sampled one stands for: a power of two. */
  #weight = 1;
  readonly #hash: HashWords = new Uint32Array(2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns how many distinct texts this one stands for; 0 if it is not new. */
  add(text: string, second?: string): number {
    hashText(this.#hash, text, second);
    // JavaScript stores a signed 32-bit number inline; a larger number would take an object.
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
