/** Which texts were seen before, by their hashes: how many distinct ones there are, and the line that each was on first. */
import { randomInt } from 'node:crypto';

/** The count is exact up to this size; beyond it, one text in two is sampled, then one in four, ... */
const countedEach = 65_536;

/**
 * Counts distinct texts, or pairs of texts: exactly up to some ten thousands, beyond that to within about one percent. It samples the
 * texts whose hash ends in zeros.
 */
export class DistinctCount {
  readonly #counted = new LineTable();
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
    const weight = this.#weight;
    if (!isSampled(this.#hash[0] ?? 0, weight) || this.#counted.find(this.#hash) > 0) return 0;
    this.#counted.add(this.#hash, 1);
    this.#size += weight;
    if (this.#counted.size > countedEach) {
      this.#weight *= 2;
      this.#counted.keep((first) => isSampled(first, this.#weight));
    }
    return weight;
  }
}

function isSampled(hash: number, weight: number): boolean {
  return (hash & (weight - 1)) === 0;
}

/** Words of a slot: two of the hash, then the line. A slot without a line is free. */
const slotWords = 3;
const fewestSlots = 16;
/** Parts of a table, a power of two. Each grows by itself, so that the old memory of one is the new memory of others. */
const partCount = 256;

/**
 * The line of each text, or pair of texts, by a hash of 64 bits: 20 to 40 bytes for each, where a map of the texts takes 100 and
 * more. In a sheet of a million texts, two different ones are taken for the same with a chance of one in 30 million. The seed is
 * random, so that collisions can hardly be prepared.
 */
export class LineIndex {
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #seed = randomInt(2 ** 32);
  readonly #kept: number;
  #newer = new LineTable();
  #older = new LineTable();

  /** @param kept at least so many texts are remembered, and at most twice as many. Default: all. */
  constructor(kept = Number.POSITIVE_INFINITY) {
    this.#kept = kept;
  }

  /** Remembers the line of a text that is new. @returns the line of one that is not; undefined if it is. */
  seen(line: number, text: string, second?: string): number | undefined {
    hashText(this.#hash, text, second, this.#seed);
    const earlier = this.#newer.find(this.#hash) || this.#older.find(this.#hash);
    if (earlier > 0) return earlier;
    if (this.#newer.size === this.#kept) {
      [this.#newer, this.#older] = [this.#older, this.#newer];
      this.#newer.clear();
    }
    this.#newer.add(this.#hash, line);
    return undefined;
  }
}

/** A hash table in parts with linear probing, each at most two thirds full. It leaves no garbage in the heap. */
class LineTable {
  readonly #parts = Array.from({ length: partCount }, () => new Uint32Array(fewestSlots * slotWords));
  readonly #sizes = new Uint32Array(partCount);
  size = 0;

  /** @returns 0 if the hash is not there. */
  find(hash: HashWords): number {
    const [first = 0, second = 0] = hash;
    const words = this.#parts[second % partCount] ?? noSlots;
    return words[slotOf(words, first, second) + 2] ?? 0;
  }

  /** Adds a hash that is not there. @param line at least 1. */
  add(hash: HashWords, line: number): void {
    const [first = 0, second = 0] = hash;
    const part = second % partCount;
    const slots = (this.#parts[part] ?? noSlots).length / slotWords;
    if ((this.#sizes[part] ?? 0) * 3 >= slots * 2) this.#refill(part, slots * 2);
    this.#put(part, first, second, line);
  }

  /** Keeps only the hashes whose first word is wanted. */
  keep(isWanted: (first: number) => boolean): void {
    for (const [part, words] of this.#parts.entries()) this.#refill(part, words.length / slotWords, isWanted);
  }

  clear(): void {
    for (const words of this.#parts) words.fill(0);
    this.#sizes.fill(0);
    this.size = 0;
  }

  #put(part: number, first: number, second: number, line: number): void {
    const words = this.#parts[part] ?? noSlots;
    const slot = slotOf(words, first, second);
    words[slot] = first;
    words[slot + 1] = second;
    words[slot + 2] = line;
    this.#sizes[part] = (this.#sizes[part] ?? 0) + 1;
    this.size += 1;
  }

  #refill(part: number, slots: number, isWanted: (first: number) => boolean = () => true): void {
    const words = this.#parts[part] ?? noSlots;
    this.#parts[part] = new Uint32Array(slots * slotWords);
    this.size -= this.#sizes[part] ?? 0;
    this.#sizes[part] = 0;
    for (let slot = 0; slot < words.length; slot += slotWords) {
      const [first = 0, second = 0, line = 0] = [words[slot], words[slot + 1], words[slot + 2]];
      if (line > 0 && isWanted(first)) this.#put(part, first, second, line);
    }
    // Frees the memory at once: the garbage collection would come later.
    words.buffer.transfer(0);
  }
}

const noSlots = new Uint32Array(slotWords);

/** Where a hash is, or would be. The second word decides, because the first has the same last bits in all if it is sampled by them. */
function slotOf(words: Uint32Array, first: number, second: number): number {
  const mask = words.length / slotWords - 1;
  for (let index = (second / partCount) & mask; ; index = (index + 1) & mask) {
    const slot = index * slotWords;
    if (words[slot + 2] === 0 || (words[slot] === first && words[slot + 1] === second)) return slot;
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
