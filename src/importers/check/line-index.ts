/** Finds texts that come again, and the line that each was on before. */
import { randomInt } from 'node:crypto';
import { type HashWords, hashText } from './distinct-count.ts';

/** Words of a slot: two of the hash, then the line. A slot without a line is free. */
const slotWords = 3;
const fewestSlots = 1024;

/**
 * The line of each text, or pair of texts, by a hash of 64 bits: 20 to 40 bytes for each, where a map of the texts takes 100 and
 * more. Two different texts of a million are taken for the same once in 30 million sheets. The seed is random, so that no sheet can
 * be made to collide.
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
      this.#older = this.#newer;
      this.#newer = new LineTable();
    }
    this.#newer.add(this.#hash, line);
    return undefined;
  }
}

/** A hash table with linear probing, at most two thirds full. */
class LineTable {
  #words = new Uint32Array(fewestSlots * slotWords);
  #slots = fewestSlots;
  size = 0;

  /** @returns 0 if the hash is not there. */
  find(hash: HashWords): number {
    return this.#words[this.#slotOf(hash[0] ?? 0, hash[1] ?? 0) + 2] ?? 0;
  }

  /** Adds a hash that is not there. */
  add(hash: HashWords, line: number): void {
    if (this.size * 3 >= this.#slots * 2) this.#grow();
    this.#put(hash[0] ?? 0, hash[1] ?? 0, line);
    this.size += 1;
  }

  #put(first: number, second: number, line: number): void {
    const slot = this.#slotOf(first, second);
    this.#words[slot] = first;
    this.#words[slot + 1] = second;
    this.#words[slot + 2] = line;
  }

  /** Where a hash is, or would be. */
  #slotOf(first: number, second: number): number {
    const words = this.#words;
    const mask = this.#slots - 1;
    for (let index = first & mask; ; index = (index + 1) & mask) {
      const slot = index * slotWords;
      if (words[slot + 2] === 0 || (words[slot] === first && words[slot + 1] === second)) return slot;
    }
  }

  #grow(): void {
    const words = this.#words;
    this.#slots *= 2;
    this.#words = new Uint32Array(this.#slots * slotWords);
    for (let slot = 0; slot < words.length; slot += slotWords) {
      const line = words[slot + 2] ?? 0;
      if (line > 0) this.#put(words[slot] ?? 0, words[slot + 1] ?? 0, line);
    }
  }
}
