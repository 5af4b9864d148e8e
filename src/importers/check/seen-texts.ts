/** Counts distinct texts, and finds the first place of each, by hashes instead of the texts. */
import { randomInt } from 'node:crypto';
import type { RowPlace } from '../../manifest/problems/problem.ts';

/** A set holds at most 2^24 entries. Further texts all count as new. */
const mostCounted = 10_000_000;

/** Counts distinct texts, or pairs of texts. Takes about 50 bytes for each. */
export class DistinctCount {
  readonly #seen = new Set<number>();
  readonly #hash: HashWords = new Uint32Array(2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns whether the text is new. */
  add(text: string, second?: string): boolean {
    hashText(this.#hash, text, second);
    const hash = numberOf(this.#hash);
    if (this.#seen.has(hash)) return false;
    if (this.#size < mostCounted) this.#seen.add(hash);
    this.#size += 1;
    return true;
  }
}

/**
 * The place of each text, or pair of texts, by a hash of 53 bits, because a map of the texts themselves takes twice the memory. In a sheet
 * of a million texts, two different ones are taken for the same with a chance of one in 18,000. The seed is random, so that collisions
 * can hardly be prepared.
 */
export class PlaceIndex {
  readonly #hash: HashWords = new Uint32Array(2);
  readonly #seed = randomInt(2 ** 32);
  readonly #kept: number;
  readonly #places = new PlaceNumbers();
  #newer = new Map<number, number>();
  #older = new Map<number, number>();

  /** @param kept at least so many texts are remembered, and at most twice as many. Default: all, up to some millions. */
  constructor(kept = mostCounted) {
    this.#kept = kept;
  }

  /** Adds a text. @returns its first place; undefined if it is new. */
  addOrFind(place: RowPlace, text: string, second?: string): RowPlace | undefined {
    hashText(this.#hash, text, second, this.#seed);
    const hash = numberOf(this.#hash);
    const earlier = this.#newer.get(hash) ?? this.#older.get(hash);
    if (earlier !== undefined) return this.#places.placeOf(earlier);
    if (this.#newer.size === this.#kept) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(hash, this.#places.numberOf(place));
    return undefined;
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
export function numberOf([first = 0, second = 0]: HashWords): number {
  return first * 2 ** 21 + (second >>> 11);
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
