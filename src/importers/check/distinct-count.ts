/** Counts distinct texts in bounded memory. */

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

/** Two 32-bit words in an array of the caller, so that a million hashes need no allocations. */
export type HashWords = Uint32Array<ArrayBuffer>;

/**
 * A 64-bit hash that is fast on short texts: of the UTF-16 units of a text, or of a pair of texts, in two lanes with different
 * constants. Not secure: with a known seed, collisions can be constructed.
 * @param seed 32 bits.
 */
export function hashText(into: HashWords, text: string, second?: string, seed = 0): void {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x85ebca6b ^ rotate(seed, 16);
  for (let part = 0; part < 2; part += 1) {
    const current = part === 0 ? text : second;
    if (current === undefined) break;
    // Mixes in the length of each part, so that moving a letter from one to the other changes the hash.
    a ^= current.length;
    for (let index = 0; index < current.length; index += 1) {
      const unit = current.charCodeAt(index);
      a = Math.imul(rotate(a ^ unit, 13), 0xcc9e2d51);
      b = Math.imul(rotate(b ^ unit, 17), 0x1b873593);
    }
    a = Math.imul(a ^ b, 0xa1e38b93);
  }
  into[0] = finish(a ^ rotate(b, 7));
  into[1] = finish(b ^ rotate(a, 19));
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Spreads every bit over the whole word. */
function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
