/** Counts distinct texts, and finds the first place of each, by hashes instead of the texts. */
import { randomInt } from 'node:crypto';
import type { RowPlace } from '../../manifest/problems/problem.ts';

/** Further texts all count as new. */
const mostCounted = 10_000_000;

/** Counts distinct texts, or pairs of texts. Takes about 30 bytes for each. */
export class DistinctCount {
  readonly #seen = new HashMap();
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #seed = randomInt(2 ** 32);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns whether the text is new. */
  add(text: string, second?: string): boolean {
    hashText(this.#hash, text, second, this.#seed);
    if (this.#seen.get(this.#hash) !== undefined) return false;
    if (this.#size < mostCounted) this.#seen.set(this.#hash, 0);
    this.#size += 1;
    return true;
  }
}

/**
 * The place of each text, or pair of texts, by a hash of 59 bits, because a map of the texts themselves takes several times the memory. In a
 * sheet of a million texts, two different ones are taken for the same with a chance of one in a million. The seed is random, so that
 * collisions can hardly be prepared.
 */
export class PlaceIndex {
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #seed = randomInt(2 ** 32);
  readonly #kept: number;
  readonly #places = new PlaceNumbers();
  #newer = new HashMap();
  #older = new HashMap();

  /** @param kept at least so many texts are remembered, and at most twice as many. Default: all, up to some millions. */
  constructor(kept = mostCounted) {
    this.#kept = kept;
  }

  /** Adds a text. @returns its first place; undefined if it is new. */
  addOrFind(place: RowPlace, text: string, second?: string): RowPlace | undefined {
    hashText(this.#hash, text, second, this.#seed);
    const earlier = this.#newer.get(this.#hash) ?? this.#older.get(this.#hash);
    if (earlier !== undefined) return this.#places.placeOf(earlier);
    if (this.#newer.size === this.#kept) {
      this.#older = this.#newer;
      this.#newer = new HashMap();
    }
    this.#newer.set(this.#hash, this.#places.numberOf(place));
    return undefined;
  }
}

const parts = 64;
const leastSlots = 16;

/** Numbers by hashes, in typed arrays: a `Map` allocates every key. Of many parts that grow apart, so that no turn takes long. */
class HashMap {
  readonly #parts = Array.from({ length: parts }, () => new HashPart());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(hash: HashWords): number | undefined {
    return this.#partOf(hash)?.get(numberOf(hash));
  }

  /** @param value not negative. The hash must be new. */
  set(hash: HashWords, value: number): void {
    this.#partOf(hash)?.set(numberOf(hash), value);
    this.#size += 1;
  }

  /** By bits that `numberOf` leaves out. */
  #partOf(hash: HashWords): HashPart | undefined {
    return this.#parts[(hash[1] ?? 0) % parts];
  }
}

/** A table with open addressing, at most three quarters full. Hash and value lie side by side: one look is one access to memory. */
class HashPart {
  /** Values are one greater: 0 is an empty slot. */
  #slots = new Float64Array(leastSlots * 2);
  #size = 0;

  get(hash: number): number | undefined {
    const value = this.#slots[this.#slotOf(hash) + 1] ?? 0;
    return value === 0 ? undefined : value - 1;
  }

  set(hash: number, value: number): void {
    if (this.#size * 8 >= this.#slots.length * 3) this.#grow();
    this.#put(hash, value + 1);
    this.#size += 1;
  }

  #put(hash: number, value: number): void {
    const slot = this.#slotOf(hash);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = value;
  }

  /** The slot of a hash, or the empty one for it. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash / 2 ** 20) & mask & ~1;
    while (this.#slots[slot + 1] !== 0 && this.#slots[slot] !== hash) slot = (slot + 2) & mask;
    return slot;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Float64Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) {
      const value = slots[slot + 1] ?? 0;
      if (value !== 0) this.#put(slots[slot] ?? 0, value);
    }
  }
}

/** A worksheet has at most 2^20 lines. */
const linesOfWorksheet = 2 ** 21;

/** Places as numbers, which keep no row alive: lines, or lines of one worksheet after those of another. */
class PlaceNumbers {
  readonly #worksheets: string[] = [];

  numberOf({ line, worksheet }: RowPlace): number {
    if (worksheet === undefined) return line;
    if (this.#worksheets.at(-1) !== worksheet) this.#worksheets.push(worksheet);
    return (this.#worksheets.length - 1) * linesOfWorksheet + line;
  }

  placeOf(number: number): RowPlace {
    if (this.#worksheets.length === 0) return { line: number };
    const worksheet = this.#worksheets[Math.floor(number / linesOfWorksheet)];
    return { line: number % linesOfWorksheet, worksheet };
  }
}

/** The first 53 bits of a hash. */
export function numberOf(hash: HashWords): number {
  return (hash[0] ?? 0) * 2 ** 21 + ((hash[1] ?? 0) >>> 11);
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
