/** Sets of texts that a million of them do not make large: hashes are kept, not the texts. */
import { type HashWords, hashText } from './text-hash.ts';

const segmentCount = 256;
const firstCapacity = 16;
const fullest = 0.8;
/** A segment grows by half: little is left over, and only one of 256 stands twice in memory meanwhile. */
const growth = 1.5;

/**
 * Slots of `width` words in open addressing, in segments that grow one by one. The first word of a slot is its hash, never 0;
 * the second, where there is one, more of the hash; the third a mark.
 */
class HashTable {
  readonly #width: number;
  readonly #segments: Uint32Array<ArrayBuffer>[] = [];
  readonly #sizes = new Uint32Array(segmentCount);
  size = 0;

  constructor(width: 1 | 3) {
    this.#width = width;
    for (let index = 0; index < segmentCount; index += 1) {
      this.#segments.push(new Uint32Array(firstCapacity * width));
    }
  }

  /** The mark of a hash; 0 where it is not there. Only where marks are kept. */
  markOf(first: number, second: number): number {
    const segment = this.#segments[first >>> 24] as Uint32Array<ArrayBuffer>;
    return segment[this.#find(segment, first, second) + 2] ?? 0;
  }

  /** @returns 0 where the hash is new; else the mark that it came with first, or 1 where no marks are kept. */
  add(first: number, second: number, mark: number): number {
    const width = this.#width;
    const index = first >>> 24;
    const segment = this.#segments[index] as Uint32Array<ArrayBuffer>;
    const slot = this.#find(segment, first, second);
    if (segment[slot] !== 0) return width === 1 ? 1 : (segment[slot + 2] ?? 0);
    segment[slot] = first;
    if (width === 3) {
      segment[slot + 1] = second;
      segment[slot + 2] = mark;
    }
    this.size += 1;
    const size = (this.#sizes[index] ?? 0) + 1;
    this.#sizes[index] = size;
    if (size * width > segment.length * fullest) this.#segments[index] = this.#grown(segment);
    return 0;
  }

  /** The first words of all hashes. */
  *hashes(): Generator<number> {
    for (const segment of this.#segments) {
      for (let slot = 0; slot < segment.length; slot += this.#width) {
        const first = segment[slot] ?? 0;
        if (first !== 0) yield first;
      }
    }
  }

  /** The slot of a hash: its own, or the empty one that it would go to. */
  #find(segment: Uint32Array, first: number, second: number): number {
    const width = this.#width;
    const { length } = segment;
    // The top bits have chosen the segment; those below them choose the slot.
    let slot = Math.floor(((first & 0xffffff) / 0x1000000) * (length / width)) * width;
    for (;;) {
      const found = segment[slot];
      if (found === 0 || (found === first && (width === 1 || segment[slot + 1] === second))) return slot;
      slot += width;
      if (slot === length) slot = 0;
    }
  }

  #grown(segment: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const width = this.#width;
    const grown = new Uint32Array(Math.ceil((segment.length / width) * growth) * width);
    for (let slot = 0; slot < segment.length; slot += width) {
      const first = segment[slot] ?? 0;
      if (first === 0) continue;
      const target = this.#find(grown, first, segment[slot + 1] ?? 0);
      for (let word = 0; word < width; word += 1) grown[target + word] = segment[slot + word] ?? 0;
    }
    // Gives its memory back at once: the collector would leave it for long, and there would be more of it than of what is in use.
    segment.buffer.transfer(0);
    return grown;
  }
}

/**
 * Tells a text that was there before, and where: about 18 bytes a text. At 64 bits of hash, the chance that any two of a
 * million different texts are taken for the same is one in 37 million.
 */
export class TextRegister {
  readonly #table = new HashTable(3);
  readonly #hash: HashWords = new Uint32Array(2);

  /**
   * @param mark a number from 1 to 2^32 - 1 to remember the text by, such as its line.
   * @returns 0 where the text is new; else the mark that it was added with first.
   */
  add(text: string, mark: number): number {
    hashText(this.#hash, text);
    return this.#table.add(this.#hash[0] || 1, this.#hash[1] ?? 0, mark);
  }

  /** @returns the mark that the text was added with; 0 where it was not. */
  find(text: string): number {
    hashText(this.#hash, text);
    return this.#table.markOf(this.#hash[0] || 1, this.#hash[1] ?? 0);
  }
}

/** Tells a text that was there not long ago, and where: of how many texts it is asked makes no difference to its memory. */
export class RecentTexts {
  readonly #most: number;
  #older = new HashTable(3);
  #newer = new HashTable(3);
  readonly #hash: HashWords = new Uint32Array(2);

  /** @param most it forgets texts from this many others on, at the latest from twice as many. */
  constructor(most: number) {
    this.#most = most;
  }

  /** As `TextRegister.add`, for a text or a pair of texts. */
  add(text: string, mark: number, second?: string): number {
    hashText(this.#hash, text, second);
    const first = this.#hash[0] || 1;
    const more = this.#hash[1] ?? 0;
    const known = this.#older.markOf(first, more) || this.#newer.add(first, more, mark);
    if (known === 0 && this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new HashTable(3);
    }
    return known;
  }
}

/** Exact up to so many; beyond, one in two of them is looked at, then one in four, ... */
const countedEach = 65_536;

/**
 * Counts different texts, or pairs of texts, in bounded memory: exactly up to some ten thousands, beyond that to within one
 * percent or so, by counting only those whose hash ends in a number of zeros, each of them for others as well.
 */
export class DistinctCount {
  #table = new HashTable(1);
  /** A text that is looked at stands for so many. */
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
    const hash = this.#hash[0] || 1;
    const weight = this.#weight;
    if (hash % weight !== 0 || this.#table.add(hash, 0, 0) !== 0) return 0;
    this.#size += weight;
    if (this.#table.size > countedEach) this.#lookAtFewer();
    return weight;
  }

  #lookAtFewer(): void {
    this.#weight *= 2;
    const counted = this.#table;
    this.#table = new HashTable(1);
    for (const hash of counted.hashes()) if (hash % this.#weight === 0) this.#table.add(hash, 0, 0);
  }
}
